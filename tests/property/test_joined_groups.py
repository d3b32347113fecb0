"""Axis groups of any rank joined into axes and split again: random rules, against brute force at ranks 0 to 2."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from agreement import judge
from builders import questions

from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

LAWS = [
    ("reshape(reshape({e}, [A, B] -> d), d -> [A: n, B: m])", "{e}"),
    ("reduce(add, reshape({e}, [A, B] -> d), d)", "reduce(add, {e}, [A, B])"),
    ("reshape({e}, [A, B] -> d) + reshape({f}, [A, B] -> d)", "reshape({e} + {f}, [A, B] -> d)"),
    ("reshape(reshape({e}, A -> c), [c, B] -> d)", "reshape({e}, [A, B] -> d)"),
    ("reshape({e}, [A, B] -> [c: prod(n), B: m])", "reshape({e}, A -> c)"),
    ("reduce(max, reshape({e}, A -> c), c)", "reduce(max, {e}, A)"),
    ("reshape(reduce(add, {e}, B), A -> c)", "reduce(add, reshape({e}, A -> c), B)"),
    (
        "dot(reshape({e}, A -> c), reshape({f}, A -> c), contract = c, batch = B)",
        "dot({e}, {f}, contract = A, batch = B)",
    ),
    ("reshape(reshape({e}, [A, B] -> [U: 1, A: n, B: m]), [A, U] -> [A: n])", "{e}"),
    ("slice(reshape({e}, A -> c), B: (0, k))", "reshape(slice({e}, B: (0, k)), A -> c)"),
    ("reshape(reshape({e}, [A, B] -> [c: p, d: q]), [c, d] -> [A: n, B: m])", "{e}"),
    ("reduce(add, reshape({e}, [A, B] -> [c: p, d: q]), [c, d])", "reduce(add, {e}, [A, B])"),
    ("reduce(add, reshape(reshape({e}, [A, B] -> d), d -> [C: v, U: u]), [C, U])", "reduce(add, {e}, [A, B])"),
]
"""What holds at every rank and size; of the last three the left side is valid only where the products agree."""


def test_random_joined_groups() -> None:
    """Fourteen rules, every other one changed: no answer is contradicted, what is true is not refuted."""
    verdicts = _judged(seed=5, count=14)
    assert verdicts[Verdict.PROVED] >= 6
    assert verdicts[Verdict.REFUTED] >= 2


@pytest.mark.soak
def test_many_random_joined_groups() -> None:
    """400 of them."""
    verdicts = _judged(seed=6, count=400)
    assert verdicts[Verdict.UNKNOWN] < 40


def _judged(seed: int, count: int) -> Counter[Verdict]:
    rng = random.Random(seed)
    verdicts: Counter[Verdict] = Counter()
    for number in range(count):
        left, right = rng.choice(LAWS)
        changed = number % 2 == 1
        if changed:
            right, left = _changed(right, rng), _changed(left, rng) if rng.random() < 0.3 else left
        first, second = (_operand(rng) for _ in range(2))
        (question,) = questions(_rule(left, right, first, second))
        judged = judge(question, number)
        assert judged.wrong is None, (judged.wrong, left, right, first, second)
        assert changed or judged.answer.verdict is not Verdict.REFUTED, (left, right, first, second)
        verdicts[judged.answer.verdict] += 1
    return verdicts


def _operand(rng: random.Random) -> str:
    """A tensor over A and B, made by operators that know nothing of a reshape."""
    made = rng.choice("XY")
    for _ in range(rng.randrange(3)):
        made = rng.choice(["abs({})", "reverse({}, A)", "({} * Y)", "reverse({}, B)", "max({}, 0)"]).format(made)
    return made


def _changed(side: str, rng: random.Random) -> str:
    """One of the words is another, or something is turned."""
    swaps = [
        ("[A, B] -> d", "[B, A] -> d"),
        ("add", "max"),
        ("{e}", "reverse({e}, A)"),
        ("{e}", "-{e}"),
        ("{f}", "{e}"),
    ]
    old, new = rng.choice([swap for swap in swaps if swap[0] in side])
    return side.replace(old, new, 1)


def _rule(left: str, right: str, first: str, second: str = "X") -> Rule:
    left, right = (side.format(e=first, f=second) for side in (left, right))
    text = f"""rule drawn<T: int> {{
  axes A, B, U, C
  axis c, d
  map n on A
  map m, k on B
  map u on U
  map v on C
  int p, q
  tensor X, Y: T[A: n, B: m]

  {left}
    => {right}

  where 0 <= k, k <= m
}}
"""
    (declared,) = check_file(parse(Text.of("drawn.rw", text)), lambda path: None).declarations
    assert isinstance(declared.value, Rule), (text, declared.findings, declared.unsupported)
    return declared.value
