"""Do inequalities contradict each other? Exact linear arithmetic, every monomial an unknown of its own.

Owns the search for Farkas' certificate by the simplex method in integers: each row of the table may be a positive
multiple of what it stands for. Invariant: "yes" comes with multipliers that were found, so it is sound for the integers
and the reals; "no" over monomials may be wrong for what they stand for. Source: Schrijver, Theory of Linear and Integer
Programming, sections 7.8 and 11.
"""

from __future__ import annotations

from math import gcd, lcm

from rewright.terms.polynomial import Sum

PIVOTS = 120
"""So many steps are taken at most; Bland's rule excludes cycles, not long walks. The library's take 53 at most."""

LARGE = 1 << 60
"""A row with a number beyond is divided by the common divisor of all, lest numbers grow with every step."""

RIGHT = -1
"""The place of a row's right side."""

Row = dict[int, int]


def contradictory(inequalities: list[Sum], equations: list[Sum]) -> bool:
    """Whether non-negative multiples of the inequalities (p >= 0) and multiples of the equations sum up to −1."""
    columns = [*inequalities, *equations, *({m: -value for m, value in sum_.items()} for sum_ in equations)]
    rows: dict[object, Row] = {(): {}}
    for place, column in enumerate(_occurring(columns)):
        bottom = lcm(*(factor.denominator for factor in column.values()))
        for monomial, factor in column.items():
            rows.setdefault(monomial, {})[place] = int(factor * bottom)
    return _feasible([rows.pop(()), *rows.values()])


def _occurring(columns: list[Sum]) -> list[Sum]:
    """The sums without those that have a monomial which no other sum can cancel."""
    counts: dict[object, list[int]] = {}
    for column in columns:
        for monomial, factor in column.items():
            counts.setdefault(monomial, [0, 0])[factor > 0] += 1
    counts[()] = [1, 1]
    while True:
        kept = []
        for column in columns:
            if all(all(counts[monomial]) for monomial in column):
                kept.append(column)
                continue
            for monomial, factor in column.items():
                if monomial:
                    counts[monomial][factor > 0] -= 1
        if len(kept) == len(columns):
            return kept
        columns = kept


def _feasible(rows: list[Row]) -> bool:
    """Whether x >= 0 exists with row 0 · x = −1 and every other row · x = 0.

    Phase one of the simplex method: one artificial unknown per row, their sum made 0. Artificial unknowns that have
    left do not come back, and no column is kept for them.
    """
    table = [{place: -value for place, value in rows[0].items()}, *rows[1:]]
    table[0][RIGHT] = 1
    basis = [-2 - number for number in range(len(table))]
    cost: Row = {}
    for row in table:
        for place, value in row.items():
            cost[place] = cost.get(place, 0) - value
    for _ in range(PIVOTS):
        if not cost.get(RIGHT):
            return True
        entering = min((place for place, value in cost.items() if value < 0 and place != RIGHT), default=None)
        leaving = None if entering is None else _leaving(table, basis, entering)
        # no column lowers the sum of the artificial unknowns: they cannot all be 0. Unbounded it cannot be, as a sum
        # of what is not negative
        if entering is None or leaving is None:
            return False
        pivot = table[leaving]
        for number, row in enumerate(table):
            if number != leaving and entering in row:
                table[number] = _without(row, pivot, entering)
        cost = _without(cost, pivot, entering)
        basis[leaving] = entering
    return False


def _leaving(table: list[Row], basis: list[int], entering: int) -> int | None:
    """The row whose unknown reaches 0 first; of several, that of the least unknown (Bland)."""
    best: int | None = None
    for number, row in enumerate(table):
        factor = row.get(entering, 0)
        if factor <= 0:
            continue
        if best is None:
            best = number
            continue
        mine, other = row.get(RIGHT, 0) * table[best][entering], table[best].get(RIGHT, 0) * factor
        if mine < other or (mine == other and basis[number] < basis[best]):
            best = number
    return best


def _without(row: Row, pivot: Row, entering: int) -> Row:
    """A positive multiple of the row, less the multiple of the pivot's row that has the same entry in the column."""
    scale, factor = pivot[entering], row[entering]
    common = gcd(scale, factor)
    scale, factor = scale // common, factor // common
    result = {place: scale * value for place, value in row.items()} if scale != 1 else dict(row)
    for place, value in pivot.items():
        changed = result.get(place, 0) - factor * value
        if changed:
            result[place] = changed
        else:
            result.pop(place, None)
    if any(abs(value) > LARGE for value in result.values()):
        common = gcd(*result.values())
        return {place: value // common for place, value in result.items()}
    return result
