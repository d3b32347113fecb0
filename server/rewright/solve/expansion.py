"""Reductions for the solver: an unknown of their own, or spelled out up to a number of indices per axis."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from rewright.solve.builder import Expression
from rewright.terms.binding import OpenReduce, open_reduce
from rewright.terms.interning import subterms
from rewright.terms.node import Infinity, Reduce

if TYPE_CHECKING:
    from rewright.solve.encoding import Encoder


def reduction(encoder: Encoder, term: Reduce) -> Expression:
    """The expression of a reduction. Spelled out, it asserts that the ranges are as short as the query says."""
    if encoder.expand_to is None:
        return encoder.build.constant(f"reduce {term.digest.hex()}", encoder.sort(term.sort))
    part = open_reduce(term, max((index.number for index in encoder.opened), default=0))
    sizes = [[encoder(item.size, axis) for axis in encoder.axes(item.rank_class)] for item in part.ranges]
    limit = encoder.build.integer(encoder.expand_to)
    encoder.side.extend(encoder.build.at_least(limit, size) for axes in sizes for size in axes)
    terms = [_term(encoder, part, sizes, at) for at in _indices(sizes, encoder.expand_to)]
    return _combined(encoder, term, terms)


def _indices(sizes: list[list[Expression]], limit: int) -> list[tuple[int, ...]]:
    return list(product(range(limit), repeat=sum(map(len, sizes))))


def _term(
    encoder: Encoder, part: OpenReduce, sizes: list[list[Expression]], at: tuple[int, ...]
) -> tuple[Expression, Expression]:
    """Whether the index is in range, and the body there."""
    build, rest = encoder.build, list(at)
    inside: list[Expression] = []
    outer, epoch = dict(encoder.opened), encoder.epoch
    for index, axes in zip(part.indices, sizes, strict=True):
        values = [rest.pop(0) for _ in axes]
        inside += (build.less(build.integer(value), size) for value, size in zip(values, axes, strict=True))
        encoder.opened[index] = tuple(values)
    encoder.epochs += 1
    encoder.epoch = encoder.epochs
    body = encoder(part.body)
    encoder.opened, encoder.epoch = outer, epoch
    return build.every(inside), body


def _combined(encoder: Encoder, term: Reduce, terms: list[tuple[Expression, Expression]]) -> Expression:
    build = encoder.build
    if term.monoid == "and":
        return build.every([build.implies(inside, body) for inside, body in terms])
    result = _start(encoder, term)
    bounded = not any(isinstance(inner, Infinity) for inner in subterms(term.body))
    for inside, body in terms:
        match term.monoid:
            case "add":
                both = build.total([result, body])
            case "multiply":
                both = build.product([result, body])
            case _:
                both = encoder.extremum([result, body], greatest=term.monoid == "maximum")
                encoder.side.append(_beyond(encoder, term, body, strictly=bounded))
        result = build.either(inside, both, result)
    return result


def _start(encoder: Encoder, term: Reduce) -> Expression:
    match term.monoid:
        case "add" | "multiply":
            return encoder.number(int(term.monoid == "multiply"), term.sort)
        case _:
            return encoder.infinity(term.sort, positive=term.monoid == "minimum")


def _beyond(encoder: Encoder, term: Reduce, body: Expression, *, strictly: bool) -> Expression:
    """The body lies on the right side of the infinity that the reduction starts from."""
    bound = _start(encoder, term)
    low, high = (bound, body) if term.monoid == "maximum" else (body, bound)
    return encoder.build.less(low, high) if strictly else encoder.build.at_least(high, low)
