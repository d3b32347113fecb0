"""The counts of the bound, and how a verdict tells them."""

from __future__ import annotations

from itertools import pairwise

from rules_text import decision

from rewright.rules.bound import RankBound, open_reads
from rewright.rules.decision import Mode, Proved
from rewright.terms import Slot, Term, access, add, at_most, conjoin, every_axis, number, plus, variable
from rewright.terms.node import INT, Access
from rewright.verdict import Method

H, J, N, M = (variable(name, "A") for name in "hjnm")
K = variable("k", "B")


def read(tensor: str, **indices: Term) -> Access:
    slots = tuple(Slot(group, "B" if group == "B" else "A", index) for group, index in indices.items())
    found = access(tensor, slots, INT)
    assert isinstance(found, Access)
    return found


def never(rank_class: str, truth: Term) -> bool:
    return False


def counted(*reads: Access) -> dict[str, int]:
    bound = RankBound(frozenset())
    bound.count_reads(reads, never)
    return {name: counts.reads for name, counts in bound.counts.items() if counts.reads}


# ------------------------------------------------------------------------------------------------------------ counts


def test_to_keep_reads_apart_one_axis_less_than_reads_is_enough() -> None:
    assert counted(read("X", A=H)) == {}
    assert counted(read("X", A=H), read("X", A=J)) == {"A": 1}
    assert counted(*(read("X", A=plus(H, k)) for k in range(4))) == {"A": 3}


def test_reads_of_different_tensors_are_counted_for_themselves() -> None:
    assert counted(read("X", A=H), read("Y", A=J)) == {}
    assert counted(read("X", A=H), read("X", A=J), read("Y", A=H), read("Y", A=N)) == {"A": 2}


def test_reads_that_agree_along_a_class_are_one_there() -> None:
    first, second, third = read("X", A=H, B=K), read("X", A=J, B=K), read("X", A=J, B=plus(K, 1))
    assert counted(first, second) == {"A": 1}
    assert counted(second, third) == {"B": 1}
    assert counted(first, second, third) == {"A": 1, "B": 1}


def test_groups_of_one_class_share_its_axes() -> None:
    """One axis is enough for two reads, whether they differ along one of the groups or along both."""
    assert counted(read("X", I=H, J=J), read("X", I=J, J=H)) == {"A": 1}
    assert counted(read("X", I=H, J=J), read("X", I=H, J=H)) == {"A": 1}


def test_what_is_shown_to_agree_is_not_counted() -> None:
    bound = RankBound(frozenset())
    bound.count_reads([read("X", A=H), read("X", A=J), read("X", A=N)], lambda name, truth: N not in _unknowns(truth))
    assert bound.of("A").reads == 1


def _unknowns(truth: Term) -> set[Term]:
    from rewright.terms import subterms

    return {term for term in subterms(truth) if term in (H, J, N)}


def test_tests_are_counted_each_once_also_inside_others() -> None:
    inner = every_axis("B", at_most(K, number(1)))
    outer = every_axis("A", conjoin(at_most(H, N), inner))
    bound = RankBound(frozenset())
    bound.count_open([outer, inner, outer])
    assert (bound.of("A").open_tests, bound.of("B").open_tests) == (1, 1)


def test_reads_inside_indices_and_arithmetic_are_found() -> None:
    first, second = read("X", A=H), read("X", A=J)
    assert set(open_reads([add(first, second)])) == {first, second}


# ----------------------------------------------------------------------------------------------------------- vectors


def bound_of(nonempty: str, **axes: tuple[int, int]) -> RankBound:
    bound = RankBound(frozenset(nonempty))
    for name, (failing, reads) in axes.items():
        bound.of(name).failing, bound.of(name).reads = failing, reads
    return bound


def test_rank_zero_is_asked_unless_a_test_fails_there() -> None:
    assert bound_of("", A=(0, 2)).vectors() == [(("A", 0),), (("A", 2),)]
    assert bound_of("", A=(1, 2)).vectors() == [(("A", 3),)]
    assert bound_of("", A=(0, 0)).vectors() == [(("A", 0),)]


def test_a_class_with_an_axis_starts_at_one() -> None:
    assert bound_of("A").vectors() == [(("A", 1),)]
    assert bound_of("A", A=(0, 3)).vectors() == [(("A", 1),), (("A", 3),)]


def test_classes_are_combined() -> None:
    assert len(bound_of("", A=(0, 1), B=(0, 2)).vectors()) == 4


def test_a_class_with_a_limit_has_every_rank_up_to_it() -> None:
    vectors = bound_of("B", A=(2, 0), B=(0, 4), C=(0, 1)).vectors_up_to({"A": 1, "B": 2})
    assert {dict(vector)["A"] for vector in vectors} == {0, 1}
    assert {dict(vector)["B"] for vector in vectors} == {1, 2}
    assert {dict(vector)["C"] for vector in vectors} == {0, 1}
    assert len(vectors) == 8


def test_the_wider_of_two_bounds_has_the_greater_count_of_each_class() -> None:
    wider = RankBound.wider(bound_of("", A=(1, 0), B=(0, 1)), bound_of("", A=(0, 3)))
    assert wider is not None
    assert (wider.of("A").axes, wider.of("B").axes) == (3, 1)
    assert RankBound.wider(None, wider) is wider


# -------------------------------------------------------------------------------------------------- what is told of it


def proof(items: str, mode: Mode = Mode.NORMAL_FORMS) -> tuple[Method, dict[str, tuple[int, str]] | None]:
    found = decision(items, mode)
    assert isinstance(found, Proved), found
    reasons = dict(found.bound_reason)
    return found.by, None if found.bound is None else {name: (rank, reasons[name]) for name, rank in found.bound}


ONE = "axes A\nmap n on A\ntensor X: T[A: n]\n"


def test_by_normal_form_there_is_no_bound() -> None:
    found = decision(ONE + "X + X => 2 * X")
    assert isinstance(found, Proved)
    assert (found.by, found.bound) == (Method.NORMAL_FORM, None)
    assert found.bound_reason == (("A", "both sides have the same normal form at every rank"),)


def test_tests_that_fail_are_reported() -> None:
    items = "axes A, B\nmap n, l, h on A\nmap m on B\nscalar v: T\ntensor X: T[A: n, B: m]\n"
    items += "slice(pad(X, v, A: (l, h)), A: (l - 1, l)) => pad(slice(X, A: (0, 0)), v, A: (1))\nwhere 1 <= l, 0 <= h"
    by, bound = proof(items, Mode.SOLVER_ONLY)
    assert by is Method.SOLVER
    assert bound is not None
    assert bound["B"] == (0, "nothing that is open depends on its axes")
    assert bound["A"] == (2, "2 tests on all axes")


def test_reads_are_reported() -> None:
    reads = [f"slice(X, {at}, {at} + 1)" for at in ("s", "t", "u")]
    pairs = " and ".join(f"({a} == {b})" for a, b in pairwise(reads))
    items = (
        f"axes A\naxis d\nmap s, t, u, n on A\ntensor X: T[A: n]\nscalar c: T\n{pairs} => {reads[0]} == {reads[2]}\n"
    )
    question = items + "where some A: s == t, s == t and t == u or n == 1"
    by, bound = proof(question, Mode.SOLVER_ONLY)
    assert by is Method.SOLVER
    assert bound is not None
    assert bound["d"] == (1, "a single axis")
    rank, reason = bound["A"]
    assert rank == sum(int(part.split()[0]) for part in reason.split(", "))
    assert "2 reads that may differ from others" in reason


def test_a_class_with_an_axis_is_asked_at_one() -> None:
    items = "axes A+\naxis d\nmap n on A\nmap m on d\nscalar c, e: T\ntensor X: T[A: n, d: m]\n"
    by, bound = proof(items + "max(X, min(c, e)) => max(min(c, X), max(X, min(c, e)))", Mode.SOLVER_ONLY)
    assert by is Method.SOLVER
    assert bound == {"A": (1, "nothing that is open depends on its axes"), "d": (1, "a single axis")}
