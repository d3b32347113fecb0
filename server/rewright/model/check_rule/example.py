"""`example { A = 2; n = [2, 5]; X = iota }`: an instance that is pinned.

Owns the step from assignments to `rule.Pinned`. Invariant: all values given for maps of one rank class have as many
entries as the class has axes. Whether the instance satisfies the rule's preconditions is found when it is replayed.
"""

from __future__ import annotations

from typing import TypeVar, assert_never

from msgspec import Struct, field

from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.scope import BrokenName, DeclaredTensor, Integer, Map
from rewright.model.index import Name
from rewright.model.rule import Extent, Group, Pinned, ScalarDeclaration
from rewright.model.tensor import ElementType
from rewright.model.types import Need, provides
from rewright.model.written import integer_of, kind_of, number_of
from rewright.syntax.nodes import Example, Expression, Keyed, ListExpr, Missing, Number, Positional, Unary
from rewright.syntax.nodes import Name as Written
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import CannotStandHere, NameTaken, PinnedAxes, PinnedRank, TakenBy

_LARGEST_RANK = 16
"""The axes that an example may have of a class; NumPy has arrays of up to 64 axes in all."""

_Value = TypeVar("_Value")


class _Values(Struct):
    """What was pinned so far."""

    ranks: dict[Name, int] = field(default_factory=dict)
    maps: dict[Name, tuple[int, ...]] = field(default_factory=dict)
    integers: dict[Name, int] = field(default_factory=dict)
    scalars: dict[Name, str] = field(default_factory=dict)
    tensors: dict[Name, tuple[str, ...] | None] = field(default_factory=dict)
    classes: dict[Name, int] = field(default_factory=dict)


def pinned(context: RuleContext, example: Example) -> Pinned | None:
    """The pinned instance; None if any part of it is wrong."""
    values = _Values()
    before = context.notes.errors
    assigned: dict[str, Span] = {}
    complete = True
    ranks_first = sorted(example.assignments, key=lambda each: not _is_group(context, each.name))
    for assignment in ranks_first:
        name = assignment.name
        if name.text in assigned:
            first = assigned[name.text]
            context.notes.error(NameTaken(name.text, TakenBy.DECLARATION), name.span, first=first)
            continue
        assigned[name.text] = name.span
        complete = _assign(context, assignment, values) and complete
    if not complete or context.notes.errors > before:
        return None
    return Pinned(
        tuple(values.ranks.items()),
        tuple(values.maps.items()),
        tuple(values.integers.items()),
        tuple(values.scalars.items()),
        tuple(values.tensors.items()),
        context.notes.site(example.span),
    )


def _is_group(context: RuleContext, name: Written) -> bool:
    entry = context.scope.entry(name.text)
    return entry is not None and isinstance(entry.meaning, Group)


def _assign(context: RuleContext, assignment: Keyed, values: _Values) -> bool:
    meaning = context.scope.look_up(assignment.name, "name")
    if isinstance(assignment.value, Missing):
        return False
    match meaning:
        case Group():
            return _rank(context, assignment, meaning, values)
        case Map():
            return _map(context, assignment, meaning, values)
        case Integer():
            number = _integer(context, assignment.value)
            return number is not None and _put(values.integers, assignment, number)
        case ScalarDeclaration(type=type_):
            text = _element(context, assignment.value, type_)
            return text is not None and _put(values.scalars, assignment, text)
        case DeclaredTensor(type=type_):
            return _tensor(context, (assignment, type_), values)
        case None | BrokenName():
            return False
        case other:
            expected = "an axis group, a map, an integer, a scalar or a tensor"
            context.scope.wrong_kind(assignment.name, other, expected)
            return False


def _put(into: dict[Name, _Value], assignment: Keyed, value: _Value) -> bool:
    into[Name(assignment.name.text)] = value
    return True


def _rank(context: RuleContext, assignment: Keyed, group: Group, values: _Values) -> bool:
    rank = _integer(context, assignment.value)
    if rank is None:
        return False
    lowest, highest = _ranks_of(group.extent)
    if not lowest <= rank <= highest:
        accepted = f"{lowest}" if lowest == highest else f"{lowest} to {highest}"
        context.notes.error(PinnedRank(assignment.name.text, rank, accepted), assignment.value.span)
        return False
    return _agree(context, assignment, group.rank_class, rank, values) and _put(values.ranks, assignment, rank)


def _ranks_of(extent: Extent) -> tuple[int, int]:
    match extent:
        case Extent.ANY:
            return 0, _LARGEST_RANK
        case Extent.NONEMPTY:
            return 1, _LARGEST_RANK
        case Extent.SINGLE:
            return 1, 1
        case _:
            assert_never(extent)


def _map(context: RuleContext, assignment: Keyed, meaning: Map, values: _Values) -> bool:
    """A list by axis, or one number for all axes (one axis, if the rank is not pinned)."""
    rank_class = meaning.declaration.rank_class
    if isinstance(assignment.value, ListExpr):
        given = [_integer(context, entry) for entry in _entries(context, assignment.value)]
    else:
        given = [_integer(context, assignment.value)] * values.classes.get(rank_class, 1)
    numbers = tuple(number for number in given if number is not None)
    if len(numbers) != len(given) or not _agree(context, assignment, rank_class, len(numbers), values):
        return False
    values.ranks.setdefault(rank_class, len(numbers))
    return _put(values.maps, assignment, numbers)


def _agree(context: RuleContext, assignment: Keyed, rank_class: Name, rank: int, values: _Values) -> bool:
    known = values.classes.setdefault(rank_class, rank)
    if known == rank:
        return True
    context.notes.error(PinnedAxes(assignment.name.text, rank_class, rank, known), assignment.value.span)
    return False


def _tensor(context: RuleContext, given: tuple[Keyed, ElementType], values: _Values) -> bool:
    assignment, type_ = given
    if isinstance(assignment.value, Written) and assignment.value.text == "iota":
        return _put(values.tensors, assignment, None)
    texts = _flat(context, assignment.value, type_)
    return texts is not None and _put(values.tensors, assignment, tuple(texts))


def _flat(context: RuleContext, node: Expression, type_: ElementType) -> list[str] | None:
    """The elements of nested lists, row-major."""
    if not isinstance(node, ListExpr):
        text = _element(context, node, type_)
        return None if text is None else [text]
    entries = _entries(context, node)
    parts = [_flat(context, entry, type_) for entry in entries]
    if any(part is None for part in parts):
        return None
    if len({(isinstance(entry, ListExpr), len(part or ())) for entry, part in zip(entries, parts, strict=True)}) > 1:
        context.notes.error(CannotStandHere("a ragged list", "rows of one length"), node.span)
        return None
    return [text for part in parts for text in part or ()]


def _entries(context: RuleContext, node: ListExpr) -> list[Expression]:
    for entry in node.entries:
        if not isinstance(entry, Positional):
            context.notes.error(CannotStandHere("this", "a number or a list of numbers"), entry.span)
    return [entry.value for entry in node.entries if isinstance(entry, Positional)]


def _integer(context: RuleContext, node: Expression) -> int | None:
    negative = isinstance(node, Unary) and node.operator == "-"
    literal = node.operand if isinstance(node, Unary) and negative else node
    value = integer_of(literal.text) if isinstance(literal, Number) else None
    if value is None:
        if not isinstance(node, Missing):
            context.notes.error(CannotStandHere(kind_of(node), "an integer"), node.span)
        return None
    return -value if negative else value


def _element(context: RuleContext, node: Expression, type_: ElementType) -> str | None:
    """The text of a number or a truth value; one that is none of the type's elements is reported."""
    if isinstance(node, Missing):
        return None
    text = _text_of(node)
    if text is None:
        context.notes.error(CannotStandHere(kind_of(node), "a number, `true`, `false` or a list"), node.span)
    elif not _is_element(context.types.constraint(type_) or "any", text):
        expected = f"an element of `{context.types.text(type_)}`"
        context.notes.error(CannotStandHere(f"`{text}`", expected), node.span)
    else:
        return text
    return None


def _text_of(node: Expression) -> str | None:
    if isinstance(node, Written):
        return node.text if node.text in {"true", "false"} else None
    negative = isinstance(node, Unary) and node.operator == "-"
    literal = node.operand if isinstance(node, Unary) and negative else node
    value = number_of(literal.text) if isinstance(literal, Number) else None
    return None if value is None else str(-value if negative else value)


def _is_element(constraint: str, text: str) -> bool:
    truth = text in {"true", "false"}
    match constraint:
        case "any":
            return True
        case "pred":
            return truth
        case "num":
            return not truth
        case _:
            return not truth and ("/" not in text or provides(constraint, Need.FRACTION))
