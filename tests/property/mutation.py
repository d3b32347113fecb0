"""One small change to a rule: a flipped operator, another attribute, a dropped precondition.

Owns the places at which a rule can be changed and what can stand there instead. A mutant is a well-formed rule; it may
still be true.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any, cast

from builders import IllFormed, numbered
from msgspec import Struct
from msgspec.structs import replace
from rebuilding import rebuilt, rebuilt_formula

from rewright.model import formula as mf
from rewright.model import index as mi
from rewright.model import rule as m
from rewright.model import tensor as mt
from rewright.model.operator_table import COMPARISONS, DECIDED, MONOIDS, ROWS
from rewright.model.rule import Extent
from rewright.model.types import Need
from rewright.verdict.codec import encode

Path = tuple[str | int, ...]


def instead_of(operator: str) -> tuple[str, ...]:
    """The decided operators on as many elements of the same kind that have a meaning wherever this one has."""
    row = ROWS[operator]
    return tuple(
        other.name
        for other in DECIDED
        if other is not row
        and (other.family, other.operands) == (row.family, row.operands)
        and (other.need is Need.LOGIC) == (row.need is Need.LOGIC)
        and (other.need is not Need.FRACTION or row.need is Need.FRACTION)
        and set(other.undecided_over) <= set(row.undecided_over)
    )


def monoids_instead_of(monoid: str) -> list[str]:
    """The other monoids of the table on elements of the same kind; none for one that the rule declares."""
    return [row.name for row in MONOIDS if monoid != mt.DECLARED and row.name in instead_of(monoid)]


def mutant(rule: m.Rule, rng: random.Random) -> m.Rule | None:
    """The rule with one random change; None if no well-formed one was found in a few attempts."""
    places = list(places_of(rule))
    for _ in range(40):
        path, node = rng.choice(places)
        changed = _changed(rule, path, node, rng)
        whole = None if changed is None else well_formed(changed)
        if whole is not None:
            return whole
    return None


def well_formed(changed: m.Rule) -> m.Rule | None:
    """The rule with groups, types and sites worked out again; None if it is no rule."""
    try:
        left, right = rebuilt(changed.left), rebuilt(changed.right)
        where = tuple(map(rebuilt_formula, changed.where))
    except (IllFormed, KeyError):
        return None
    if set(left.groups) != set(right.groups) or left.type != right.type:
        return None
    return numbered(replace(changed, left=left, right=right, where=where))


def rank_mutant(rule: m.Rule, rng: random.Random) -> m.Rule | None:
    """The rule with one change that rank 1 may not notice: of a quantifier, or of the ranks that a group may have."""
    changes: list[m.Rule] = []
    for path, node in places_of(rule):
        for other in _of_other_ranks(rule, path, node):
            changes.append(replaced(rule, path, other))
    return numbered(rng.choice(changes)) if changes else None


def _of_other_ranks(rule: m.Rule, path: Path, node: Any) -> list[Any]:
    match node:
        case mf.Quantified(quantifier=quantifier):
            return [replace(node, quantifier="every" if quantifier == "some" else "some")]
        case mf.IndexComparison(rank_class=class_) if class_ is not None and len(path) == 2 and path[0] == "where":
            return [mf.Quantified("some", class_, node, 0)]
        case mf.Negation(operand=mf.IndexComparison(operator="==") as inner):
            return [replace(inner, operator="!=")]
        case mt.Pointwise(operator="and", operands=(mt.Broadcast(operand=mt.Constant(text="false")), other)):
            return [other]
        case m.Group(extent=Extent.NONEMPTY):
            return [_with_extent(node, Extent.ANY)]
        case m.Group(name=name, extent=Extent.SINGLE) if not _needs_one_axis(rule, name):
            return [_with_extent(node, Extent.ANY)]
        case _:
            return []


def _class(rule: m.Rule, name: mi.Name) -> mi.Name:
    return next(group.rank_class for group in rule.groups if group.name == name)


def _is_single(rule: m.Rule, name: mi.Name) -> bool:
    return any(group.name == name and group.extent is Extent.SINGLE for group in rule.groups)


def _needs_one_axis(rule: m.Rule, group: mi.Name) -> bool:
    return has_product(rule) or any(
        isinstance(node, mt.Iota | mt.Concatenate) and node.axis == group for _, node in places_of(rule)
    )


def every_mutant(rule: m.Rule) -> list[m.Rule]:
    """The rule with each operator, attribute, precondition and assumption changed once where that makes sense, and
    each precondition and assumption dropped."""
    found: dict[str, m.Rule] = {canonical(rule): rule}
    for path, node in places_of(rule):
        if isinstance(node, m.Group) and node.extent is Extent.ANY:
            continue  # fewer ranks: what was true stays true
        for changed in _once(rule, path, node):
            found.setdefault(canonical(changed), changed)
    return list(found.values())[1:]


def canonical(rule: m.Rule) -> str:
    """A text that is the same for the same rule, whatever the numbers of its sites."""
    return re.sub(r'"site":\d+', "", encode(rule))


def _once(rule: m.Rule, path: Path, node: Any) -> Iterator[m.Rule]:
    """The mutants at one place: one where a node is replaced, one for each item of a list that is dropped."""
    if path in {("where",), ("assumptions",)}:
        dropped = [replaced(rule, path, (*node[:at], *node[at + 1 :])) for at in range(len(node))]
        yield from (changed for each in dropped if (changed := well_formed(each)) is not None)
        return
    rng = random.Random(f"{rule.name} {path}")
    choices = [other for other in _instead_of(rule, node) if other != node]
    rng.shuffle(choices)
    for other in choices:
        changed = well_formed(replaced(rule, path, other))
        if changed is not None and canonical(changed) != canonical(rule):
            yield changed
            return


def _changed(rule: m.Rule, path: Path, node: Any, rng: random.Random) -> m.Rule | None:
    if path in {("where",), ("assumptions",)}:
        kept = [item for item in node if item is not rng.choice(node)] if node else node
        return cast(m.Rule, replaced(rule, path, tuple(kept))) if node else None
    replacements = [other for other in _instead_of(rule, node) if other != node]
    return replaced(rule, path, rng.choice(replacements)) if replacements else None


def _instead_of(rule: m.Rule, node: Any) -> list[Any]:
    match node:
        case m.Group(extent=Extent.ANY):
            return [_with_extent(node, Extent.NONEMPTY)]
        case m.Group(extent=Extent.NONEMPTY):
            return [_with_extent(node, Extent.ANY)]
        case mi.Number(value=value):
            return [replace(node, value=value + 1), replace(node, value=value - 1)]
        case mi.MapReference(name=name, rank_class=class_):
            others = [other.name for other in rule.maps if other.rank_class == class_ and other.name != name]
            return [mi.IndexOperation(op, node, mi.Number(1, 0), 0) for op in ("+", "-")] + [
                replace(node, name=other) for other in others
            ]
        case mi.IndexOperation(operator=operator, left=left, right=right):
            flipped = {"+": "-", "-": "+", "min": "max", "max": "min"}.get(operator)
            return [left, right] + ([replace(node, operator=cast(Any, flipped))] if flipped else [])
        case mf.IndexComparison() | mf.ElementComparison():
            return [replace(node, operator=other) for other in ("<", "<=", "==", "!=", ">=", ">")]
        case mf.Conjunction(left=left, right=right):
            return [mf.Disjunction(left, right, 0), left, right]
        case mf.Disjunction(left=left, right=right):
            return [mf.Conjunction(left, right, 0), left, right]
        case mf.Negation(operand=operand):
            return [operand]
        case mf.Quantified(quantifier=quantifier):
            return [replace(node, quantifier="every" if quantifier == "some" else "some")]
        case _:
            return _tensors_instead_of(rule, node)


def _tensors_instead_of(rule: m.Rule, node: Any) -> list[Any]:
    match node:
        case mt.Pointwise(operator="select" | "clamp", operands=(a, b, c)):
            return [replace(node, operands=(a, c, b)), b]
        case mt.Pointwise(operator=operator, operands=(operand,)):
            return [operand, *(replace(node, operator=other) for other in instead_of(operator))]
        case mt.Apply(operands=operands, type=type_):
            types = [operand.type for operand in operands]
            others = [f for f in rule.functions if list(f.parameters) == types and f.result == type_]
            alike = [operand for operand in operands if operand.type == type_ and operand.groups == node.groups]
            turned = [replace(node, operands=operands[::-1])] if types == types[::-1] else []
            return [*(replace(node, function=f.name) for f in others), *turned, *alike]
        case mt.Pointwise(operator=operator, operands=operands):
            flips = [replace(node, operator=other) for other in instead_of(operator)]
            drops = [] if operator in COMPARISONS else [o for o in operands if o.groups == node.groups]
            return [*flips, replace(node, operands=operands[::-1]), *drops]
        case mt.Constant() | mt.ScalarReference() | mt.TensorReference():
            return _leaves_instead_of(rule, node)
        case mt.Reduce(monoid=monoid, init=init):
            reducers = [replace(node, monoid=other) for other in monoids_instead_of(monoid)]
            return [*reducers, *([replace(node, init=None)] if init else [])]
        case _:
            return _moved_instead_of(rule, node)


def _leaves_instead_of(rule: m.Rule, node: mt.Constant | mt.ScalarReference | mt.TensorReference) -> list[Any]:
    match node:
        case mt.Constant(text="true" | "false" as text):
            return [replace(node, text="false" if text == "true" else "true")]
        case mt.Constant(text="lowest" | "highest" as text):
            return [replace(node, text="highest" if text == "lowest" else "lowest")]
        case mt.Constant(text=text) if text.lstrip("-").isdigit():
            return [replace(node, text=str(int(text) + 1))]
        case mt.ScalarReference(type=type_):
            return [replace(node, name=s.name) for s in rule.scalars if s.type == type_]
        case mt.TensorReference(type=type_, groups=groups):
            alike = [t for t in rule.tensors if t.type == type_ and tuple(g for g, _ in t.shape) == groups]
            return [replace(node, name=t.name) for t in alike]
        case _:
            return []


def _moved_instead_of(rule: m.Rule, node: Any) -> list[Any]:
    match node:
        case mt.Reverse(operand=operand, reversed=groups):
            fewer = [tuple(g for g in groups if g != out) for out in groups if len(groups) > 1]
            others = [(other,) for other in operand.groups if other not in groups]
            return [operand] + [replace(node, reversed=each) for each in (*fewer, *others)]
        case mt.Transpose(operand=operand, renaming=renaming):
            turned = [new for _, new in renaming[1:]] + [new for _, new in renaming[:1]]
            other_way = tuple((old, new) for (old, _), new in zip(renaming, turned, strict=True))
            within = all(_class(rule, old) == _class(rule, new) for old, new in other_way)
            return [operand] + ([replace(node, renaming=other_way)] if within else [])
        case mt.Concatenate(operands=operands):
            without = [replace(node, operands=operands[1:])] if len(operands) > 1 else []
            return [replace(node, operands=operands[::-1]), *without]
        case mt.Iota(axis=axis, sizes=sizes):
            axes = [group for group, _ in sizes if group != axis and _is_single(rule, group)]
            return [replace(node, axis=other) for other in axes]
        case mt.Padding(low=low, high=high):
            return [replace(node, low=high, high=low)]
        case mt.Pad(operand=operand, paddings=attributes):
            shorter = [attributes[1:]] if len(attributes) > 1 else []
            return [replace(node, paddings=each) for each in (*shorter, *_regrouped(rule, operand, attributes))]
        case mt.Slice(operand=operand, ranges=attributes):
            return [replace(node, ranges=each) for each in _regrouped(rule, operand, attributes)]
        case _:
            return []


def _regrouped(rule: m.Rule, operand: mt.Tensor, attributes: tuple[tuple[mi.Name, Any], ...]) -> list[Any]:
    """The attributes with those of one group given to another of the same rank class."""
    classes = {group.name: group.rank_class for group in rule.groups}
    taken = {group for group, _ in attributes}
    return [
        tuple((other if group == old else group, each) for group, each in attributes)
        for old in taken
        for other in operand.groups
        if other not in taken and classes[other] == classes[old]
    ]


def _with_extent(group: m.Group, extent: Extent) -> m.Group:
    return replace(group, extent=extent)


def places_of(rule: m.Rule) -> Iterator[tuple[Path, Any]]:
    """Every node of the two sides, the preconditions and the assumptions, the lists of the latter, and the groups."""
    yield ("where",), rule.where
    yield ("assumptions",), rule.assumptions
    for part in ("left", "right", "where", "assumptions"):
        yield from nodes_of((part,), getattr(rule, part))
    if len({group.rank_class for group in rule.groups}) == len(rule.groups) and not has_product(rule):
        yield from ((("groups", at), group) for at, group in enumerate(rule.groups))


def has_product(rule: m.Rule) -> bool:
    """Whether the rule speaks of a product over axes, which is decided at every rank only for a single axis."""
    return '"Product"' in encode(rule)


def nodes_of(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    """Every node in a value that stands at a path, with its own path."""
    if isinstance(value, tuple):
        for at, item in enumerate(value):
            yield from nodes_of((*path, at), item)
    elif isinstance(value, Struct) and not isinstance(value, mt.ElementType):
        yield path, value
        for part in value.__struct_fields__:
            inner = getattr(value, part)
            if part not in {"groups", "type"} and not _cuts_nothing(part, inner):
                yield from nodes_of((*path, part), inner)


def _cuts_nothing(part: str, value: Any) -> bool:
    """Whether this says that a convolution's groups are not cut: those that are have to be single axes."""
    return part in {"feature_groups", "batch_groups"} and isinstance(value, mi.Number)


def replaced(value: Any, path: Path, new: Any) -> Any:
    """The value with the part at the path replaced."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return (*value[:step], replaced(value[step], rest, new), *value[step + 1 :])
    return replace(value, **{step: replaced(getattr(value, step), rest, new)})
