"""How an operator would be called with what a rule has declared.

Invariant: a call that is given here is of the language and fits the types and groups of its operands; where the rule
has nothing that fits, there is none. Must not know what the call is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from rewright.model.operators import Family, Operator
from rewright.model.types import Need
from rewright.writing.scope import NamedTensor, RuleNames

Arguments = tuple[str, ...]
"""The arguments of a call, each a text; a part that is a place of a snippet stands between two `\\0`."""


def arguments(operator: Operator, scope: RuleNames) -> Arguments | None:
    """Arguments for a call of the operator, None where nothing fits."""
    if operator.family is Family.NAMES_ONLY:
        return next(((_place(tensor.name),) for tensor in scope.tensors.values()), None)
    made = _BUILDERS.get(operator.family, _elementwise)
    return made(operator, scope)


def _place(text: str) -> str:
    return f"\0{text}\0"


def _fitting(scope: RuleNames, need: Need | None) -> Iterator[NamedTensor]:
    """The tensors whose elements have what is needed; one without groups is a scalar."""
    return (each for each in scope.tensors.values() if each.sizes and scope.has(each.type, need))


def _alike(scope: RuleNames, tensor: NamedTensor) -> NamedTensor:
    """A second tensor with the type, groups and sizes of the first, or the first again."""
    same = (each for each in scope.tensors.values() if (each.type, each.sizes) == (tensor.type, tensor.sizes))
    return next((each for each in same if each.name != tensor.name), tensor)


def _truths(scope: RuleNames, tensor: NamedTensor) -> str | None:
    """A condition of the groups of a tensor: a tensor of truths, or a comparison."""
    known = (each.name for each in scope.tensors.values() if each.type == "pred" and each.groups == tensor.groups)
    compared = f"{tensor.name} == {_alike(scope, tensor).name}" if scope.has(tensor.type, Need.EQUALITY) else None
    return next(known, compared)


def _element(scope: RuleNames, type_: str) -> str | None:
    """A scalar of a type: one that is declared, or a literal."""
    declared = next((name for name, of in scope.scalars.items() if of == type_), None)
    literal = "0" if scope.has(type_, Need.NUMBER) else "true" if type_ == "pred" else None
    return declared or literal


def _size(scope: RuleNames, group: str) -> str:
    return next(iter(scope.maps_on(group)), "1")


def _elementwise(operator: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, operator.need):
        operands = (tensor, _alike(scope, tensor))[: operator.operands or 1]
        return tuple(_place(each.name) for each in operands)
    return None


def _select(operator: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, operator.need):
        condition = _truths(scope, tensor)
        if condition is not None:
            return tuple(map(_place, (condition, tensor.name, _alike(scope, tensor).name)))
    return None


def _clamp(operator: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, operator.need):
        bound = _element(scope, tensor.type)
        if bound is not None:
            return _place(bound), _place(tensor.name), _place(bound)
    return None


def _broadcast(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        for group in scope.groups:
            if group not in tensor.sizes:
                return _place(tensor.name), f"{_place(group)}: {_place(_size(scope, group))}"
    known = (_element(scope, type_) for type_ in (*scope.types, "int"))
    literal, new = next(filter(None, known), None), next(iter(scope.groups), None)
    if literal is None or new is None:
        return None
    return _place(literal), f"{_place(new)}: {_place(_size(scope, new))}"


def _iota(operator: Operator, scope: RuleNames) -> Arguments | None:
    axis = next((group.name for group in scope.groups.values() if group.single), None)
    type_ = next((name for name in scope.types if scope.has(name, operator.need)), "int")
    return None if axis is None else (_place(type_), _place(axis), f"{axis}: {_place(_size(scope, axis))}")


def _by_group(tensor: NamedTensor, *values: str) -> str:
    """The attributes of a tensor's group: by position where it has one group, for its first group where more."""
    group = tensor.groups[0]
    given = ", ".join(map(_place, values))
    if len(tensor.sizes) == 1:
        return given
    return f"{_place(group)}: ({given})" if ", " in given else f"{_place(group)}: {given}"


def _slice(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        return _place(tensor.name), _by_group(tensor, "0", tensor.sizes[tensor.groups[0]])
    return None


def _update(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        return _place(tensor.name), _place(_alike(scope, tensor).name), _by_group(tensor, "0")
    return None


def _pad(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        value = _element(scope, tensor.type)
        if value is not None:
            return _place(tensor.name), _place(value), _by_group(tensor, "0", "0")
    return None


def _concatenate(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        for group in tensor.sizes:
            known = scope.groups.get(group)
            if known is not None and known.single:
                return _place(tensor.name), _place(_alike(scope, tensor).name), _place(group)
    return None


def _of_one_group(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        return _place(tensor.name), _place(tensor.groups[0])
    return None


def _transpose(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        for source in tensor.sizes:
            for target in _of_its_class(scope, source):
                back = (f"{target} -> {source}",) if target in tensor.sizes else ()
                return _place(tensor.name), f"{source} -> {target}", *back
    return None


def _of_its_class(scope: RuleNames, group: str) -> Iterator[str]:
    known = scope.groups.get(group)
    for other in scope.groups.values():
        if known is not None and other.rank_class == known.rank_class and other.name != group:
            yield other.name


def _reshape(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        for group in scope.groups:
            if group not in tensor.sizes:
                return _place(tensor.name), f"[] -> {_place(group)}"
        return _place(tensor.name), f"{_place(tensor.groups[0])} -> []"
    return None


def _bitcast(_: Operator, scope: RuleNames) -> Arguments | None:
    singles = [group.name for group in scope.groups.values() if group.single]
    for tensor in _fitting(scope, None):
        for source in (group for group in tensor.groups if group in singles):
            for target in (name for name in singles if name not in tensor.sizes):
                return _place(tensor.name), f"[{source}] -> [{_place(target)}]"
    return None


def _reducer(scope: RuleNames, type_: str) -> str | None:
    if scope.has(type_, Need.NUMBER):
        return "add"
    if scope.constraint(type_) == "pred":
        return "max"
    return next((name for name, of in scope.monoids.items() if of == type_), None)


def _reduce(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        reducer = _reducer(scope, tensor.type)
        if reducer is not None:
            return _place(reducer), _place(tensor.name), _place(tensor.groups[0])
    return None


def _reduce_window(_: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, None):
        reducer = _reducer(scope, tensor.type)
        if reducer is not None:
            return _place(reducer), _place(tensor.name), f"{_place(tensor.groups[0])}: (size = {_place('2')})"
    return None


def _dot(operator: Operator, scope: RuleNames) -> Arguments | None:
    for tensor in _fitting(scope, operator.need):
        other = _alike(scope, tensor)
        contracted, *kept = tensor.groups
        batch = f"[{', '.join(kept)}]" if len(kept) > 1 else "".join(kept)
        given = (f"contract = {_place(contracted)}", *((f"batch = {_place(batch)}",) if kept else ()))
        return _place(tensor.name), _place(other.name), *given
    return None


def _convolution(operator: Operator, scope: RuleNames) -> Arguments | None:
    """Of two tensors that have a group in common; the others are batches and output features."""
    for left in _fitting(scope, operator.need):
        for right in _fitting(scope, operator.need):
            common = [group for group in left.groups if group in right.sizes]
            if left.type == right.type and common:
                own = (
                    ("batch", [group for group in left.groups if group not in common]),
                    ("feature", common[:1]),
                    ("output", [group for group in right.groups if group not in common]),
                )
                roles = (f"{role} = {_listed(groups)}" for role, groups in own if groups)
                return _place(left.name), _place(right.name), *roles
    return None


def _listed(groups: list[str]) -> str:
    return _place(f"[{', '.join(groups)}]" if len(groups) > 1 else groups[0])


_BUILDERS: Final[Mapping[Family, Callable[[Operator, RuleNames], Arguments | None]]] = MappingProxyType(
    {
        Family.SELECT: _select,
        Family.CLAMP: _clamp,
        Family.BROADCAST: _broadcast,
        Family.IOTA: _iota,
        Family.SLICE: _slice,
        Family.DYNAMIC_SLICE: _slice,
        Family.DYNAMIC_UPDATE_SLICE: _update,
        Family.PAD: _pad,
        Family.CONCATENATE: _concatenate,
        Family.REVERSE: _of_one_group,
        Family.TRANSPOSE: _transpose,
        Family.RESHAPE: _reshape,
        Family.BITCAST: _bitcast,
        Family.REDUCE: _reduce,
        Family.DOT: _dot,
        Family.REDUCE_WINDOW: _reduce_window,
        Family.CONVOLUTION: _convolution,
    }
)
"""How operators are called that move, make or combine data; all others take operands alone."""
