"""Transforms of rules/loops, each changed once, against what gcc makes of them: none is proved that differs."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from c_oracle import agreements_of
from loop_mutants import mutants

from rewright.checks import program as programs
from rewright.checks import tiled, transformation
from rewright.checks.kernel_question import OutlinePayload, SourceText
from rewright.checks.nest_question import ProgramPayload, TiledPayload, TransformationPayload
from rewright.checks.reading_nests import outline_nests
from rewright.checks.table import Payload
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Verdict
from rewright.verdict.codec import decode

LIBRARY = Path(__file__).parents[2] / "rules" / "loops"
FILES = sorted(LIBRARY.glob("*.c"))
AFFINE = {
    *("bicg", "correlation", "covariance", "doitgen", "fdtd", "gauss_seidel"),
    *("gemm", "gemver", "jacobi", "lu", "reg_detect"),
}
"""The files whose transforms are; those of the others are programs that are run."""
SIZES = ((1, 1, 1), (2, 3, 4), (3, 9, 6), (4, 21, 19), (2, 37, 35))


def answered(text: str) -> Answer | None:
    """The answer to the last transform of a text, None if it is not taken."""
    outlined = outline_nests(OutlinePayload("a.c", (SourceText("a.c", text),)))
    lowered = outlined.kernels[-1].lowered
    if lowered is None or lowered.asking is None:
        return None
    match decode(Payload, lowered.asking.payload):
        case TransformationPayload(asked):
            return transformation.answer(asked, Budget())
        case TiledPayload(asked):
            return tiled.answer(asked, Budget())
        case ProgramPayload(asked):
            return programs.answer(asked, Budget())
    raise AssertionError(text)


def tried(file: Path, of_each_kind: int, folder: Path) -> Counter[str]:
    """Counts the verdicts on mutants of a file, those `equal` by execution apart; each agrees with execution."""
    before, changed = mutants(file, of_each_kind)
    found: Counter[str] = Counter()
    agreeing = agreements_of(before + "\n".join(each.text for each in changed), folder, SIZES)
    for mutant, agreement in zip(changed, agreeing, strict=True):
        assert mutant.name == agreement.name
        answer = answered(before + mutant.text)
        verdict = answer.verdict if answer is not None else Verdict.UNKNOWN
        equal = all(agreement.agrees)
        if verdict in (Verdict.PROVED, Verdict.CHECKED) and not equal:
            # What a run misses lies in code that its coverage names.
            assert verdict is Verdict.CHECKED and answer is not None, mutant.text
            assert "never ran" in answer.coverage.text, mutant.text
            found["checked, differs where it never ran"] += 1
        found[f"{verdict}, equal" if equal else verdict] += 1
        if verdict is Verdict.UNKNOWN or (equal and verdict is Verdict.REFUTED):
            print(mutant.name, verdict, "equal" if equal else "", answer.reason if answer is not None else "")
    return found


needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there")


@needs_gcc
@pytest.mark.soak
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_mutant_is_proved_that_differs(file: Path, tmp_path: Path) -> None:
    found = tried(file, 2, tmp_path)
    print(file.stem, dict(found))
    assert found["refuted"] >= (40 if file.stem in AFFINE else 4), found
    if file.stem in AFFINE:
        assert found["unknown"] + found["unknown, equal"] <= 0.02 * found.total(), found
