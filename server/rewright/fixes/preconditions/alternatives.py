"""Formulas that hold wherever another one does, and elsewhere: either of the two, on each axis or as a whole.

Owns the alternatives to an atom of a conjunction. Must not know which of them are of use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from rewright.fixes.preconditions.atoms import Atom, Grammar, Tier
from rewright.fixes.preconditions.expressions import SITE
from rewright.fixes.preconditions.lanes import Bits, Lanes
from rewright.model.formula import Disjunction, Formula, IndexComparison, Quantified
from rewright.model.index import Name
from rewright.model.rule import Extent, RuleQuestion
from rewright.replay.formulas import holds
from rewright.replay.inputs import Inputs


def alternatives(grammar: Grammar, atom: Atom) -> Iterator[Atom]:
    """The atom or another comparison on the same axes, then the atom or another formula as a whole."""
    question = grammar.question
    for lanes, comparisons in grammar.literals:
        body = _body(question, lanes, atom.formula)
        if body is not None:
            truth = _truth(question, lanes, body, grammar.inputs)
            for each in comparisons:
                either = Disjunction(body, each.formula, SITE)
                yield _read(question, lanes, atom, (either, truth | each.truth, atom.size + each.size + 1))
    for other in _short(grammar):
        yield Atom(Disjunction(atom.formula, other.formula, SITE), atom.holds | other.holds, atom.size + other.size + 1)


def _short(grammar: Grammar) -> Iterator[Atom]:
    """Comparisons of two unknowns or with a constant, on every axis and on some."""
    yield from grammar.atoms(Tier.SIMPLE)
    for each in grammar.atoms(Tier.SOME):
        if isinstance(each.formula, Quantified) and isinstance(each.formula.body, IndexComparison):
            yield each


def _read(question: RuleQuestion, lanes: Lanes, atom: Atom, either: tuple[Formula, Bits, int]) -> Atom:
    """A formula about one axis as the atom reads its own: on some axis or on every one."""
    formula, truth, size = either
    name = lanes.rank_class
    match atom.formula:
        case Quantified(quantifier="some", rank_class=rank_class):
            return Atom(Quantified("some", rank_class, formula, SITE), lanes.on_some_axis(truth), size)
        case _ if name is None or _single(question, name):
            return Atom(formula, lanes.on_every_axis(truth), size)
        case _:
            return Atom(Quantified("every", name, formula, SITE), lanes.on_every_axis(truth), size)


def _body(question: RuleQuestion, lanes: Lanes, formula: Formula) -> Formula | None:
    """What a formula says of one axis of the lanes, None if it speaks of others or as a whole."""
    name = lanes.rank_class
    match formula:
        case Quantified(rank_class=rank_class, body=body):
            return body if rank_class == name else None
        case IndexComparison(rank_class=rank_class):
            return formula if rank_class == name else None
        case Disjunction(left=left, right=right) if name is None or _single(question, name):
            sides = (_body(question, lanes, left), _body(question, lanes, right))
            return formula if None not in sides else None
        case _:
            return None


def _single(question: RuleQuestion, name: Name) -> bool:
    return any(group.name == name and group.extent is Extent.SINGLE for group in question.rule.groups)


def _truth(question: RuleQuestion, lanes: Lanes, body: Formula, inputs: Sequence[Inputs]) -> Bits:
    """The axes on which a formula about one axis holds."""
    own = [declared.name for declared in question.rule.maps if declared.rank_class == lanes.rank_class]
    found = 0
    for (place, axis), bit in zip(lanes.positions, lanes.single, strict=True):
        if holds(body, _on(inputs[place], lanes.rank_class, own, axis)):
            found |= bit
    return found


def _on(inputs: Inputs, name: Name | None, own: Sequence[Name], axis: int) -> Inputs:
    """The input with one of the axes of a class alone."""
    if name is None:
        return inputs
    maps = {map_: (inputs.maps[map_][axis],) for map_ in own}
    return replace(inputs, ranks={**inputs.ranks, name: 1}, maps={**inputs.maps, **maps})
