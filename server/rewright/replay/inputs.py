"""One concrete input of a rule, looked up by name.

Owns the step from a `verdict.Instance` (text) to exact values, and the checks that make it an input at all: ranks that
the rank classes allow, a value for everything declared, declared sizes that are not negative and fit the contents.
Must not know preconditions or what the two sides compute.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct, field

from rewright.model.index import Name
from rewright.model.rule import Extent, FunctionDeclaration, Rule, RuleQuestion, TensorDeclaration
from rewright.replay.arrays import Array, from_flat, tensor_value
from rewright.replay.elements import Element, domain_of, element_text, read_element
from rewright.replay.functions import FunctionTable, function_value, read_function
from rewright.verdict import FunctionValue, Instance, TensorValue

Value = TypeVar("Value")


class Excluded(Exception):
    """The instance is none that the rule speaks of; the text says why."""


class Undetermined(Excluded):
    """Enclosures do not tell whether the rule speaks of the instance."""


class Inputs(Struct, frozen=True, eq=False):
    """Values by name. `ranks` knows every axis group, so every rank class too (it is named after its first group).

    `bound` has the index at which an assumption is read: for each group that it binds one integer per axis.
    """

    ranks: Mapping[Name, int]
    maps: Mapping[Name, tuple[int, ...]]
    integers: Mapping[Name, int]
    scalars: Mapping[Name, Element]
    tensors: Mapping[Name, Array]
    functions: Mapping[Name, FunctionTable]
    domain: Mapping[Name, str]
    bound: Mapping[Name, tuple[int, ...]] = field(default_factory=dict)


def read_instance(question: RuleQuestion, instance: Instance) -> Inputs:
    """The values of an instance. Raises `Excluded` where one is missing or does not fit the rule's declarations."""
    rule, domain = question.rule, dict(question.domain)
    ranks = read_ranks(rule, instance)
    # A tensor without groups is among the tensors where an input is shown, among the scalars elsewhere.
    single = [(name, tensor.data[0]) for name, tensor in instance.tensors if not tensor.shape and tensor.data]
    elements = (*instance.scalars, *single)
    return Inputs(
        ranks=ranks,
        maps=_read_maps(rule, ranks, instance),
        integers={name: _given(instance.integers, name) for name in rule.integers},
        scalars={
            scalar.name: _read(_given(elements, scalar.name), domain_of(scalar.type, domain)) for scalar in rule.scalars
        },
        tensors={
            tensor.name: _read_tensor(tensor, _given(instance.tensors, tensor.name), domain) for tensor in rule.tensors
        },
        functions={declared.name: _read_function(declared, instance, domain) for declared in rule.functions},
        domain=domain,
    )


def write_instance(rule: Rule, inputs: Inputs) -> Instance:
    """The instance that `read_instance` reads as these inputs."""
    return Instance(
        ranks=tuple((group.name, inputs.ranks[group.name]) for group in rule.groups),
        maps=tuple((declared.name, inputs.maps[declared.name]) for declared in rule.maps),
        integers=tuple((name, inputs.integers[name]) for name in rule.integers),
        scalars=tuple((scalar.name, element_text(inputs.scalars[scalar.name])) for scalar in rule.scalars),
        tensors=tuple((tensor.name, tensor_value(inputs.tensors[tensor.name])) for tensor in rule.tensors),
        functions=tuple((fn.name, function_value(inputs.functions[fn.name])) for fn in rule.functions),
    )


def read_ranks(rule: Rule, instance: Instance) -> dict[Name, int]:
    """The rank of every axis group. Raises `Excluded` for one that its class does not allow."""
    ranks = {group.name: _given(instance.ranks, group.name) for group in rule.groups}
    for group in rule.groups:
        rank = ranks[group.name]
        if rank != ranks[group.rank_class]:
            raise Excluded(f"`{group.name}` and `{group.rank_class}` have one rank, got {rank} and another")
        if not allows(group.extent, rank):
            raise Excluded(f"`{group.name}` cannot have rank {rank}")
    return ranks


def allows(extent: Extent, rank: int) -> bool:
    """Whether a rank class of this extent may have that rank."""
    match extent:
        case Extent.ANY:
            return rank >= 0
        case Extent.NONEMPTY:
            return rank >= 1
        case Extent.SINGLE:
            return rank == 1


def _read_maps(rule: Rule, ranks: Mapping[Name, int], instance: Instance) -> dict[Name, tuple[int, ...]]:
    maps = {declared.name: _given(instance.maps, declared.name) for declared in rule.maps}
    for declared in rule.maps:
        if len(maps[declared.name]) != ranks[declared.rank_class]:
            raise Excluded(f"`{declared.name}` needs one integer for each axis, got {list(maps[declared.name])}")
    return maps


def _read_tensor(declared: TensorDeclaration, value: TensorValue, domain: Mapping[Name, str]) -> Array:
    elements = [_read(text, domain_of(declared.type, domain)) for text in value.data]
    if any(size < 0 for size in value.shape):
        raise Excluded(f"`{declared.name}` has a negative size")
    try:
        data = from_flat(value.shape, elements)
    except ValueError:
        raise Excluded(f"`{declared.name}` has {len(elements)} elements for the shape {list(value.shape)}") from None
    return Array(tuple(group for group, _ in declared.shape), data)


def _read_function(declared: FunctionDeclaration, instance: Instance, domain: Mapping[Name, str]) -> FunctionTable:
    """The table of a declared function; one that the instance does not list has no entries."""
    value: FunctionValue = dict(instance.functions).get(declared.name, ())
    types = (*declared.parameters, declared.result)
    try:
        return read_function(declared, value, tuple(domain_of(type_, domain) for type_ in types))
    except ValueError as error:
        raise Excluded(str(error)) from error


def _read(text: str, domain: str) -> Element:
    try:
        return read_element(text, domain)
    except ValueError as error:
        raise Excluded(str(error)) from error


def _given(pairs: tuple[tuple[str, Value], ...], name: str) -> Value:
    for other, value in pairs:
        if other == name:
            return value
    raise Excluded(f"no value for `{name}`")
