"""Collectives of CUB: kernels that assert what each gives, and what goes wrong at a call is told at the call."""

from __future__ import annotations

from pathlib import Path

import pytest
from cuda_documents import documented, ran, shown

from rewright.checks.needless import needless
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.preprocessor.cub import stands_in_for
from rewright.kernels.launches.several import ProgramLaunch, run_all
from rewright.model.simt.violation import Divergence, FailedAssertion, Unset

CASES = (Path(__file__).parent / "cub.cu").read_text(encoding="utf-8")
NAMES = [kernel.name for kernel in outline("k.cu", {"k.cu": CASES}).kernels]
CONTENTS: dict[str, tuple[int | float, ...]] = {"table": tuple(range(96)), "out": (0,) * 96}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_asserted_holds(name: str) -> None:
    outcome = ran(CASES, CONTENTS, name)
    assert outcome.undecided is None
    assert outcome.violations == () and not list(outcome.races.certain())


@pytest.mark.parametrize("name", NAMES)
def test_each_assertion_can_fail(name: str) -> None:
    head, found, tail = CASES.partition(f"void {name}(")
    body = tail.partition("__global__")[0]
    for number in range(body.count("assert(")):
        parts = body.split("assert(")
        wrong = "assert(".join(parts[: number + 1]) + "assert(!" + "assert(".join(parts[number + 1 :])
        # `!a == b`, `!a && b`: of what is asserted nothing else stays true
        outcome = ran(head + found + wrong + tail[len(body) :], CONTENTS, name)
        assert any(isinstance(each, FailedAssertion) for each in outcome.violations), (name, number)


def _document(body: str) -> str:
    return (
        "#include <cub/cub.cuh>\n// rewright: launch block(64); table: in s32[96]; out: inout s32[96]\n"
        "__global__ void k(const int *table, int *out) {\n"
        "typedef cub::BlockReduce<int, 64> Reduce; __shared__ typename Reduce::TempStorage memory;\n"
        f"int t = threadIdx.x;\n{body}\n}}\n"
    )


TWICE = "int a = Reduce(memory).Sum(t); SYNC int b = Reduce(memory).Sum(a); if (t == 0) out[0] = b;"


def test_memory_that_is_used_again_needs_a_barrier() -> None:
    right, wrong = (_document(TWICE.replace("SYNC", between)) for between in ("__syncthreads();", ""))
    assert not list(ran(right, CONTENTS, "k").races.certain())
    (race,) = ran(wrong, CONTENTS, "k").races.certain()
    assert {shown(wrong, each.place) for each in (race.first, race.second)} == {
        "Reduce(memory).Sum(t)",
        "Reduce(memory).Sum(a)",
    }


def test_only_the_first_thread_has_the_result() -> None:
    outcome = ran(_document("out[t] = Reduce(memory).Sum(t);"), CONTENTS, "k")
    assert {type(violation) for violation in outcome.violations} == {Unset}


def test_all_threads_have_to_take_part() -> None:
    outcome = ran(_document("if (t < 32) out[0] = Reduce(memory).Sum(t);"), CONTENTS, "k")
    assert Divergence in {type(violation) for violation in outcome.violations}


def test_a_call_that_waits_is_no_barrier_that_is_not_needed() -> None:
    document = _document("int a = Reduce(memory).Sum(t); if (t == 0) out[0] = a; __syncthreads();").replace("64", "32")
    (kernel,) = outline("k.cu", {"k.cu": document}).kernels
    program = documented(document, "k").program
    assert kernel.kernel is not None and program is not None
    together = run_all([ProgramLaunch(kernel.kernel, program, "", is_needed=True)], 100_000)
    assert [shown(document, each.place) for each in needless(together)] == ["__syncthreads()"]


def test_what_is_not_there_is_refused_at_its_place() -> None:
    document = _document("typedef cub::BlockRadixSort<int, 64, 1> Sort; __shared__ typename Sort::TempStorage other;")
    problems = documented(document, "k").problems
    assert [each.reason for each in problems] == ["the type `cub::BlockRadixSort<int, 64, 1>` is not known here"]


@pytest.mark.parametrize(
    ("header", "is_cub"), [("cub/cub.cuh", True), ("cub/block/block_scan.cuh", True), ("cub/mine.cuh", False)]
)
def test_only_headers_of_cub_are_stood_in_for(header: str, is_cub: bool) -> None:
    assert stands_in_for(header) is is_cub
