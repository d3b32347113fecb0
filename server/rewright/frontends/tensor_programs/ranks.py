"""Ranks of a mesh: their numbers, groups of them as mesh axes, and numbers that they compute as offsets.

Must not know operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import gcd, lcm, prod

from msgspec import Struct

from rewright.frontends.tensor_programs.program import Mesh
from rewright.model.graph import MeshAxis
from rewright.model.index import Index, IndexOperation, IntegerReference, Name, Number

Groups = tuple[tuple[int, ...], ...]
"""Ranks by their numbers, each group in its order."""

MOST_AXES = 5
"""Axes of a mesh whose orders are tried."""

MOST_WRAPPED = 16
"""Ranks along an axis on which a number may depend in whatever way."""


class RankMesh(Struct, frozen=True):
    """A mesh: rank `r` has the coordinates of `r`, the last axis fastest."""

    axes: Mesh

    @property
    def count(self) -> int:
        """How many ranks there are."""
        return prod(size for _, size in self.axes)

    def model(self) -> tuple[MeshAxis, ...]:
        """The axes as a graph has them."""
        return tuple(MeshAxis(Name(name), size) for name, size in self.axes)

    def coordinates(self) -> list[tuple[int, ...]]:
        """Those of each rank."""
        return list(product(*(range(size) for _, size in self.axes)))

    def axes_of(self, groups: Groups, ordered: bool) -> tuple[Name, ...] | None:
        """The axes along which these groups lie, None if they lie along none; without groups all ranks are one.

        Whether the order within a group counts is said by `ordered`.
        """
        needed = _canonical(groups or (tuple(range(self.count)),), ordered)
        size = len(needed[0])
        for many in range(len(self.axes) + 1):
            for places in permutations(range(len(self.axes)), many):
                if prod(self.axes[place][1] for place in places) != size:
                    continue
                if _canonical(self.groups(places), ordered) == needed:
                    return tuple(Name(self.axes[place][0]) for place in places)
        return None

    def groups(self, places: Sequence[int]) -> Groups:
        """The groups of ranks that differ along the axes at these places only, the last of these fastest."""
        numbers = {at: number for number, at in enumerate(self.coordinates())}
        found = []
        for at in numbers:
            if all(at[place] == 0 for place in places):
                group = []
                for along in product(*(range(self.axes[place][1]) for place in places)):
                    other = list(at)
                    for place, coordinate in zip(places, along, strict=True):
                        other[place] = coordinate
                    group.append(numbers[tuple(other)])
                found.append(tuple(group))
        return tuple(found)

    def pairs_of(self, pairs: Sequence[tuple[int, int]]) -> tuple[Name, tuple[tuple[int, int], ...]] | None:
        """Pairs of ranks as an axis and coordinates on it, alike wherever else the ranks are; None if they are not."""
        at = self.coordinates()
        if any(not 0 <= each < len(at) for pair in pairs for each in pair):
            return None
        for place, (name, size) in enumerate(self.axes):
            by_rest: dict[tuple[int, ...], set[tuple[int, int]]] = {}
            for one, other in pairs:
                if at[one][:place] + at[one][place + 1 :] != at[other][:place] + at[other][place + 1 :]:
                    break
                rest = at[one][:place] + at[one][place + 1 :]
                by_rest.setdefault(rest, set()).add((at[one][place], at[other][place]))
            else:
                found = {tuple(sorted(each)) for each in by_rest.values()}
                if len(found) == 1 and len(by_rest) * size == self.count:
                    return Name(name), found.pop()
        return None

    def index_of(self, numbers: Sequence[Fraction], site: int) -> Index | None:
        """An expression in the rank's coordinates that has these values; None if none is found.

        >>> mesh = RankMesh((("tp", 4),))
        >>> mesh.index_of([Fraction(2 * rank) for rank in range(4)], 0).operator
        '*'
        """
        if any(each.denominator != 1 for each in numbers):
            return None
        at = self.coordinates()
        by_place = dict(zip(at, numbers, strict=True))
        origin = by_place[tuple(0 for _ in self.axes)]
        parts: list[dict[int, Fraction]] = []
        for place, (_, size) in enumerate(self.axes):
            own = [by_place[tuple(k if each == place else 0 for each in range(len(self.axes)))] for k in range(size)]
            if size > MOST_WRAPPED and any(own[k] - own[0] != k * (own[1] - own[0]) for k in range(size)):
                return None
            parts.append(_polynomial([each - origin for each in own]))
        for each, value in by_place.items():
            total = origin + sum(
                (sum((c * each[k] ** power for power, c in part.items()), Fraction(0)) for k, part in enumerate(parts)),
                Fraction(0),
            )
            if total != value:
                return None
        return _expression(origin, parts, [Name(name) for name, _ in self.axes], site)


def _canonical(groups: Groups, ordered: bool) -> list[tuple[int, ...]]:
    return sorted(each if ordered else tuple(sorted(each)) for each in groups)


def _polynomial(values: Sequence[Fraction]) -> dict[int, Fraction]:
    """The coefficients, by power, of the polynomial of least degree that has these values at 0, 1, 2, …"""
    differences, row = [], list(values)
    while row:
        differences.append(row[0])
        row = [after - before for before, after in pairwise(row)]
    # Newton's form: sum of differences[k] * x (x - 1) … (x - k + 1) / k!
    total: dict[int, Fraction] = {}
    basis: dict[int, Fraction] = {0: Fraction(1)}
    for k, each in enumerate(differences):
        for power, c in basis.items():
            total[power] = total.get(power, Fraction(0)) + each * c
        step: dict[int, Fraction] = {}
        for power, c in basis.items():
            step[power + 1] = step.get(power + 1, Fraction(0)) + c / (k + 1)
            step[power] = step.get(power, Fraction(0)) - c * k / (k + 1)
        basis = step
    return {power: c for power, c in total.items() if c}


def _expression(origin: Fraction, parts: Sequence[dict[int, Fraction]], names: Sequence[Name], site: int) -> Index:
    common = lcm(*(c.denominator for part in parts for c in part.values())) if any(parts) else 1
    found: Index | None = Number(int(origin * common), site) if origin or not any(parts) else None
    for part, name in zip(parts, names, strict=True):
        for power, c in sorted(part.items()):
            term: Index = IntegerReference(name, site)
            for _ in range(power - 1):
                term = IndexOperation("*", term, IntegerReference(name, site), site)
            times = int(c * common)
            if abs(times) != 1:
                term = IndexOperation("*", Number(abs(times), site), term, site)
            if found is None:
                found = term if times > 0 else IndexOperation("-", Number(0, site), term, site)
            else:
                found = IndexOperation("+" if times > 0 else "-", found, term, site)
    assert found is not None
    return found if common == 1 else IndexOperation("//", found, Number(common, site), site)


def common_mesh(factors: Sequence[tuple[int, ...]], name: Callable[[int], str]) -> Mesh | None:
    """The coarsest mesh of which each way to cut the ranks into rows is a view; None if there is none.

    >>> common_mesh([(2, 4), (8,), (4, 2)], "axis_{}".format)
    (('axis_0', 2), ('axis_1', 2), ('axis_2', 2))
    """
    cuts = {prod(each[:k]) for each in factors for k in range(len(each) + 1)}
    ordered = sorted(cuts)
    sizes = []
    for low, high in pairwise(ordered):
        if high % low or gcd(low, high) != low:
            return None
        sizes.append(high // low)
    return tuple((name(number), size) for number, size in enumerate(sizes))
