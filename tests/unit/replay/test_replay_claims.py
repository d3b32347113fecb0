"""What a rule claims, on instances: premises, refinement, undefined elements, preconditions."""

from __future__ import annotations

import pytest
from replaying import outcome, question

from rewright.replay.outcomes import Fails, Holds, NotAnInput
from rewright.verdict import Failure

NUMBERS = "axes A\nmap n on A\ntensor X: T[A: n]\n"


def test_a_value_failure_names_the_first_place_and_both_elements() -> None:
    asked = question("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(X, A) => X")
    found = outcome(asked, {"A": 1}, n=[3], X=["a", "b", "c"])
    assert isinstance(found, Fails)
    assert (found.failure, found.at, found.left, found.right) == (Failure.VALUE, (("A", (0,)),), "c", "a")
    assert [(step.side, step.value.data) for step in found.steps] == [
        ("left", ("a", "b", "c")),
        ("left", ("c", "b", "a")),
        ("right", ("a", "b", "c")),
    ]


def test_shapes_count_even_if_both_results_are_empty() -> None:
    asked = question("axes A\nmap n on A\nscalar v: T\nslice(broadcast(v, A: n), 0, 0) => broadcast(v, A: n - n + 1)")
    found = outcome(asked, {"A": 1}, n=[2], v="a")
    assert isinstance(found, Fails)
    assert (found.failure, found.left, found.right) == (Failure.SHAPE, "[0]", "[1]")


def test_the_right_side_must_be_valid_even_if_the_result_is_empty() -> None:
    asked = question("axes A\nmap n, s on A\ntensor X: T[A: n]\nslice(X, s, s) => slice(X, s + 1, s + 1)")
    found = outcome(asked, {"A": 1}, n=[1], s=[1], X=["a"])
    assert isinstance(found, Fails)
    assert found.failure is Failure.VALIDITY
    assert found.right == "`slice` limit 2 exceeds the size 1 on axis 0 of A"
    assert found.site == asked.rule.right.site


def test_the_reverse_claim_has_the_right_side_as_its_premise() -> None:
    items = "axes A\nmap n, s on A\ntensor X: T[A: n]\nslice(X, s, s) <=> slice(X, s + 1, s + 1)"
    assert isinstance(outcome(question(items, direction="<="), {"A": 1}, n=[1], s=[1], X=["a"]), NotAnInput)
    found = outcome(question(items, direction="<="), {"A": 1}, n=[1], s=[-1], X=["a"])
    assert isinstance(found, Fails)
    assert "start -1" in found.left
    assert found.right == "[0]"


def test_an_undefined_element_on_the_left_is_refined_by_anything() -> None:
    items = NUMBERS + "X + (lowest - 1) => X"
    assert isinstance(outcome(question(items, "T: num"), {"A": 1}, n=[1], X=["3"]), Holds)


def test_an_undefined_element_on_the_right_is_a_failure() -> None:
    items = NUMBERS + "X => X + (lowest - lowest)"
    found = outcome(question(items, "T: num"), {"A": 1}, n=[1], X=["3"])
    assert isinstance(found, Fails)
    assert (found.left, found.right) == ("3", "undefined")


@pytest.mark.parametrize(
    "right",
    [
        "select(X == X, X, X + lowest)",
        "slice(concatenate(X, X + lowest, d), d: (0, n))",
        "slice(pad(X, lowest + 1, d: (1, 1)), d: (1, n + 1))",
        "dynamic_update_slice(X + lowest, X, d: 0)",
    ],
)
def test_movement_looks_only_at_the_operand_chosen(right: str) -> None:
    asked = question(f"axis d\nmap n on d\ntensor X: T[d: n]\nX => {right}", "T: num")
    assert isinstance(outcome(asked, {"d": 1}, n=[2], X=["3", "4"]), Holds)


@pytest.mark.parametrize(
    "right",
    [
        "X * 0 + (lowest * 0)",
        "max(X, lowest + 1)",
        "select(X + lowest < 0, X, X)",
        "reduce(add, broadcast(lowest, A: n), A)",
    ],
)
def test_other_operators_are_undefined_where_an_operand_is(right: str) -> None:
    left = "reduce(add, X, A)" if right.startswith("reduce") else "X"
    found = outcome(question(NUMBERS + f"{left} => {right}", "T: num"), {"A": 1}, n=[1], X=["0"])
    assert isinstance(found, Fails)
    assert found.right == "undefined"


def test_infinities_are_compared_negated_and_combined_by_min_and_max() -> None:
    holds = ["max(X, lowest) => X", "min(X, -lowest) => X", "X => clamp(lowest, X, highest)"]
    for items in holds:
        assert isinstance(outcome(question(NUMBERS + items, "T: num"), {"A": 1}, n=[2], X=["-5", "7"]), Holds)


def test_only_empty_results_are_distinguished() -> None:
    asked = question(NUMBERS + "X => X")
    assert outcome(asked, {"A": 1}, n=[0], X=[]) == Holds(empty=True, steps=outcome(asked, {"A": 1}, n=[0], X=[]).steps)  # type: ignore[union-attr]
    found = outcome(asked, {"A": 0}, n=[], X=((), "a"))
    assert isinstance(found, Holds)
    assert not found.empty


WHERE = "axes A\nmap n, k on A\nint j\nscalar v: T\nbroadcast(v, A: n) => broadcast(v, A: n)\nwhere "


@pytest.mark.parametrize(
    ("formula", "k", "considered"),
    [
        ("k == 1", [1, 1], True),
        ("k == 1", [1, 2], False),
        ("k != 1", [1, 2], False),
        ("not (k == 1)", [1, 2], True),
        ("some A: k == 1", [1, 2], True),
        ("some A: k == 1", [], False),
        ("k == 1", [], True),
        ("every A: k == 1 or k == 2", [1, 2], True),
        ("k == 1 or k == 2", [1, 2], False),
        ("some A: k == 1 and k == 2", [1, 2], False),
        ("prod(k) == 6", [2, 3], True),
        ("prod(k) == 1", [], True),
        ("6 / k == 3", [2, 0], False),
        ("not (6 / k == 3)", [1, 0], False),
        ("k > 0 and 6 / k == 3", [2, 0], False),
        ("k == 0 or 6 / k == 3", [0, 0], True),
        ("6 / j == 3", [], False),
        ("k == 6 / j", [], False),
        ("k == k / j", [], True),
        ("k / 2 == -1, k % 2 == 1", [-1], True),
    ],
)
def test_preconditions(formula: str, k: list[int], considered: bool) -> None:
    found = outcome(question(WHERE + formula), {"A": len(k)}, n=[1] * len(k), k=k, j=0, v="a")
    assert isinstance(found, Holds) == considered


def test_an_attribute_of_integers_is_evaluated_at_rank_zero_one_with_maps_is_not() -> None:
    items = "axes A\nmap n on A\nint j\ntensor X: T[A: n]\nX => slice(X, 0, {limit})"
    assert isinstance(outcome(question(items.format(limit="1 / j")), {"A": 0}, n=[], j=0, X=((), "a")), Fails)
    assert isinstance(outcome(question(items.format(limit="n / j")), {"A": 0}, n=[], j=0, X=((), "a")), Holds)


def test_assumptions_speak_of_the_indices_in_range_of_all_tensors_read() -> None:
    items = "axes A\nmap n, m on A\ntensor X: T[A: n]\ntensor Y: T[A: m]\nX => X\nassume forall i on A: X[i] < Y[i]"
    asked = question(items, "T: num")
    assert isinstance(outcome(asked, {"A": 1}, n=[2], m=[1], X=["1", "5"], Y=["2"]), Holds)
    assert isinstance(outcome(asked, {"A": 1}, n=[2], m=[2], X=["1", "5"], Y=["2", "4"]), NotAnInput)


@pytest.mark.parametrize(
    ("ranks", "n", "x", "why"),
    [
        ({"A": 1}, [-1], [], "size of `X` is negative"),
        ({"A": 1}, [2], ["a"], "has the shape"),
        ({"A": 2}, [2], ["a", "b"], "one integer for each axis"),
        ({"A": 0}, [], ((), "a"), "cannot have rank 0"),
    ],
)
def test_what_is_no_input(ranks: dict[str, int], n: list[int], x: object, why: str) -> None:
    extent = "axes A+" if why.endswith("rank 0") else "axes A"
    found = outcome(question(f"{extent}\nmap n on A\ntensor X: T[A: n]\nX => X"), ranks, n=n, X=x)
    assert isinstance(found, NotAnInput)
    assert why in found.why


def test_groups_in_another_order_are_aligned() -> None:
    declarations = "axes A, B\nmap n on A\nmap m on B\ntensor X: T[A: n]\nscalar v: T\n"
    items = declarations + "broadcast(broadcast(v, A: n), B: m) => broadcast(broadcast(v, B: m), A: n)"
    assert isinstance(outcome(question(items), {"A": 1, "B": 1}, n=[2], m=[3], v="a", X=["a", "b"]), Holds)
