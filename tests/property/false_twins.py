"""False twins: each rule of the library that reduces, with what is easily got wrong about reductions put into it.

Owns the five kinds of faults and where they can be. A twin is a well-formed rule; it may be true all the same, as a
maximum does not mind a term that comes twice: then brute force must not find anything either, and it is told by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import brute
import builders as b
from agreement import judge
from builders import IllFormed, Ix
from msgspec.structs import replace
from mutation import canonical, monoids_instead_of, nodes_of, places_of, replaced, well_formed
from printing import rule_text
from rebuilding import rebuilt
from reduction_rules import has_reduction, reducing_rules
from spread import spread

from rewright.checks.table import rule_questions
from rewright.model import index as mi
from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.model.rule import Rule
from rewright.replay.sampling import Effort
from rewright.verdict import Failure, RuleWitness, Verdict, worst

PLAN = brute.Search(trials=80, effort=Effort(tries=160), top=3)


class Fault(Enum):
    """What is wrong with a twin."""

    RANGE = "range off by one"
    INIT = "wrong init"
    INDEX = "swapped index"
    SCALE = "missing scale"
    REDUCER = "other reducer"


@dataclass(frozen=True)
class Twin:
    """A rule of the library with a fault in it."""

    of: str
    fault: Fault
    number: int
    rule: Rule

    @property
    def name(self) -> str:
        return f"{self.of}, {self.fault.value} {self.number}"


@dataclass(frozen=True)
class TwinFate:
    """What became of a twin: its verdict, whether only for want of inputs, why unknown, and what should not be."""

    twin: Twin
    verdict: Verdict
    vacuous: bool
    reason: str | None
    wrong: str | None

    @property
    def column(self) -> str:
        held = self.verdict in (Verdict.PROVED, Verdict.CHECKED)
        return "vacuous" if self.vacuous else "proved" if held else self.verdict.value


COLUMNS = ("refuted", "vacuous", "proved", "unknown")


def false_twins() -> list[Twin]:
    """All twins of all rules that reduce."""
    return [twin for rule in reducing_rules() for twin in _twins(rule)]


def twin_fates(twins: Iterable[Twin]) -> Iterator[TwinFate]:
    """What becomes of the twins."""
    return spread(twin_fate, twins)


def twin_fate(twin: Twin) -> TwinFate:
    """What becomes of a twin. An error of ours is wrong, too."""
    try:
        judged = [judge(question, twin.number, PLAN) for question in rule_questions(twin.rule)]
    except Exception as error:
        return TwinFate(twin, Verdict.ERROR, vacuous=False, reason=None, wrong=repr(error))
    failures = [each.answer.witness.fails for each in judged if isinstance(each.answer.witness, RuleWitness)]
    return TwinFate(
        twin=twin,
        verdict=worst(each.answer.verdict for each in judged),
        vacuous=bool(failures) and all(failure is Failure.VACUOUS for failure in failures),
        reason=next((each.answer.reason for each in judged if each.answer.reason), None),
        wrong=next((each.wrong for each in judged if each.wrong), None),
    )


def twin_table(found: Iterable[TwinFate]) -> Iterator[str]:
    """A line for each fault, then by name the twins that are true, and in full those that are unknown or wrong."""
    fates = list(found)
    yield f"{'fault':20}" + "".join(f"{column:>9}" for column in ("twins", *COLUMNS))
    for fault in Fault:
        counts = Counter(each.column for each in fates if each.twin.fault is fault)
        yield f"{fault.value:20}{counts.total():9}" + "".join(f"{counts[column]:9}" for column in COLUMNS)
    yield from (f"proved, no counterexample: {each.twin.name}" for each in fates if each.column == "proved")
    for each in fates:
        if each.wrong or each.column == "unknown":
            what = f"WRONG, {each.wrong}" if each.wrong else f"unknown, {each.reason}"
            yield f"{each.twin.name}: {what}\n{rule_text(each.twin.rule)}"


def _twins(rule: Rule) -> Iterator[Twin]:
    seen = {canonical(rule)}
    for fault, faulty in (
        (Fault.RANGE, _ranges),
        (Fault.INIT, _inits),
        (Fault.INDEX, _indices),
        (Fault.SCALE, _scales),
        (Fault.REDUCER, _reducers),
    ):
        for number, changed in enumerate(faulty(rule)):
            text = canonical(changed)
            if text not in seen:
                seen.add(text)
                yield Twin(rule.name, fault, number, changed)


def _nodes(rule: Rule) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    return ((path, node) for path, node in places_of(rule) if path[0] in ("left", "right"))


def _with(rule: Rule, path: tuple[str | int, ...], node: Any) -> Iterator[Rule]:
    """The rule with another node in this place, if that is a rule."""
    changed = well_formed(replaced(rule, path, node))
    if changed is not None:
        yield changed


def _ranges(rule: Rule) -> Iterator[Rule]:
    """The first term left out, a window too wide, an attribute too large by one."""
    for path, node in _nodes(rule):
        match node:
            case mt.Reduce():
                yield from _with(rule, path, replace(node, operand=_beheaded(node.operand, node.reduced[0])))
            case mt.Dot(contracted=(group, *_)):
                one, other = _beheaded(node.left, group), _beheaded(node.right, group)
                yield from _with(rule, path, replace(node, left=one, right=other))
            case mt.Window(size=mi.MapReference() | mi.IndexOperation() | mi.Number() as size):
                yield from _with(rule, path, replace(node, size=_next(size)))
            case mt.Window(size=None, low=low):
                yield from _with(rule, path, replace(node, low=_next(low)))
            case mt.SliceRange(start=start):
                yield from _with(rule, path, replace(node, start=_next(start)))
            case mt.Padding(low=low, high=high):
                shifted = mi.IndexOperation("-", high, mi.Number(1, 0), 0)
                yield from _with(rule, path, replace(node, low=_next(low), high=shifted))
            case _:
                continue


def _beheaded(operand: mt.Tensor, group: Name) -> mt.Tensor:
    whole = mt.SliceRange(mi.Number(1, 0), None, mi.Number(1, 0))
    return mt.Slice(operand, ((group, whole),), operand.type, operand.groups, 0)


def _next(index: mi.Index) -> mi.Index:
    return (Ix(index) + 1).node


OTHER_INITS = {"add": "1", "multiply": "2", "maximum": "0", "minimum": "0", "and": "false", "or": "true"}


def _inits(rule: Rule) -> Iterator[Rule]:
    for path, node in _nodes(rule):
        if isinstance(node, mt.Reduce | mt.ReduceWindow):
            if node.init is not None:
                yield from _with(rule, path, replace(node, init=None))
            elif node.monoid in OTHER_INITS:
                yield from _with(rule, path, replace(node, init=b.constant(OTHER_INITS[node.monoid], node.type)))


def _indices(rule: Rule) -> Iterator[Rule]:
    """An operand of the left side read from its end, or with groups of one rank class exchanged; paddings exchanged."""
    classes = {group.name: group.rank_class for group in rule.groups}
    for path, node in _nodes(rule):
        match node:
            case mt.TensorReference(groups=groups) if groups and path[0] == "left":
                alike = [(g, h) for g in groups for h in groups if g < h and classes[g] == classes[h]]
                for group, other in alike:
                    yield from _with(rule, path, b.transpose(node, {group: other, other: group}))
                if not alike:
                    yield from (each for group in groups for each in _with(rule, path, b.reverse(node, [group])))
            case mt.Padding(low=low, high=high) | mt.Window(low=low, high=high):
                yield from _with(rule, path, replace(node, low=high, high=low))
            case mt.Reverse(operand=operand):
                yield from _with(rule, path, operand)
            case mt.Convolution(reversed=reversed_):
                turned = () if reversed_ else tuple(group for group, _ in node.windows)
                yield from _with(rule, path, replace(node, reversed=turned))
            case _:
                continue


def _scales(rule: Rule) -> Iterator[Rule]:
    """A factor left out, where it is the same for all elements or does not depend on all their indices."""
    for path, node in _nodes(rule):
        if isinstance(node, mt.Pointwise) and node.operator == "multiply":
            for factor, rest in (node.operands, node.operands[::-1]):
                if rest.groups == node.groups and (not factor.groups or isinstance(factor, mt.Broadcast)):
                    yield from _with(rule, path, rest)


def _reducers(rule: Rule) -> Iterator[Rule]:
    """Another reducer in one place; and everywhere one that does not forgive repetitions, for one that does."""
    for path, node in _nodes(rule):
        if isinstance(node, mt.Reduce | mt.ReduceWindow):
            for other in monoids_instead_of(node.monoid):
                yield from _with(rule, path, replace(node, monoid=other))
    for monoid in ("maximum", "minimum"):
        changed = replace(rule, left=_summed(rule.left, monoid), right=_summed(rule.right, monoid))
        if has_reduction((changed.left, changed.right)):
            try:
                rebuilt(changed.left)
            except IllFormed:
                continue
            yield b.numbered(changed)


def _summed(value: Any, monoid: str) -> Any:
    """The expression with sums for all reductions, and for all operators, of this kind."""
    for path, node in reversed(list(nodes_of((), value))):
        match node:
            case mt.Reduce(monoid=found) | mt.ReduceWindow(monoid=found) if found == monoid:
                value = replaced(value, (*path, "monoid"), "add")
            case mt.Pointwise(operator=found) if found == monoid:
                value = replaced(value, (*path, "operator"), "add")
            case _:
                continue
    return value
