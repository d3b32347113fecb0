"""What StableHLO's comparisons and selections come to: of tensors, or of numbers that are known on each rank.

Owns masks of known numbers, by which tensors are selected piece by piece. Each raises `NotTaken` for a case that is not
taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from rewright.frontends.tensor_programs.attributes import word
from rewright.frontends.tensor_programs.building import Nodes
from rewright.frontends.tensor_programs.folding import TRUTH, by_rank, constant_of, each_shape, folded, listed
from rewright.frontends.tensor_programs.program import TensorOperation
from rewright.frontends.tensor_programs.values import Listed, NotTaken, RankNumbers, Splat, Tensor, Value


def compare(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """Of numbers that are known, or of tensors. Raises `NotTaken`."""
    words = operation.attributes.get("words", ())
    direction = words[0] if isinstance(words, tuple) and words else word(operation, "comparison_direction")
    found = operation.attributes.get("comparison_direction")
    if not isinstance(found, str) and found is not None:
        entries = getattr(found, "entries", ())
        direction = entries[-1] if entries else ""
    rows = [by_rank(each, [*given, RankNumbers((Fraction(0),) * nodes.mesh.count)]) for each in given]
    tests: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
        "EQ": Fraction.__eq__,
        "NE": lambda one, other: one != other,
        "LT": Fraction.__lt__,
        "LE": Fraction.__le__,
        "GT": Fraction.__gt__,
        "GE": Fraction.__ge__,
    }
    assert isinstance(direction, str)
    test = tests.get(direction)
    lists = [listed(each, each_shape(given[0])) for each in given]
    if test is not None and all(each is not None for each in lists):
        one, other = (each for each in lists if each is not None)
        truths = tuple(Fraction(test(a, b)) for a, b in zip(one, other, strict=True))
        return constant_of(truths, each_shape(given[0])) if truths else Splat(Fraction(0), each_shape(given[0]))
    if test is None:
        raise NotTaken("it is not said how it compares")
    if any(row is None for row in rows):
        operands = [nodes.tensor(each) for each in given]
        if any(nodes.kind(each) == "truth" for each in operands):
            raise NotTaken("it is on truth values")
        return nodes.elementwise(direction.lower(), operands)
    one, other = (row for row in rows if row is not None)
    return RankNumbers(tuple(Fraction(test(a, b)) for a, b in zip(one, other, strict=True)), shape)


def select(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """By a number that each rank computes of its own, or by a tensor of truth values. Raises `NotTaken`."""
    if isinstance(given[0], Tensor):
        if nodes.kind(given[0]) != "truth":
            raise NotTaken("it selects by no truth values")
        chosen_of = [nodes.tensor(each) for each in given[1:]]
        if any(nodes.kind(each) == "truth" for each in chosen_of):
            raise NotTaken("it is on truth values")
        return nodes.elementwise(
            "select", [nodes.spread(given[0], (), shape) if not given[0].shape else given[0], *chosen_of]
        )
    if isinstance(given[0], Splat) and isinstance(given[0].number, Fraction):
        return given[1] if given[0].number else given[2]
    if isinstance(given[0], Listed):
        return _masked(nodes, given[0], given[1:], shape)
    chosen = by_rank(given[0], [RankNumbers((Fraction(0),) * nodes.mesh.count)])
    if chosen is None:
        raise NotTaken("it selects by a tensor")
    if len(set(chosen)) == 1:
        return given[1] if chosen[0] else given[2]
    rows = [by_rank(each, [RankNumbers(chosen)]) for each in given[1:]]
    if all(row is not None for row in rows):
        one, other = (row for row in rows if row is not None)
        return RankNumbers(tuple(a if c else b for c, a, b in zip(chosen, one, other, strict=True)), shape)
    mask = nodes.spread(nodes.tensor(RankNumbers(chosen)), (), shape)
    rest = nodes.spread(nodes.tensor(RankNumbers(tuple(1 - each for each in chosen))), (), shape)
    taken = nodes.elementwise("multiply", [mask, nodes.tensor(given[1])])
    left = nodes.elementwise("multiply", [rest, nodes.tensor(given[2])])
    return nodes.elementwise("add", [taken, left])


def logical(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """Of truth values, or of the bits of numbers that are known. Raises `NotTaken`."""
    name, is_truth = operation.name.partition(".")[2], operation.types[0].element in TRUTH
    found = folded(name, given, integral=True) if is_truth or name != "not" else None
    if found is not None:
        return found
    if not is_truth:
        raise NotTaken("it is on no truth values")
    for one, other in (given, given[::-1]) if len(given) == 2 else ():
        if isinstance(one, Splat) and one.number in (0, 1):
            return other if (one.number == 1) == (name == "and") else one
    operands = [each for each in given if isinstance(each, Tensor) and nodes.kind(each) == "truth"]
    if len(operands) < len(given):
        raise NotTaken("it is on truth values that only some ranks or places have")
    return nodes.elementwise(name, operands)


def _masked(nodes: Nodes, mask: Listed, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """One tensor where a constant is 1, another one where it is 0. Raises `NotTaken`."""
    lists = [listed(each, shape) for each in (mask, *given)]
    if all(each is not None for each in lists):
        chosen, one, other = (each for each in lists if each is not None)
        return constant_of(tuple(a if c else b for c, a, b in zip(chosen, one, other, strict=True)), shape)
    rest = Listed(tuple(1 - each for each in mask.numbers), mask.shape)
    parts = [
        nodes.elementwise("multiply", [nodes.tensor(each), nodes.tensor(value)])
        for each, value in zip((mask, rest), given, strict=True)
    ]
    return nodes.elementwise("add", parts)
