"""Each wrong transform of `rules/loops`: how it fails, and on which line."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from rewright.checks import transformation
from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.model.nest import Transformation
from rewright.replay.loops.comparing import compared
from rewright.replay.loops.narrowed import compared_narrowly
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import LoopsWitness, Site, Verdict

LIBRARY = Path(__file__).parents[3] / "rules" / "loops"
FAILS = {
    "bicg_cleared_late": ("operation", "U: q[i] += A[i, j] * p[j]"),
    "cholesky_root_early": ("operation", "R: A[i, i] = sqrt(A[i, i])"),
    "copy_from_elsewhere": ("operation", "S: A[i] = B[i / 2]"),
    "copy_of_another_value": ("operation", "S: A[i] = B[i] + 1"),
    "copy_overlapping": ("extra", "q in 0..17"),
    "copy_without_rest": ("missing", "p in 0..N / 16"),
    "covariance_centred_early": ("order", "D: data[i, j] -= mean[j]"),
    "doitgen_fused": ("order", "S: sum[p] += A[r, q, s]"),
    "fdtd_field_first": ("order", "Z: hz[i, j]"),
    "gemm_scaled_late": ("operation", "U: C[i, j] += alpha"),
    "gemm_transposed": ("operation", "U: C[i, j] += alpha * A[k, i]"),
    "gemm_without_rest": ("missing", "U: C[i, j] += alpha * A[i, k] * B[k, j]"),
    "jacobi_fused": ("order", "U: A[i]"),
    "jacobi_swapped": ("order", "U: A[i]"),
    "lu_divided_late": ("order", "U: A[i, j] -= A[i, k]"),
    "lu_of_one_triangle": ("missing", "j in k + 1..i + 1"),
    "seidel_backwards": ("order", "i in N - 1..0 step -1"),
    "seidel_of_nine_interchanged": ("order", "S: A[i, j]"),
    "seidel_one_sweep_more": ("extra", "t in 0..T + 1"),
    "seidel_short": ("missing", "j in 1..N - 1"),
    "seidel_tiled_over_sweeps": ("order", "S: A[i, j]"),
}


def wrong() -> dict[str, tuple[str, int, Transformation, tuple[int, ...]]]:
    """The transforms that are expected to be refuted: text, start, value, and where their sites start."""
    found = {}
    for file in sorted(LIBRARY.glob("*.rw")):
        text = file.read_text(encoding="utf-8")
        parsed = parse(Text.of(file.name, text))
        declarations = check_file(parsed, lambda path: None).declarations
        for placed, declared in zip(parsed.file.declarations, declarations, strict=True):
            if declared.expectations and isinstance(declared.value, Transformation):
                sites = tuple(span.start for span in declared.sites)
                found[declared.name] = (text, placed.start, declared.value, sites)
    return found


WRONG = wrong()


def test_each_is_listed() -> None:
    assert set(WRONG) == set(FAILS)


@pytest.mark.parametrize("name", FAILS)
def test_it_fails_as_it_should(name: str) -> None:
    fails, line = FAILS[name]
    text, start, value, sites = WRONG[name]
    answer = transformation.answer(value, Budget())
    assert answer.verdict is Verdict.REFUTED
    assert isinstance(answer.witness, LoopsWitness) and answer.witness.replayed
    assert answer.witness.fails == fails
    place = answer.findings[0].place
    assert isinstance(place, Site)
    offset = len(text.encode()[: start + sites[place.number]].decode())
    assert line in text[text.rindex("\n", 0, offset) : text.index("\n", offset)]


@pytest.mark.parametrize("name", FAILS)
def test_a_few_elements_show_it_too(name: str) -> None:
    """What is too long to be kept is run again and again, and compared at few elements only."""
    _, _, value, _ = WRONG[name]
    answer = transformation.answer(value, Budget())
    assert isinstance(answer.witness, LoopsWitness)
    sizes = {Name(each): number for each, number in answer.witness.sizes}
    found = compared_narrowly(value, sizes, 10_000)
    assert found is not None
    if FAILS[name][0] in ("missing", "extra"):
        assert type(found) is type(compared(value, sizes, 10_000))
    right = replace(value, transformed=value.specification)
    assert compared_narrowly(right, sizes, 10_000) is None


def test_a_wrong_tile_of_fifty() -> None:
    loops = "for ii in 0..N step 50, i in ii..min(ii + 50, N), j in 0..N, k in 0..N"
    text = (
        "loops product(N) {\n array A, B, C: f64[N, N]\n"
        " for i in 0..N, j in 0..N, k in 0..N { U: C[i, j] += A[i, k] * B[k, j] }\n}\n"
        f"transform t of product {{ {loops.replace('50, N', '49, N')} {{ U: C[i, j] += A[i, k] * B[k, j] }} }}\n"
    )
    value = check_file(parse(Text.of("a.rw", text)), lambda path: None).declarations[1].value
    assert isinstance(value, Transformation)
    answer = transformation.answer(value, Budget())
    assert answer.verdict is Verdict.REFUTED and isinstance(answer.witness, LoopsWitness)
    assert (answer.witness.fails, dict(answer.witness.sizes)) == ("missing", {"N": 50})
    assert dict(answer.witness.iteration) == {"i": 49, "j": 0, "k": 0}
