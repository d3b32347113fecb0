"""Rules that hold at some ranks and fail at others: each is right wherever `holds` says, wrong at `fails`.

That they do is checked rank by rank on the rule as it was read; then the prover has to notice, with and without normal
forms, whatever ranks it looks at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from rules_text import BUDGET, asked

from rewright.model.index import Name
from rewright.model.rule import Extent, RuleQuestion
from rewright.rules.bound import RankBound
from rewright.rules.decide import decide
from rewright.rules.decision import Mode, Proved, Refuted
from rewright.rules.models import Model, ModelSession

Ranks = dict[str, int]


@dataclass(frozen=True)
class Trap:
    """A false rule, where it is right, and the least rank vector at which it is wrong."""

    items: str
    holds: tuple[Ranks, ...]
    fails: Ranks


A, AB = "axes A\nmap n on A\ntensor X: T[A: n]\n", "axes A, B\nmap n on A\nmap m on B\ntensor X: T[A: n, B: m]\n"
IJ = "axes I ~ J\nmap n, m on I\ntensor X: T[I: n, J: n]\n"


def upto(name: str, *ranks: int) -> tuple[Ranks, ...]:
    return tuple({name: rank} for rank in ranks)


def apart(count: int, free: str, seen_by: str = "") -> str:
    """Of so many entries of a tensor with two indices on each axis, two are equal; `free` names where some stand.

    What is compared is what a function of elements, `seen_by`, makes of them.
    """
    entries = ["slice(X, 0, 1)", "slice(X, 1, 2)", *(f"slice(X, {name}, {name} + 1)" for name in free)]
    entries = [f"{seen_by}({entry})" for entry in entries[:count]]
    pairs = [f"({a} == {b})" for k, a in enumerate(entries) for b in entries[:k]]
    known = ", ".join(f"0 <= {name}, {name} <= 1" for name in free)
    maps = ", ".join(("n", *free))
    return (
        f"axes A\nmap {maps} on A\nfn f: (T) -> T\ntensor X: T[A: n]\n"
        f"{' or '.join(pairs)} => broadcast(true, A: 1)\nwhere n == 2, {known}"
    )


TRAPS = {
    # preconditions that are no folds
    "some axis is not all": Trap(A + "reverse(X, A) => X\nwhere some A: n == 1", upto("A", 0, 1), {"A": 2}),
    "not all is some": Trap(A + "X => reverse(X, A)\nwhere not (n != 1)", upto("A", 0, 1), {"A": 2}),
    "all of one or some of the other": Trap(
        AB + "reverse(X, A) => X\nwhere (every A: n == 1) or (some B: m == 0 and m == 1) or (some A: n == 1)",
        ({"A": 1, "B": 0}, {"A": 1, "B": 1}),
        {"A": 2, "B": 0},
    ),
    "some axis of each class": Trap(
        AB + "reverse(X, [A, B]) => X\nwhere (some A: n == 1) and (some B: m == 1)",
        ({"A": 0, "B": 0}, {"A": 1, "B": 1}),
        {"A": 1, "B": 2},
    ),
    "two kinds of axes, so two axes": Trap(
        A + "reverse(X, A) => X\nwhere some A: n == 1, some A: n == 2", upto("A", 0, 1), {"A": 2}
    ),
    "three kinds of axes, so three axes": Trap(
        A + "reverse(X, A) => X\nwhere some A: n == 1, some A: n == 2, some A: n == 3", upto("A", 0, 1, 2), {"A": 3}
    ),
    "either kind of axis, and some other": Trap(
        A + "reverse(X, A) => X\nwhere (some A: n == 1) or (some A: n == 0), some A: n < 2",
        upto("A", 0, 1),
        {"A": 2},
    ),
    "one axis in range is not all": Trap(
        "axes A\nmap n, s on A\ntensor X: T[A: n]\nX => pad(slice(X, min(s, n), n), 0, A: (min(s, n)))\n"
        "where 0 <= s, (some A: s == 0)",
        upto("A", 0, 1),
        {"A": 2},
    ),
    # quantifiers inside quantifiers
    "an axis of A where all of B are one": Trap(
        AB + "reverse(X, B) => X\nwhere every A: (some B: m == 1)",
        ({"A": 1, "B": 0}, {"A": 1, "B": 1}),
        {"A": 0, "B": 1},
    ),
    "an axis of A where some of B is one": Trap(
        AB + "reverse(X, B) => X\nwhere some A: n > 0 and (some B: m == 1)",
        ({"A": 0, "B": 2}, {"A": 1, "B": 1}, {"A": 2, "B": 1}),
        {"A": 1, "B": 2},
    ),
    "a quantifier over the same class": Trap(
        A + "reverse(X, A) => X\nwhere some A: n == 2 or (every A: n == 1), some A: n == 1",
        upto("A", 0, 1),
        {"A": 2},
    ),
    # tests on all axes, counted one by one
    "padding on both classes at once": Trap(
        "axes A, B\nscalar c: T\npad(broadcast(0, A: 1, B: 2), c, A: (1)) * pad(broadcast(0, A: 2, B: 1), c, B: (1))"
        " => broadcast(0, A: 2, B: 2)",
        ({"A": 0, "B": 0}, {"A": 1, "B": 0}, {"A": 0, "B": 3}),
        {"A": 1, "B": 1},
    ),
    "two paddings on one class": Trap(
        "axes A\nscalar c: T\n"
        "pad(broadcast(0, A: 1), c, A: (1)) * pad(broadcast(0, A: 1), c, A: (0, 1)) => broadcast(0, A: 2)",
        upto("A", 0, 1),
        {"A": 2},
    ),
    "three paddings on one class": Trap(
        "axes A\nscalar c: T\npad(broadcast(0, A: 2), c, A: (1)) * pad(broadcast(0, A: 2), c, A: (0, 1))"
        " * pad(broadcast(0, A: 2), c, A: (0, 0, 1)) => broadcast(0, A: 3)",
        upto("A", 0, 1, 2),
        {"A": 3},
    ),
    "windows beside each other": Trap(
        "axes A\nscalar c: T\ntensor P: pred[A: 3]\n"
        "dynamic_update_slice(P, broadcast(true, A: 2), 0) or dynamic_update_slice(P, broadcast(true, A: 2), 1)"
        " => broadcast(true, A: 3)",
        upto("A", 0, 1),
        {"A": 2},
    ),
    # reads at several places
    "three reads of two entries": Trap(apart(3, "s"), upto("A", 0, 1), {"A": 2}),
    "five reads of four entries": Trap(apart(5, "stu"), upto("A", 0, 1, 2), {"A": 3}),
    "three reads below a function": Trap(apart(3, "s", "f"), upto("A", 0, 1), {"A": 2}),
    "five reads below the exponential": Trap(
        apart(5, "stu", "exp").replace(": T[", ": real["), upto("A", 0, 1, 2), {"A": 3}
    ),
    "every second, and the first half": Trap(
        A + "slice(X, 0, (n + 1) / 2) => slice(X, 0, n, 2)\nwhere some A: n <= 1", upto("A", 0, 1), {"A": 2}
    ),
    # several groups in one class
    "the diagonal of one entry": Trap(
        IJ + "transpose(X, I -> J, J -> I) => X\nwhere some I: n == 1", upto("I", 0, 1), {"I": 2}
    ),
    "one group reversed for the other": Trap(
        IJ + "reverse(X, I) => reverse(X, J)\nwhere some J: n <= 1", upto("I", 0, 1), {"I": 2}
    ),
    # assumptions that tie tensors
    "a function of what is tied": Trap(
        A + "fn f: (T, T) -> T\ntensor Y: T[A: n]\nf(X, reverse(Y, A)) => f(Y, reverse(X, A))\n"
        "assume forall i on A: f(X[i], Y[i]) == f(Y[i], X[i])\nwhere some A: n == 1",
        upto("A", 0, 1),
        {"A": 2},
    ),
    "a quotient by what is not zero in range": Trap(
        "axes A\nmap n, m on A\ntensor X: T[A: n]\ntensor Y: T[A: m]\n"
        "0 * X => 0 * X / pad(Y, 0, A: (0, n - m))\nassume forall i on A: Y[i] != 0\nwhere some A: n <= m",
        upto("A", 0, 1),
        {"A": 2},
    ),
    "a tie read elsewhere": Trap(
        A + "tensor Y: T[A: n]\nX => reverse(Y, A)\nassume forall i on A: X[i] == Y[i]\nwhere some A: n == 1",
        upto("A", 0, 1),
        {"A": 2},
    ),
    "a tie that ends where the smaller tensor does": Trap(
        "axes A\nmap n, m on A\ntensor X: T[A: n]\ntensor Y: T[A: m]\n"
        "max(X, pad(Y, 0, A: (0, n - m))) => pad(Y, 0, A: (0, n - m))\n"
        "assume forall i on A: X[i] <= Y[i]\nwhere (some A: n <= m)",
        upto("A", 0, 1),
        {"A": 2},
    ),
    "a tie between different groups": Trap(
        "axes A, B\nmap n on A\nmap m on B\ntensor X: T[A: n]\ntensor Y: T[A: n, B: m]\n"
        "max(broadcast(X, B: m), reverse(Y, A)) => reverse(Y, A)\n"
        "assume forall i on A: forall j on B: X[i] <= Y[i, j]\nwhere some A: n == 1",
        ({"A": 0, "B": 0}, {"A": 1, "B": 0}, {"A": 1, "B": 1}),
        {"A": 2, "B": 0},
    ),
    # rank 0
    "nothing is padding": Trap(
        "axes A\ntensor X: T[A: 1]\nslice(pad(X, 0, A: (2)), 0, 1) => broadcast(0, A: 1)", upto("A", 1, 2), {"A": 0}
    ),
    "an integer is pinned where there is an axis": Trap(
        "axes A\nmap n on A\nint k\nint j\nscalar c: T\nbroadcast(elem(k) * c, A: 1) => broadcast(elem(j) * c, A: 1)\n"
        "where n == k, n == j",
        upto("A", 1, 2),
        {"A": 0},
    ),
    "no entry, unless there is no axis": Trap(A + "X => X + 1\nwhere n == 0", upto("A", 1, 2), {"A": 0}),
    "a divisor is not zero where there is an axis": Trap(
        "axes A\nmap n on A\nint k\nscalar c: T\nbroadcast(c, A: n / k) => broadcast(c + 0 * elem(6 / k), A: n / k)",
        upto("A", 1, 2),
        {"A": 0},
    ),
    "no inputs above rank 0": Trap(A + "X => X + 1\nwhere n < 0", upto("A", 1, 2), {"A": 0}),
    "rank 0 of one class of two": Trap(
        AB + "X => X + 1\nwhere n == 0, m == 1", ({"A": 1, "B": 0}, {"A": 1, "B": 1}), {"A": 0, "B": 0}
    ),
    "rank 0 of a class beside a single axis": Trap(
        "axes A\naxis d\nmap n on A\nmap m on d\ntensor X: T[A: n, d: m]\n"
        "reverse(X, d) => X\nwhere n == 0 or m == 1, m < 3",
        upto("A", 1, 2),
        {"A": 0},
    ),
}


def question_of(trap: Trap) -> RuleQuestion:
    return asked(trap.items)


def countermodel(question: RuleQuestion, ranks: Ranks) -> bool:
    """Whether the rule as it was read is wrong at these ranks."""
    singles = {group.rank_class: 1 for group in question.rule.groups if group.extent is Extent.SINGLE}
    with ModelSession(question, {**{Name(k): v for k, v in ranks.items()}, **singles}, None, BUDGET.steps) as session:
        found = session.find(None)
        assert found is None or isinstance(found, Model)
        return found is not None


@pytest.mark.parametrize("name", TRAPS)
def test_the_ranks_are_as_stated(name: str) -> None:
    trap = TRAPS[name]
    question = question_of(trap)
    assert [ranks for ranks in trap.holds if countermodel(question, ranks)] == []
    assert countermodel(question, trap.fails)


@pytest.mark.parametrize("mode", [Mode.NORMAL_FORMS, Mode.SOLVER_ONLY])
@pytest.mark.parametrize("name", TRAPS)
def test_a_rule_that_fails_at_some_rank_is_refuted(name: str, mode: Mode) -> None:
    question = question_of(TRAPS[name])
    decision = decide(question, BUDGET, mode)
    assert isinstance(decision, Refuted), decision
    assert countermodel(question, {str(k): v for k, v in decision.ranks})


def _counts_nothing(*_: object) -> None:
    """Instead of a count: nothing."""


VECTORS = RankBound.vectors


def _above_zero(bound: RankBound) -> list[tuple[tuple[str, int], ...]]:
    """The vectors that decide, without rank 0."""
    return [tuple((name, max(rank, 1)) for name, rank in vector) for vector in VECTORS(bound)]


def _below_the_greatest(bound: RankBound) -> list[tuple[tuple[str, int], ...]]:
    """The vectors that decide, with one axis less where there are several."""
    return [tuple((name, rank - (rank > 1)) for name, rank in vector) for vector in VECTORS(bound)]


@pytest.mark.parametrize(
    ("method", "fault", "mode"),
    [
        ("count_reads", _counts_nothing, Mode.NORMAL_FORMS),
        ("count_failing", _counts_nothing, Mode.NORMAL_FORMS),
        ("count_open", _counts_nothing, Mode.SOLVER_ONLY),
        ("vectors", _above_zero, Mode.NORMAL_FORMS),
        ("vectors", _below_the_greatest, Mode.NORMAL_FORMS),
        ("vectors", _below_the_greatest, Mode.SOLVER_ONLY),
    ],
)
def test_a_bound_that_is_too_small_falls_into_one(
    method: str, fault: Callable[..., object], mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RankBound, method, fault)
    found = [name for name, trap in TRAPS.items() if isinstance(decide(question_of(trap), BUDGET, mode), Proved)]
    assert found != []
