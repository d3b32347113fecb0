"""Declared functions as tables, exponentials in claims, reshapes, several type parameters."""

from __future__ import annotations

from itertools import count

import pytest
from msgspec.structs import replace
from replaying import instance, left_value, outcome, question

from rewright.replay.completing import with_functions
from rewright.replay.outcomes import Fails, Holds, NotAnInput, Undecided
from rewright.replay.rule import replay
from rewright.verdict import FunctionValue, Instance

CALLED = "axes A\nmap n on A\ntensor X, Y: T[A: n]\nfn f: (T, T) -> T\nf(X, Y) => f(Y, X)"


def called(*table: tuple[tuple[str, ...], str]) -> tuple[Instance, str]:
    asked = question(CALLED, "T: int")
    bare = instance(asked.rule, {"A": 1}, n=[2], X=["1", "2"], Y=["2", "3"])
    found = replay(asked, replace(bare, functions=(("f", tuple(table)),)))
    return bare, found.why if isinstance(found, NotAnInput) else type(found).__name__


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ((), "Holds"),
        (((("1", "2"), "5"),), "Fails"),
        (((("1", "2"), "5"), (("2", "1"), "5")), "Holds"),
        (((("1", "2"), "0"),), "Holds"),
        (((("1",), "5"),), "`f` takes 2 operands, got 1"),
        (((("1", "2"), "5"), (("1", "2"), "6")), "`f` has two results for 1, 2"),
        (((("1", "2"), "x"),), "invalid literal for int() with base 10: 'x'"),
    ],
)
def test_a_function_is_its_table_and_zero_elsewhere(table: FunctionValue, found: str) -> None:
    assert called(*table)[1] == found


def test_an_instance_is_completed_with_what_is_asked_for() -> None:
    asked = question(CALLED, "T: int")
    bare, _ = called()
    numbers = count(7)
    full = with_functions(asked, bare, lambda domain: str(next(numbers)))
    assert dict(full.functions)["f"] == ((("1", "2"), "7"), (("2", "3"), "8"), (("2", "1"), "9"), (("3", "2"), "10"))
    found = replay(asked, full)
    assert isinstance(found, Fails)
    assert (found.left, found.right) == ("7", "9")


def test_a_function_of_no_finite_element_is_undefined() -> None:
    items = "axes A\nmap n on A\ntensor X: T[A: n]\nfn f: (T) -> T\n"
    assert isinstance(outcome(question(items + "f(lowest + 0 * X) => X", "T: int"), {"A": 0}, n=[], X=((), "1")), Holds)
    found = outcome(question(items + "X => f(max(X, highest))", "T: int"), {"A": 0}, n=[], X=((), "1"))
    assert isinstance(found, Fails)
    assert found.right == "undefined"


def test_several_type_parameters() -> None:
    items = "axes A\nmap n on A\ntensor X: T[A: n]\ntensor P: U[A: n]\nfn f: (T) -> U\nf(X) and P => P"
    asked = question(items, "T: any, U: pred")
    bare = instance(asked.rule, {"A": 1}, n=[2], X=["a", "b"], P=["true", "true"])
    assert isinstance(replay(asked, replace(bare, functions=(("f", ((("a",), "true"),)),))), Fails)
    assert isinstance(replay(asked, replace(bare, functions=(("f", ((("a",), "true"), (("b",), "true"))),))), Holds)


ONE = "axes A\nmap n on A\ntensor X: T[A: n]\n"


@pytest.mark.parametrize(
    ("sides", "found"),
    [
        ("exp(X) => exp(X)", Holds),
        ("exp(X + X) => exp(X)", Fails),
        ("exp(X) * exp(X) => exp(2 * X)", Undecided),
        ("exp(X) - exp(X) + X => X", Holds),
        ("exp(X) < exp(X + 1) => X == X", Holds),
        ("exp(X) * exp(X) == exp(X + X) => X == X", Undecided),
        ("X / (exp(X) * exp(X) - exp(X + X)) => X", Undecided),
        ("X => X / (exp(X) * exp(X) - exp(X + X))", Undecided),
    ],
)
def test_exponentials_are_decided_where_their_enclosures_are_disjoint(sides: str, found: type) -> None:
    assert isinstance(outcome(question(ONE + sides, "T: real"), {"A": 1}, n=[2], X=["1/3", "-2"]), found)


def test_one_element_that_certainly_differs_fails_whatever_is_undecided_before_it() -> None:
    asked = question(ONE + "exp(X) * exp(X) => exp(3 * X - 1)", "T: real")
    found = outcome(asked, {"A": 1}, n=[2], X=["1", "2"])
    assert isinstance(found, Fails)
    assert found.at == (("A", (1,)),)


def test_a_precondition_that_enclosures_do_not_decide_leaves_the_claim_undecided() -> None:
    items = "axes A\nscalar c: T\nmap n on A\ntensor X: T[A: n]\nX => X\nwhere exp(c) * exp(c) == exp(2 * c)"
    asked = question(items, "T: real")
    assert isinstance(outcome(asked, {"A": 1}, n=[1], c="1", X=["1"]), Undecided)
    assert isinstance(outcome(asked, {"A": 1}, n=[1], c="0", X=["1"]), Holds)


UNIT = "axes A, D\nmap n on A\nmap u on D\ntensor X: T[A: n, D: u]\n"


def test_unit_groups_are_dropped_and_added() -> None:
    drop = UNIT + "reshape(X, D -> []) => reshape(X, D -> [])"
    assert left_value(drop, {"A": 1, "D": 2}, n=[2], u=[1, 1], X=((2, 1, 1), "a b")) == ((2,), "a b")
    assert left_value(drop, {"A": 1, "D": 0}, n=[2], u=[], X=((2,), "a b")) == ((2,), "a b")
    add = "axes A, D\nmap n on A\ntensor X: T[A: n]\nreshape(X, [] -> D) => reshape(X, [] -> D)"
    assert left_value(add, {"A": 1, "D": 1}, n=[2], X=["a", "b"])[1] == "a b"
    assert sorted(left_value(add, {"A": 1, "D": 2}, n=[2], X=["a", "b"])[0]) == [1, 1, 2]


def test_a_group_that_is_no_unit_is_not_dropped() -> None:
    asked = question(UNIT + "reshape(X, D -> []) => reshape(X, D -> [])")
    found = outcome(asked, {"A": 1, "D": 2}, n=[1], u=[1, 3], X=((1, 1, 3), "a b c"))
    assert isinstance(found, NotAnInput)
    assert found.why.endswith("`reshape` drops axis 1 of D of size 3, not 1")
