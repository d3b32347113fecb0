"""Failing inputs made smaller: what is left of a large one, and that it still fails in the same way."""

from __future__ import annotations

from fractions import Fraction

import pytest
from replaying import instance, question

from rewright.replay.inputs import read_instance, write_instance
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay
from rewright.replay.shrinking import nearer, shrunk
from rewright.verdict import Failure, Instance

REVERSED = "axes A\nmap n on A\ntensor X: T[A: n]\nreverse(X, A) => X"


def shrink(items: str, ranks: dict[str, int], parameter: str = "T: any", **values: object) -> tuple[Instance, Failure]:
    asked = question(items, parameter)
    small = write_instance(asked.rule, shrunk(asked, read_instance(asked, instance(asked.rule, ranks, **values))))
    outcome = replay(asked, small)
    assert isinstance(outcome, Fails)
    return small, outcome.failure


def test_ranks_then_sizes_then_contents() -> None:
    small, _ = shrink(REVERSED, {"A": 2}, n=[1, 4], X=((1, 4), "a a b a"))
    assert small.ranks == (("A", 1),)
    assert dict(small.maps) == {"n": (2,)}
    assert dict(small.tensors)["X"].data == ("1", "2")


def test_two_integers_that_belong_together_shrink_together() -> None:
    items = (
        "axis d\nmap n, s, e on d\ntensor X: T[d: n]\nslice(X, s, e) => slice(X, 0, 1)\nwhere e == s + 1, n == e + 1"
    )
    small, _ = shrink(items, {"d": 1}, n=[4], s=[2], e=[3], X=["a", "b", "c", "d"])
    assert dict(small.maps) == {"n": (4,), "s": (2,), "e": (3,)}
    small, _ = shrink(items.split(", n ==")[0], {"d": 1}, n=[4], s=[2], e=[3], X=["a", "b", "c", "d"])
    assert dict(small.maps) == {"n": (2,), "s": (1,), "e": (2,)}


def test_elements_that_must_be_equal_shrink_together() -> None:
    items = "axes A\nmap n on A\ntensor X, Y: T[A: n]\nX < Y => X <= Y"
    small, _ = shrink(items, {"A": 0}, "T: real", n=[], X=((), "7/2"), Y=((), "7/2"))
    assert [tensor.data for _, tensor in small.tensors] == [("0",), ("0",)]


def test_contents_stay_where_different_ones_show_nothing() -> None:
    items = "axes A\nmap n on A\ntensor X, Y: T[A: n]\nX / Y => X"
    small, _ = shrink(items, {"A": 1}, "T: int", n=[1], X=["-17"], Y=["5"])
    assert [tensor.data for _, tensor in small.tensors] == [("1",), ("2",)]
    items = "axes A\nmap n on A\ntensor X: T[A: n]\nX / X => broadcast(1, A: n)\nassume forall i on A: X[i] < 0"
    with pytest.raises(ValueError, match="does not fail"):
        shrink(items, {"A": 1}, "T: int", n=[1], X=["-17"])


def test_the_way_of_failing_stays() -> None:
    items = "axes A\nmap n, s on A\ntensor X: T[A: n]\nreverse(X, A) => dynamic_slice(X, s, n + s)"
    small, failure = shrink(items, {"A": 1}, n=[3], s=[-1], X=["a", "b", "c"])
    assert failure is Failure.SHAPE
    assert dict(small.maps) == {"n": (1,), "s": (-1,)}


def test_only_calls_that_are_made_stay_in_a_table() -> None:
    items = "axes A\nmap n on A\ntensor X: T[A: n]\nfn f: (T) -> T\nf(X) => f(reverse(X, A))"
    asked = question(items)
    bare = instance(asked.rule, {"A": 1}, n=[3], X=["a", "b", "c"])
    table = tuple(((text,), result) for text, result in [("a", "x"), ("b", "y"), ("c", "z"), ("1", "p"), ("2", "q")])
    full = Instance(bare.ranks, bare.maps, bare.integers, bare.scalars, bare.tensors, (("f", table),))
    small = write_instance(asked.rule, shrunk(asked, read_instance(asked, full)))
    assert dict(small.maps) == {"n": (2,)}
    assert dict(small.functions)["f"] == ((("1",), "p"), (("2",), "q"))


@pytest.mark.parametrize("value", [-9, -1, 0, 1, 2, 7, 40])
def test_nearer_integers(value: int) -> None:
    found = list(nearer(value))
    assert len(set(found)) == len(found)
    assert all(abs(other) < abs(value) or other == -value > 0 for other in found)
    assert (0 in found) == (value != 0)


def test_fractions_become_whole() -> None:
    items = "axes A\nmap n on A\ntensor X: T[A: n]\nX => X + X"
    small, _ = shrink(items, {"A": 0}, "T: real", n=[], X=((), "-7/3"))
    assert Fraction(dict(small.tensors)["X"].data[0]).denominator == 1
