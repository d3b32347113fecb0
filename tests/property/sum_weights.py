"""Weights of addresses by counting: what the canonical form of a summand has to agree with.

Owns a plain reading of summands and fibres at one rank vector: every unknown a number per axis of its class, every
hidden one runs through a box. Classes are looked at one axis after the other, since no condition speaks of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.terms import node as t
from rewright.terms import subterms

BOX = range(-6, 30)
Known = dict[t.Variable, int]


@dataclass(frozen=True)
class Place:
    """A rank vector and a value for every unknown that is not hidden, by axis (0 for single ones)."""

    ranks: Mapping[str, int]
    values: dict[tuple[t.Variable, int], int] = field(default_factory=dict)

    def on(self, axis: int) -> Known:
        return {u: value for (u, at), value in self.values.items() if u.rank_class is None or at == axis}

    def rank(self, rank_class: str | None) -> int:
        return 1 if rank_class is None else self.ranks[rank_class]


def holds(facts: Sequence[Fact], place: Place) -> bool:
    """Whether conditions hold on every axis of their classes."""
    return all(value(part, place.on(axis)) for home, part in facts for axis in range(place.rank(home or None)))


def weight(
    hidden: Sequence[t.Variable], conditions: Sequence[Fact], weights: Mapping[str, t.Term], place: Place
) -> Fraction:
    """The sum of the product of weights over all values of the hidden unknowns that satisfy the conditions."""
    total = Fraction(0)
    single = [unknown for unknown in hidden if unknown.rank_class is None]
    parts = [part for home, part in conditions if home == EVERYWHERE]
    for known in _solutions(single, parts, place.on(0)):
        product = Fraction(value(weights[EVERYWHERE], known)) if EVERYWHERE in weights else Fraction(1)
        chosen = {unknown: known[unknown] for unknown in single}
        for rank_class, rank in place.ranks.items():
            mine = [unknown for unknown in hidden if unknown.rank_class == rank_class]
            there = [part for home, part in conditions if home == rank_class]
            for axis in range(rank):
                found = _solutions(mine, there, {**place.on(axis), **chosen})
                product *= sum((_weight(weights.get(rank_class), inner) for inner in found), Fraction(0))
        total += product
    return total


def _weight(term: t.Term | None, known: Known) -> Fraction:
    return Fraction(1 if term is None else value(term, known))


def _solutions(hidden: Sequence[t.Variable], parts: Sequence[t.Term], known: Known) -> Iterator[Known]:
    """The values of the hidden unknowns in the box at which every part holds."""
    ready = [part for part in parts if not any(u in hidden for u in _unknowns(part))]
    if not all(value(part, known) for part in ready):
        return
    if not hidden:
        yield known
        return
    first, *others = hidden
    rest = [part for part in parts if part not in ready]
    for number in BOX:
        yield from _solutions(others, rest, {**known, first: number})


@lru_cache(maxsize=4096)
def _unknowns(term: t.Term) -> tuple[t.Variable, ...]:
    return tuple(inner for inner in subterms(term) if isinstance(inner, t.Variable))


@lru_cache(maxsize=4096)
def _compiled(term: t.Term) -> Callable[..., Any]:
    names = {unknown: f"v{place}" for place, unknown in enumerate(_unknowns(term))}
    compiled: Callable[..., Any] = eval(f"lambda {', '.join(names.values())}: {_source(term, names)}")
    return compiled


def value(term: t.Term, known: Known) -> Any:
    """The value of an index or a truth about one axis."""
    return _compiled(term)(*(known[unknown] for unknown in _unknowns(term)))


def _source(term: t.Term, names: Mapping[t.Variable, str]) -> str:
    """The term as an expression of Python."""
    match term:
        case t.Variable():
            return names[term]
        case t.Number(value=number):
            return repr(number)
        case t.Polynomial(monomials=monomials):
            parts = [
                " * ".join([f"({factor!r})", *(f"{_source(atom, names)} ** {power}" for atom, power in m)])
                for m, factor in monomials
            ]
            return f"({' + '.join(parts)})"
        case t.FloorDivide(left=left, right=right):
            return f"(lambda a, b: a // b if b else 0)({_source(left, names)}, {_source(right, names)})"
        case t.Extremum(greatest=greatest, operands=operands):
            return f"{'max' if greatest else 'min'}({', '.join(_source(operand, names) for operand in operands)})"
        case t.NonNegative(polynomial=polynomial):
            return f"({_source(polynomial, names)} >= 0)"
        case t.Zero(polynomial=polynomial):
            return f"({_source(polynomial, names)} == 0)"
        case t.Not(operand=operand):
            return f"(not {_source(operand, names)})"
        case t.And(operands=operands):
            return f"({' and '.join(_source(operand, names) for operand in operands)})"
        case t.Constant(value=truth):
            return repr(truth)
        case _:
            raise TypeError(type(term).__name__)
