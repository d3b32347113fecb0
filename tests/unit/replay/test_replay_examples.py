"""Examples completed to instances, and inputs found without any."""

from __future__ import annotations

import pytest
from replaying import question

from rewright.model.index import Name
from rewright.model.rule import Pinned
from rewright.replay.example import any_input, complete
from rewright.replay.outcomes import Fails, Holds
from rewright.replay.rule import replay

ITEMS = "axes A\nmap n, s on A\nint k\nscalar v: T\ntensor X: T[A: n]\n"


def pinned(**parts: tuple[tuple[str, object], ...]) -> Pinned:
    empty: dict[str, tuple[tuple[str, object], ...]] = dict.fromkeys(
        ("ranks", "maps", "integers", "scalars", "tensors"), ()
    )
    return Pinned(**{**empty, **parts}, site=0)  # type: ignore[arg-type]


def test_what_is_pinned_stays_and_the_rest_is_chosen() -> None:
    asked = question(ITEMS + "slice(X, s, s + 1) => slice(X, s, s + 1); where s == n - 1, k > 2")
    found = complete(asked, pinned(ranks=((Name("A"), 2),), maps=((Name("n"), (2, 5)),), tensors=((Name("X"), None),)))
    assert found is not None
    assert dict(found.maps) == {"n": (2, 5), "s": (1, 4)}
    assert dict(found.integers)["k"] > 2
    assert dict(found.tensors)["X"].data == tuple(map(str, range(10)))
    assert isinstance(replay(asked, found), Holds)


def test_contents_that_are_not_given_are_distinct() -> None:
    asked = question(ITEMS + "reverse(X, A) => X")
    found = complete(asked, pinned(maps=((Name("n"), (3,)),)))
    assert found is not None
    assert len(set(dict(found.tensors)["X"].data)) == 3
    assert isinstance(replay(asked, found), Fails)


@pytest.mark.parametrize("maps", [(), ((Name("n"), (2,)),)])
def test_pinned_contents_need_the_size_they_have(maps: tuple[tuple[str, object], ...]) -> None:
    asked = question(ITEMS + "X => X")
    found = complete(asked, pinned(maps=maps, tensors=((Name("X"), ("a", "b")),), scalars=((Name("v"), "c"),)))
    assert found is not None
    assert dict(found.maps)["n"] == (2,)
    assert dict(found.tensors)["X"].data == ("a", "b")
    assert dict(found.scalars)["v"] == "c"


def test_an_example_that_no_input_fits_has_no_instance() -> None:
    asked = question(ITEMS + "X => X; where n > 3")
    assert complete(asked, pinned(maps=((Name("n"), (2,)),))) is None
    assert complete(asked, pinned(maps=((Name("n"), (4,)),), tensors=((Name("X"), ("a",)),))) is None


def test_any_input_is_one_with_every_group_at_rank_one() -> None:
    found = any_input(question(ITEMS + "slice(X, s, n) => slice(X, s, n); where s >= 1"))
    assert found is not None
    assert dict(found.ranks) == {"A": 1}
    assert any_input(question(ITEMS + "X => X; where s < 0, s > 0")) is None


@pytest.mark.parametrize(
    "condition",
    ["where p(v), not p(w)", "where p(v); assume forall i on A: p(X[i])", "where (p(v) or k == 3) and n == 2"],
)
def test_functions_are_chosen_so_that_the_preconditions_hold(condition: str) -> None:
    asked = question(f"{ITEMS}scalar w: T\nfn p: (T) -> pred\nfn f: (T, T) -> T\nf(X, X) => f(X, X)\n{condition}")
    found = complete(asked, pinned(maps=((Name("n"), (2,)),)))
    assert found is not None
    assert isinstance(replay(asked, found), Holds)


@pytest.mark.parametrize(
    "condition",
    [
        "prod(n) == 6",
        "prod(n) + k == 6, k == 0",
        "every A: (n == 2 or some A: n == 2)",
        "every A: (n == 3 or prod(n) == 6)",
        "v == elem(prod(n) - 5)",
    ],
)
def test_a_condition_that_looks_across_axes_is_not_asked_of_each_alone(condition: str) -> None:
    asked = question(ITEMS + f"X => X + 1; where {condition}", "T: int")
    found = complete(asked, pinned(maps=((Name("n"), (2, 3)),)))
    assert found is not None
    assert dict(found.maps)["n"] == (2, 3)
    assert isinstance(replay(asked, found), Fails)
