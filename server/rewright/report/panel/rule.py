"""A rule's counterexample in a panel: both sides, inputs, every intermediate value, and the route of the element.

Must not know how a counterexample was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rewright.report import intermediate
from rewright.report.document import FileReport, Located, Result
from rewright.report.panel.shown import PanelEdge, PanelInput, PanelSide, PanelStep, PanelTerm, PanelTerms
from rewright.report.panel.values import number, value
from rewright.verdict import Failure, FunctionValue, RuleWitness, SideTerms, TensorValue
from rewright.verdict import Step as ValueAt

MOST_NAMED = 6
"""Elements that are named of those that the differing one came through."""


def sides(witness: RuleWitness, result: Result, file: FileReport) -> Iterator[PanelSide]:
    """The left side, then the right."""
    for name, said in (("left", witness.left), ("right", witness.right)):
        _, outer = intermediate.split(witness, name)
        if outer is None:
            yield PanelSide(name, "", None, said)
        else:
            differs = position(witness) if witness.fails is Failure.VALUE else None
            yield PanelSide(name, intermediate.text(outer, result, file), value(outer.value, differs=differs), "")


def inputs(witness: RuleWitness) -> Iterator[PanelInput]:
    """Ranks, sizes, scalars and functions as texts, then tensors."""
    instance = witness.instance
    listed = [(f"rank of {group}", str(rank)) for group, rank in instance.ranks]
    listed += [(name, str(list(axis))) for name, axis in instance.maps]
    listed += [(name, str(given)) for name, given in (*instance.integers, *instance.scalars)]
    listed += [(call, element) for name, table in instance.functions for call, element in _calls(name, table)]
    yield from (PanelInput(name, text, None) for name, text in listed)
    for name, tensor in instance.tensors:
        drawn = value(tensor)
        yield PanelInput(name, drawn.text, drawn)


def _calls(name: str, table: FunctionValue) -> Iterator[tuple[str, str]]:
    return ((f"{name}({', '.join(operands)})", element) for operands, element in table)


def steps(witness: RuleWitness, result: Result, file: FileReport) -> Iterator[PanelStep]:
    """Every intermediate value, operands before operators, the left side first."""
    names = {name for name, _ in (*witness.instance.tensors, *witness.instance.scalars)}
    for side in ("left", "right"):
        inner, outer = intermediate.split(witness, side)
        every = (*inner, *filter(None, [outer]))
        for each in every:
            expression = intermediate.text(each, result, file)
            role = "result" if each is outer else "input" if expression in names else "step"
            differs = position(witness) if role == "result" and witness.fails is Failure.VALUE else None
            passed = tuple(dict.fromkeys(at.index for at in witness.route if (at.side, at.site) == (side, each.site)))
            yield PanelStep(
                _id(side, each.site),
                _parent(each, every, result),
                side,
                role,
                expression,
                Located(file.path, result.sites[each.site]),
                value(each.value, passed, differs),
                _passes(each.value, passed),
            )


def _parent(step: ValueAt, every: Sequence[ValueAt], result: Result) -> str:
    """The id of the innermost step that a step stands in."""
    own = result.sites[step.site]
    spans = ((result.sites[each.site], each) for each in every if each is not step)
    around = [(span.end - span.start, each) for span, each in spans if span.start <= own.start and own.end <= span.end]
    return _id(step.side, min(around, key=lambda pair: pair[0])[1].site) if around else ""


def _id(side: str, site: int) -> str:
    return f"{side}-{site}"


def _passes(tensor: TensorValue, indices: Sequence[tuple[int, ...]]) -> str:
    """`[0, 1] = 3`: the elements that the differing one came through, in words."""
    named = [f"{list(at)} = {tensor.data[number(tensor.shape, at)]}" for at in indices[:MOST_NAMED] if at]
    named += [tensor.data[0] for at in indices[:1] if not at]
    more = [f"{len(indices) - MOST_NAMED} more"] if len(indices) > MOST_NAMED else []
    return ", ".join([*named, *more])


def edges(witness: RuleWitness) -> Iterator[PanelEdge]:
    """The route of the differing element through both sides."""
    shapes = {(step.side, step.site): step.value.shape for step in witness.steps}
    for each in witness.route:
        source, target = shapes.get((each.side, each.site)), shapes.get((each.side, each.into or 0))
        if each.into is not None and source is not None and target is not None:
            yield PanelEdge(
                _id(each.side, each.site),
                number(source, each.index),
                _id(each.side, each.into),
                number(target, each.at),
            )


def terms(found: SideTerms) -> PanelTerms:
    """What one side's element is combined of."""
    listed = tuple(PanelTerm(intermediate.place(each), intermediate.term(each), each.alone) for each in found.terms)
    return PanelTerms(intermediate.heading(found), listed, found.more)


def position(witness: RuleWitness) -> tuple[int, ...]:
    """The index of the differing element."""
    return tuple(index for _, axes in witness.at for index in axes)
