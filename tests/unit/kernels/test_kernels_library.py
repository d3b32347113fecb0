"""The kernels that come with Rewright, and what happens when a barrier goes missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernel_texts import Asked, ask

from rewright.replay.kernel.outcome import Outcome, Replayed
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

LIBRARY = Path(__file__).parents[3] / "rules" / "kernels"
REDUCE = (LIBRARY / "reduce.cu").read_text(encoding="utf-8")
DECLARATION = (LIBRARY / "reduce.rw").read_text(encoding="utf-8")
BARRIER = "__syncthreads();\n"

EXPECTED = {
    "reduce": (Verdict.CHECKED, []),
    "scan": (Verdict.REFUTED, ["RW303"]),
    "softmax": (Verdict.CHECKED, []),
    "softmax_without_barrier": (Verdict.REFUTED, ["RW301"]),
    "stencil": (Verdict.REFUTED, ["RW304"]),
    "transpose": (Verdict.CHECKED, []),
}


def library() -> dict[str, str]:
    found = {}
    for path in sorted(LIBRARY.glob("*.rw")):
        text = Text.of(path.name, path.read_text(encoding="utf-8"))
        for placed in parse(text).file.declarations:
            assert placed.node.head.name is not None
            found[placed.node.head.name.text] = text.slice(placed.span)
    return found


def asked(text: str) -> Asked:
    return ask(text, reduce_cu=REDUCE)


def test_the_library_holds_these_kernels() -> None:
    assert set(library()) == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_library_kernel(name: str) -> None:
    found = asked(library()[name])
    assert (found.verdict, found.codes) == EXPECTED[name]


@pytest.mark.parametrize("number", range(REDUCE.count(BARRIER)))
def test_reduce_without_one_barrier_races(number: int) -> None:
    parts = REDUCE.split(BARRIER)
    mutant = BARRIER.join(parts[: number + 1]) + "\n" + BARRIER.join(parts[number + 1 :])
    found = ask(DECLARATION, reduce_cu=mutant)
    assert [(told.code, told.at, told.related) for told in found.told] == [
        ("RW301", "partial[t]", ("partial[t + half]",))
    ]


def test_a_violation_that_does_not_replay_is_an_error_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rewright.checks.kernel.replay", lambda *_: Replayed(Outcome.FAILS))
    found = asked(library()["stencil"])
    assert (found.verdict, [told.code for told in found.told]) == (Verdict.ERROR, ["RW901"])
