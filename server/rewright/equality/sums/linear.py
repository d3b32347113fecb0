"""Do inequalities contradict each other? Exact linear arithmetic, every monomial an unknown of its own.

Owns the search for Farkas' certificate by the simplex method in rational numbers. Invariant: "yes" comes with
multipliers that were found, so it is sound for the integers and the reals; "no" over monomials may be wrong for what
they stand for. Source: Schrijver, Theory of Linear and Integer Programming, sections 7.8 and 11.
"""

from __future__ import annotations

from fractions import Fraction

from rewright.terms.polynomial import Sum

PIVOTS = 120
"""So many steps are taken at most; Bland's rule excludes cycles, not long walks."""

Row = dict[int, Fraction]


def contradictory(inequalities: list[Sum], equations: list[Sum]) -> bool:
    """Whether non-negative multiples of the inequalities (p >= 0) and multiples of the equations sum up to −1."""
    columns = [*inequalities, *equations, *({m: -value for m, value in sum_.items()} for sum_ in equations)]
    columns = _occurring(columns)
    rows: dict[object, Row] = {(): {}}
    for place, column in enumerate(columns):
        for monomial, factor in column.items():
            rows.setdefault(monomial, {})[place] = Fraction(factor)
    return _feasible([rows.pop(()), *rows.values()])


def _occurring(columns: list[Sum]) -> list[Sum]:
    """The sums without those that have a monomial which no other sum can cancel."""
    while True:
        signs: dict[object, set[bool]] = {}
        for column in columns:
            for monomial, factor in column.items():
                if monomial:
                    signs.setdefault(monomial, set()).add(factor > 0)
        kept = [column for column in columns if all(not m or len(signs[m]) == 2 for m in column)]
        if len(kept) == len(columns):
            return kept
        columns = kept


def _feasible(rows: list[Row]) -> bool:
    """Whether x >= 0 exists with row 0 · x = −1 and every other row · x = 0.

    Phase one of the simplex method: one artificial unknown per row, their sum made 0. Only row 0 contributes to it.
    """
    table = [{place: -value for place, value in rows[0].items()}, *(dict(row) for row in rows[1:])]
    right = [Fraction(1), *(Fraction(0) for _ in rows[1:])]
    basis = [-1 - number for number in range(len(table))]
    cost: Row = {}
    for row in table:
        for place, value in row.items():
            cost[place] = cost.get(place, Fraction(0)) - value
    total = Fraction(1)
    for _ in range(PIVOTS):
        if total == 0:
            return True
        entering = min((place for place, value in cost.items() if value < 0), default=None)
        if entering is None:
            return False
        leaving = _leaving(table, right, basis, entering)
        if leaving is None:
            return False
        total += _pivot(table, right, leaving, entering, cost)
        basis[leaving] = entering
    return False


def _leaving(table: list[Row], right: list[Fraction], basis: list[int], entering: int) -> int | None:
    """The row whose unknown reaches 0 first; of several, that of the least unknown (Bland)."""
    best: tuple[Fraction, int, int] | None = None
    for number, row in enumerate(table):
        factor = row.get(entering)
        if factor is not None and factor > 0:
            candidate = right[number] / factor, basis[number], number
            if best is None or candidate < best:
                best = candidate
    return None if best is None else best[2]


def _pivot(table: list[Row], right: list[Fraction], leaving: int, entering: int, cost: Row) -> Fraction:
    """Solves row `leaving` for unknown `entering`; returns the change of the cost."""
    pivot = table[leaving][entering]
    row = table[leaving] = {place: value / pivot for place, value in table[leaving].items()}
    right[leaving] /= pivot
    for number, other in enumerate(table):
        factor = other.get(entering)
        if number != leaving and factor:
            _subtract(other, row, factor)
            right[number] -= factor * right[leaving]
    factor = cost[entering]
    _subtract(cost, row, factor)
    return factor * right[leaving]


def _subtract(row: Row, other: Row, factor: Fraction) -> None:
    for place, value in other.items():
        changed = row.get(place, Fraction(0)) - factor * value
        if changed:
            row[place] = changed
        else:
            row.pop(place, None)
