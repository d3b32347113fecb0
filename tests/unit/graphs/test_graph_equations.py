"""`expect left = right`: expressions of the results of both graphs, decided, replayed and told of at their place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from rewright.checks.refinement import answer
from rewright.model.file import check_file
from rewright.model.graph import Refinement
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Failure, InDeclaration, RefinementWitness, Site, Verdict

BUDGET = Budget(steps=2_000_000, seconds=2.0)
TEXT = """graph whole(x: f32[m, n]) -> y, l { y = 2 * x; l = reduce(add, reduce(add, y, 1), 0) / m }
graph parts(x: f32[m / tp, n]) -> y, l on mesh(tp = 2) { y = 2 * x; l = reduce(add, reduce(add, y, 1), 0) / m }
refine parts of whole { x: shard(0, tp); EXPECT }
"""


def read(expected: str, text: str = TEXT) -> tuple[Refinement | None, list[str]]:
    """The refinement, and what is wrong with it."""
    *_, declared = check_file(parse(Text.of("test.rw", text.replace("EXPECT", expected))), lambda _: None).declarations
    assert declared.value is None or isinstance(declared.value, Refinement)
    return declared.value, [codes.sentence(each.diagnosis) for each in declared.findings]


def verdict(expected: str, text: str = TEXT) -> Answer:
    asked, wrong = read(expected, text)
    assert asked is not None, wrong
    return answer(asked, BUDGET)


TRUE = [
    "expect transpose(y, [1, 0]) = transpose(all_gather(y, 0, over = tp), [1, 0])",
    "expect y = all_gather(y, 0, over = tp)",
    "expect l = all_reduce(add, l, over = tp)",
    "expect l / m = all_reduce(add, l, over = tp) / m",
    "expect slice(y, 0, 0, m / 2) = collective_broadcast(y, over = tp, root = 0)",
    "expect exp(l) = all_reduce(multiply, exp(l), over = tp)",
    "expect 1 = rank(tp) + 1 - rank(tp)",
]
FALSE = [
    "expect transpose(y, [1, 0]) = reshape(all_gather(y, 0, over = tp), [n, m])",
    "expect l = l",
    "expect l = all_reduce(add, l, over = tp) / tp",
    "expect slice(y, 0, 0, m / 2) = y",  # on rank 0 only
    "expect l = all_reduce(add, l, over = tp) + rank(tp)",  # on rank 0 only
    "expect slice(y, 0, 0, m / 2) = collective_broadcast(y, over = tp, root = 1)",
    "expect 1 = rank(tp)",
]


@pytest.mark.parametrize("expected", TRUE)
def test_an_equation_that_holds_on_every_rank_is_proved(expected: str) -> None:
    found = verdict(expected)
    assert found.verdict is Verdict.PROVED and found.replays
    left, right = expected.removeprefix("expect ").split(" = ", 1)
    assert found.relation[-1] == (left, right)


@pytest.mark.parametrize("expected", FALSE)
def test_an_equation_that_fails_on_a_rank_is_refuted_where_it_stands(expected: str) -> None:
    found = verdict(expected)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RefinementWitness) and found.witness.replayed
    assert found.witness.fails is Failure.EXPECTATION and len(found.witness.held) == 1
    (finding,) = found.findings
    assert isinstance(finding.place, Site) or expected == "expect l = l"  # this departs where the parts are summed
    assert codes.sentence(finding.diagnosis).startswith(f"`{expected.removeprefix('expect ')}` does not hold")


@pytest.mark.parametrize("expected", [*TRUE, *FALSE])
@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (2, 2), (3, 5)])
def test_numpy_says_the_same_of_an_equation(expected: str, rows: int, columns: int) -> None:
    left, right = expected.removeprefix("expect ").split(" = ", 1)
    x = np.random.default_rng(7).normal(size=(2 * rows, columns))
    device, *ranks = sides(x, rows)
    assert all(np.allclose(device[left], each[right]) for each in ranks) == (expected in TRUE)


def sides(x: npt.NDArray[np.float64], rows: int) -> list[dict[str, npt.ArrayLike]]:
    """The values of the expressions above on one device, then on each rank: float64."""
    m, n, tp = len(x), x.shape[1], 2
    y, loss = 2 * x, np.sum(2 * x) / m
    blocks = [y[:rows], y[rows:]]
    device: dict[str, npt.ArrayLike] = {
        "transpose(y, [1, 0])": y.T,
        "y": y,
        "l": loss,
        "l / m": loss / m,
        "exp(l)": np.exp(loss),
        "slice(y, 0, 0, m / 2)": y[:rows],
        "1": 1,
    }
    held: list[dict[str, npt.ArrayLike]] = [
        {
            "transpose(all_gather(y, 0, over = tp), [1, 0])": y.T,
            "reshape(all_gather(y, 0, over = tp), [n, m])": y.reshape(n, m),
            "all_gather(y, 0, over = tp)": np.concatenate(blocks),
            "all_reduce(add, l, over = tp)": sum(np.sum(each) / m for each in blocks),
            "all_reduce(add, l, over = tp) / m": loss / m,
            "all_reduce(add, l, over = tp) / tp": loss / tp,
            "all_reduce(add, l, over = tp) + rank(tp)": loss + rank,
            "all_reduce(multiply, exp(l), over = tp)": np.prod([np.exp(np.sum(each) / m) for each in blocks]),
            "collective_broadcast(y, over = tp, root = 0)": blocks[0],
            "collective_broadcast(y, over = tp, root = 1)": blocks[1],
            "rank(tp) + 1 - rank(tp)": 1,
            "rank(tp)": rank,
            "l": np.sum(blocks[rank]) / m,
            "y": blocks[rank],
        }
        for rank in range(tp)
    ]
    return [device, *held]


def test_an_equation_is_no_relation() -> None:
    scaled = TEXT.replace(
        "y = 2 * x; l = reduce(add, reduce(add, y, 1), 0) / m }\nrefine", "y = 4 * x; l = 0 }\nrefine"
    )
    found = verdict("expect 2 * y = all_gather(y, 0, over = tp)", scaled)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RefinementWitness) and found.witness.fails is Failure.RELATION


def test_an_equation_of_what_is_wrong_in_a_graph_is_told_there() -> None:
    wrong = TEXT.replace("mesh(tp = 2) { y = 2 * x", "mesh(tp = 2) { y = 3 * x")
    (first, *_) = verdict("expect y = all_gather(y, 0, over = tp)", wrong).findings
    assert isinstance(first.place, InDeclaration) and first.place.declaration == "parts"


def test_what_is_added_for_an_equation_is_not_shown_as_held() -> None:
    plain, more = verdict(""), verdict(TRUE[0])
    assert plain.held is not None and plain.held == more.held


def test_an_equation_by_a_law_that_is_not_known_is_unknown() -> None:
    found = verdict("expect tanh(y) = all_gather((exp(2 * y) - 1) / (exp(2 * y) + 1), 0, over = tp)")
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason is not None and "it is not seen that `tanh(y) = " in found.reason


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("expect y = y", "sizes of `expect` do not fit: `[m, n]` and `[m/2, n]`"),
        ("expect z = y", "unknown tensor `z`"),
        ("expect x = y", "unknown tensor `x`"),
        ("expect all_reduce(add, l, over = tp) = l", "unknown mesh axis `tp`"),
        ("expect l += l", "`+=` is not allowed here, expected `=`, of what is to be the same"),
        ("expect (l > 0) = (l > 0)", "truth values "),
    ],
)
def test_what_is_wrong_with_an_equation_is_said(expected: str, said: str) -> None:
    asked, wrong = read(expected)
    assert asked is None and wrong[0].startswith(said)


def test_an_equation_that_is_half_typed_is_no_question() -> None:
    assert read("expect y = ")[0] is None
