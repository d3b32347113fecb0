"""What is found in kernels, from text to finding: races with both ends, divergence, bounds, and what a budget ends."""

from __future__ import annotations

import pytest
from kernel_texts import ask, body, cuda

from rewright.report.codes import sentence
from rewright.rules.decision import Budget
from rewright.verdict import AccessKind, Failure, KernelWitness, ThreadId, Verdict
from rewright.verdict.answer import Answer
from rewright.verdict.codec import decode, encode
from rewright.verdict.diagnostics.kernels import (
    Act,
    ArrayElement,
    AssertionFails,
    BarrierDivergence,
    Collision,
    DataRace,
    EqualWrites,
    IndexOutside,
    IntegerDividedByZero,
    MisalignedAccess,
    Whereabouts,
    Who,
)


def witness(answer: Answer) -> KernelWitness:
    assert isinstance(answer.witness, KernelWitness)
    assert answer.witness.replayed
    return answer.witness


def test_a_race_names_both_accesses() -> None:
    asked = body("s[thread.x] = x[0]\n  y[thread.x] = s[(thread.x + 1) % 4]")
    (reported,) = asked.reported
    assert (reported.code, reported.at, reported.related) == ("RW301", "s[thread.x]", ("s[(thread.x + 1) % 4]",))
    first, second = Act(Who((1,), None, ()), AccessKind.WRITE), Act(Who((0,), None, ()), AccessKind.READ)
    assert reported.diagnosis == DataRace(Collision(ArrayElement("s", (1,)), first, second), interval=0)
    found = witness(asked.answer)
    assert (found.fails, found.array, found.address, found.interval) == (Failure.RACE, "s", (1,), 0)
    assert found.threads == (ThreadId((0,), (1,)), ThreadId((0,), (0,)))
    assert found.values == (("N", "8"), ("n", "5"))
    assert decode(Answer, encode(asked.answer)) == asked.answer


def test_a_race_is_reported_once_per_pair_of_places() -> None:
    asked = body("for i in 0..8 { s[0] = x[i] }", launch="block(64)")
    assert [(reported.at, reported.related) for reported in asked.reported] == [("s[0]", ("s[0]",))]


def test_every_pair_of_places_is_reported() -> None:
    asked = body("s[0] = x[0]\n  s[0] = x[1]\n  y[thread.x] = s[0]")
    assert [(reported.at, *reported.related) for reported in asked.reported] == [
        ("s[0]", "s[0]"),
        ("s[0]", "s[0]"),
        ("s[0]", "s[0]"),
        ("s[0]", "s[0]"),
        ("s[0]", "s[0]"),
    ]
    assert len({(f.place, f.related[0].place) for f in asked.answer.findings}) == 5


def test_reads_do_not_race() -> None:
    assert body("y[thread.x] = x[0] + x[0]").verdict is Verdict.CHECKED


def test_a_race_in_global_memory() -> None:
    assert body("y[0] = x[thread.x]").codes == ["RW301"]


def test_the_interval_counts_barriers() -> None:
    asked = body("barrier()\n  barrier()\n  s[0] = x[0]")
    assert asked.reported[0].says(EqualWrites).interval == 2


def test_a_race_carried_around_a_loop() -> None:
    text = "for i in 0..{} {{\n s[thread.x] = x[i]\n barrier()\n y[thread.x] = s[3 - thread.x]\n }}"
    assert body(text.format(1)).verdict is Verdict.CHECKED
    (reported,) = body(text.format(2)).reported
    assert (reported.at, reported.related, reported.says(DataRace).interval) == ("s[3 - thread.x]", ("s[thread.x]",), 1)


def test_a_race_that_hangs_on_values_of_others_is_replayed_with_all_threads() -> None:
    asked = body("c[thread.x] = thread.x\n barrier()\n m[c[thread.x] - c[3 - thread.x] + 3] = 1\n m[0] = 2")
    assert asked.codes[0] == "RW301"
    assert witness(asked.answer).fails is Failure.RACE


def test_threads_at_different_barriers() -> None:
    asked = body("if thread.x < 2 {\n barrier() } else {\n m[thread.x] = 1; barrier() }")
    (reported,) = asked.reported
    assert (reported.code, reported.at, reported.related) == ("RW303", "barrier()", ("barrier()",))
    divergence = reported.says(BarrierDivergence)
    assert (divergence.who.thread, divergence.other.thread) == ((0,), (2,))
    assert asked.answer.findings[0].place != asked.answer.findings[0].related[0].place


def test_threads_that_left_never_arrive() -> None:
    asked = body("if thread.x == 3 { return }\n barrier()")
    (reported,) = asked.reported
    assert (reported.code, reported.at, reported.related) == ("RW303", "barrier()", ("return",))
    divergence = reported.says(BarrierDivergence)
    assert (divergence.whereabouts, divergence.other.thread) == (Whereabouts.LEFT, (3,))
    assert witness(asked.answer).fails is Failure.DIVERGENCE


def test_one_barrier_reached_in_different_passes_of_a_loop_is_no_divergence() -> None:
    late = "var v = 0\n var late = thread.x\n while v < 2 {\n if late > 0 { late -= 1 } else {\n barrier(); v += 1 } }"
    assert body(late).verdict is Verdict.CHECKED


def test_a_loop_whose_passes_differ_diverges() -> None:
    assert body("for i in 0..thread.x { barrier() }").codes == ["RW303"]


def test_each_dimension_has_its_bound() -> None:
    text = "__shared__ float a[4][5]; a[threadIdx.x][threadIdx.x + 2] = 1.0f;"
    (reported,) = cuda(text).reported
    assert (reported.code, reported.at) == ("RW304", "a[threadIdx.x][threadIdx.x + 2]")
    outside = reported.says(IndexOutside)
    assert (outside.element.address, outside.extents, outside.act.does) == ((3, 5), (4, 5), AccessKind.WRITE)


def test_an_access_outside_is_left_out_and_the_others_go_on() -> None:
    asked = body("m[thread.x + 5] = 1\n y[0] = x[thread.x]")
    assert asked.codes == ["RW304", "RW301"]


def test_an_unsigned_index_below_zero_is_outside() -> None:
    (reported,) = cuda("y[threadIdx.x - 1] = 0.0f;").reported
    assert reported.says(IndexOutside).element.address == (4294967295,)


def test_a_vector_that_is_not_aligned() -> None:
    asked = cuda("float2 v = *reinterpret_cast<const float2 *>(&x[threadIdx.x]);")
    (reported,) = asked.reported
    assert reported.code == "RW306"
    misaligned = reported.says(MisalignedAccess)
    assert (misaligned.act.who.thread, misaligned.element.address) == ((1,), (1,))
    assert (misaligned.width, misaligned.alignment) == (8, 8)
    assert witness(asked.answer).fails is Failure.MISALIGNED


def test_division_by_zero() -> None:
    asked = body("m[thread.x] = n / (thread.x - 2)")
    (reported,) = asked.reported
    assert (reported.code, reported.at) == ("RW307", "n / (thread.x - 2)")
    assert reported.says(IntegerDividedByZero).who.thread == (2,)
    assert witness(asked.answer).fails is Failure.DIVISION


def test_a_failed_assertion() -> None:
    asked = body("assert thread.x < 3, n > 0")
    (reported,) = asked.reported
    assert (reported.code, reported.at) == ("RW308", "thread.x < 3")
    assert reported.says(AssertionFails).who.thread == (3,)
    assert witness(asked.answer).fails is Failure.ASSERTION


def test_what_is_assumed_away_is_not_reported() -> None:
    asked = body("assume n == 4\n y[0] = x[thread.x]")
    assert asked.verdict is Verdict.UNKNOWN
    assert asked.answer.reason == "every run is excluded by an `assume`"


ON_DATA = {
    "a branch on a float": ("if x[thread.x] > 0.0 { y[thread.x] = 1.0 }", Verdict.CHECKED, "5 choices of `x`"),
    "a loop on a float": ("var v = x[0]\n while v > 0.0 { v = v - 1.0 }", Verdict.CHECKED, "5 choices of `x`"),
    "a value behind a float": ("y[thread.x] = select(x[0] > 0.0, 1.0, 0.0)", Verdict.CHECKED, "N = 8, n = 5"),
    "a float as an index": ("m[convert(x[thread.x], s32)] = 1", Verdict.REFUTED, "choices of `x`"),
    "a barrier behind a float": ("if x[thread.x] > 0.0 { barrier() }", Verdict.REFUTED, "choices of `x`"),
}


@pytest.mark.parametrize(("statements", "verdict", "coverage"), ON_DATA.values(), ids=ON_DATA)
def test_inputs_are_varied_where_control_or_addresses_depend_on_them(
    statements: str, verdict: Verdict, coverage: str
) -> None:
    asked = body(statements)
    assert (asked.verdict, asked.answer.reason) == (verdict, None)
    assert asked.answer.coverage.text.endswith(coverage) or coverage in asked.answer.coverage.text


UNWRITTEN = {
    "memory": ("if c[thread.x] > 0 { m[thread.x] = 1 }", "c[thread.x]", "`c[0]`"),
    "a variable": ("var v: s32\n m[v] = 1", "v", "`v`"),
    "an output": ("m[thread.x] = m[thread.x] + 1", "m[thread.x]", "`m[0]`"),
}


@pytest.mark.parametrize(("statements", "at", "named"), UNWRITTEN.values(), ids=UNWRITTEN)
def test_what_was_never_written_is_not_read_and_what_comes_of_it_not_reported(
    statements: str, at: str, named: str
) -> None:
    asked = body(statements)
    (reported,) = asked.reported
    assert (reported.code, reported.at) == ("RW305", at)
    assert named in sentence(reported.diagnosis)
    assert witness(asked.answer).fails is Failure.UNINITIALISED


def test_a_race_before_the_undecided_place_still_counts() -> None:
    found = body("y[0] = x[thread.x]\n while n > 0 { m[0] = 1 }", budget=Budget(steps=100_000))
    assert (found.verdict, found.codes) == (Verdict.REFUTED, ["RW301"])


@pytest.mark.parametrize("make", [body, cuda])
def test_a_run_without_end_is_unknown(make: object) -> None:
    asked = body("while true { }") if make is body else cuda("while (1) { }", budget=Budget(steps=4_000_000))
    assert asked.verdict is Verdict.UNKNOWN
    assert "never ends" in (asked.answer.reason or "")


def test_sizes_beyond_memory_are_unknown() -> None:
    asked = ask("kernel big(x: out f32[100000, 100000]) { launch block(1); x[0, 0] = 1.0 }")
    assert asked.verdict is Verdict.UNKNOWN
    assert "more than" in (asked.answer.reason or "")


def test_a_block_has_at_most_1024_threads() -> None:
    assert body("m[0] = 1", launch="block(1024, 2)").verdict is Verdict.UNKNOWN
    assert body("m[thread.x % 8] = thread.x", launch="block(1024)").codes == ["RW301"]


def test_threads_of_a_three_dimensional_block() -> None:
    text = "kernel k(y: out f32[2, 3, 4]) { launch block(4, 3, 2); y[thread.z, thread.y, thread.x + 1] = 1.0 }"
    asked = ask(text)
    assert asked.reported[0].says(IndexOutside).act.who.thread == (3, 0, 0)
    assert witness(asked.answer).threads == (ThreadId((0,), (3, 0, 0)),)


def test_the_last_block_counts() -> None:
    text = "kernel k<N = 10>(y: out f32[N]) { launch grid(3), block(4); y[block.x * 4 + thread.x] = 1.0 }"
    asked = ask(text)
    assert asked.reported[0].says(IndexOutside).act.who.block == (2,)
    assert witness(asked.answer).threads == (ThreadId((2,), (2,)),)
    assert asked.answer.coverage.assumptions == ()
