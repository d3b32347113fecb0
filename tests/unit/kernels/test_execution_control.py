"""Control of the SIMT form: groups that part and meet, unset variables, what inputs reach, barriers, warps."""

from __future__ import annotations

import pytest
from assembler import F32, PRED, S32, U32, Assembler, number

from rewright.kernels.execution.run import RunOutcome
from rewright.model.index import Name
from rewright.model.simt import instructions as simt
from rewright.model.simt.instructions import ShuffleKind, VoteKind
from rewright.model.simt.types import Coordinate, Scalar
from rewright.model.simt.violation import (
    Deadlock,
    Divergence,
    DivisionByZero,
    FailedAssertion,
    InactiveLane,
    Unset,
    Violation,
)


def single(outcome: RunOutcome) -> Violation:
    """The only violation."""
    (violation,) = outcome.violations
    return violation


def assert_clean(outcome: RunOutcome) -> None:
    """Nothing went wrong, and nothing was left out."""
    assert outcome.violations == () and outcome.undecided is None and not outcome.dropped and not outcome.excluded


# ---------------------------------------------------------------------------------------------------------- control


@pytest.mark.parametrize("lanes", [1, 2, 7, 64])
def test_loops_of_different_length(lanes: int) -> None:
    a = Assembler()
    thread, total, counter = a.thread(), a.register(S32), a.register(S32)
    a.move(total, number(0))
    with a.count(counter, a.binary("%", thread, 5)):
        a.binary("+", total, counter, total)
        with a.when(a.binary("==", a.binary("&", counter, 1), 1)):
            a.binary("+", total, 100, total)
    n = a.binary("%", thread, 5)
    plain = a.binary("/", a.binary("*", n, a.binary("-", n, 1)), 2)
    expected = a.binary("+", plain, a.binary("*", a.binary("/", n, 2), 100))
    a.claim(a.binary("==", total, expected))
    assert_clean(a.run(lanes))


def test_each_lane_goes_its_own_way() -> None:
    a = Assembler()
    thread, value, kept = a.thread(), a.register(S32), a.local("kept", S32, 2)
    a.move(value, number(0))
    for lane in range(16):
        with a.when(a.binary("==", thread, lane)):
            a.binary("+", value, lane * lane, value)
            a.store(kept, lane % 2, value)
            a.claim(a.binary("==", a.load(kept, lane % 2), lane * lane))
    a.claim(a.binary("==", value, a.binary("*", thread, thread)))
    a.claim(a.binary("==", a.load(kept, a.binary("&", thread, 1)), a.binary("*", thread, thread)))
    assert_clean(a.run(16))


def test_threads_end_early() -> None:
    a = Assembler()
    thread = a.thread()
    with a.when(a.binary("<", thread, 3)):
        a.exit()
    a.claim(a.binary(">=", thread, 3))
    assert_clean(a.run(8))
    a.exit()
    a.claim(number(0, PRED))
    assert_clean(a.run(8))


def test_coordinates() -> None:
    a = Assembler()
    of = {c: [a.position(c, axis) for axis in range(3)] for c in (Coordinate.THREAD, Coordinate.BLOCK_DIM)}
    thread, size = of[Coordinate.THREAD], of[Coordinate.BLOCK_DIM]
    number_of = a.binary(
        "+", thread[0], a.binary("*", size[0], a.binary("+", thread[1], a.binary("*", size[1], thread[2])))
    )
    a.claim(a.binary("==", a.position(Coordinate.LANE), a.binary("%", number_of, 4)))
    a.claim(a.binary("==", a.position(Coordinate.WARP), a.binary("/", number_of, 4)))
    a.claim(a.binary("==", a.position(Coordinate.WARP_SIZE), 4))
    for axis, extent in enumerate((3, 2, 2)):
        a.claim(a.binary("==", size[axis], extent))
        a.claim(a.binary("<", thread[axis], extent))
        a.claim(a.binary("==", a.position(Coordinate.GRID_DIM, axis, Scalar.U32), 1))
        a.claim(a.binary("==", a.position(Coordinate.BLOCK, axis, Scalar.S64), 0))
    assert_clean(a.run((3, 2, 2), warp=4))


def test_launches_that_no_hardware_takes() -> None:
    for size in (0, 1025):
        outcome = Assembler().run(size)
        assert outcome.undecided is not None and "1024" in outcome.undecided[0]


def test_parameters_without_a_value() -> None:
    a = Assembler()
    a.binary("+", a.uniform("n", S32, 3), 1)
    assert_clean(a.run(1))
    del a.values[Name("n")]
    outcome = a.run(1)
    assert outcome.undecided is not None and "`n`" in outcome.undecided[0]


def test_endless_loops_end() -> None:
    a = Assembler()
    with a.count(a.register(S32), number(2**31 - 1)):
        pass
    outcome = a.run(4, steps=1000)
    assert outcome.undecided is not None and "1000 steps" in outcome.undecided[0]
    assert outcome.steps <= 1010


def test_assumptions_leave_runs_out() -> None:
    a = Assembler()
    thread = a.thread()
    a.claim(number(0, PRED))
    a.emit(simt.Assume(a.binary("<", thread, 4), a.here))
    assert isinstance(single(a.run(4)), FailedAssertion)
    outcome = a.run(5)
    assert outcome.excluded and outcome.violations == ()


# ------------------------------------------------------------------------------------------------------------ claims


def test_divisions_by_zero() -> None:
    for operator in "/%":
        a = Assembler()
        thread = a.thread()
        place = a.here
        found = a.binary(operator, number(77), a.binary("*", a.binary("-", thread, 2), 5))
        a.claim(a.binary("!=", found, 0))
        outcome = a.run(4)
        violation = single(outcome)
        assert isinstance(violation, DivisionByZero) and violation.thread.index == (2, 0, 0)
        assert outcome.dropped and place.number + 2 == violation.place.number  # type: ignore[union-attr]
    a = Assembler()
    a.binary("/", number(6), a.move(a.register(S32), number(0)))
    a.binary("/", number(1.0, F32), a.move(a.register(F32), number(0.0, F32)))
    assert isinstance(single(a.run(1)), DivisionByZero)


def test_assertions_name_the_first_thread_and_are_reported_once() -> None:
    a = Assembler()
    thread, counter = a.thread(), a.register(S32)
    with a.count(counter, number(3)):
        place = a.claim(a.binary("<", thread, a.binary("-", number(4), counter)))
        a.barrier()
    violation = single(a.run(4))
    assert isinstance(violation, FailedAssertion)
    assert (violation.place, violation.thread.index, violation.interval) == (place, (3, 0, 0), 1)


def test_variables_without_a_value() -> None:
    a = Assembler()
    thread, value = a.thread(), a.register(S32, "value")
    with a.when(a.binary("!=", thread, 5)):
        a.move(value, thread)
    with a.when(a.binary("<", thread, 5)):
        a.claim(a.binary("==", value, thread))
    assert_clean(a.run(8))
    place = a.here
    a.claim(a.binary("!=", a.binary("*", value, 2), 7))
    outcome = a.run(8)
    violation = single(outcome)
    assert isinstance(violation, Unset)
    assert (violation.variable, violation.thread.index, violation.place) == ("value", (5, 0, 0), place)
    assert outcome.dropped


def test_a_variable_that_no_lane_has_set() -> None:
    for lanes in (1, 4):
        a = Assembler()
        value = a.register(F32, "value")
        place = a.here
        a.claim(a.binary(">", a.binary("+", value, number(1.0, F32)), number(0.0, F32)))
        violation = single(a.run(lanes))
        assert isinstance(violation, Unset) and violation.place == place


def test_what_nothing_depends_on_may_be_unset() -> None:
    a = Assembler()
    value = a.register(F32, "value")
    a.binary("+", value, number(1.0, F32))
    assert_clean(a.run(4))


def test_what_comes_of_undefined_values_is_left_out() -> None:
    a = Assembler()
    kept, value = a.shared("kept", S32, 4), a.register(S32, "value")
    thread = a.thread()
    a.load(kept, a.binary("+", value, 100))
    with a.when(a.binary("==", value, 0)):
        a.store(kept, 0, thread)
        a.claim(number(0, PRED))
    outcome = a.run(4)
    assert isinstance(single(outcome), Unset) and outcome.dropped
    assert outcome.races.certain() == () and outcome.depends == frozenset()


# ----------------------------------------------------------------------------------------------- what inputs reach


def maximum(then_store: bool) -> Assembler:
    """The larger of two inputs by a branch, and a branch on the result."""
    a = Assembler()
    data, kept = a.input("data", S32, [4, 1, 3, 2, 9, 9, 9, 9]), a.output("kept", S32, 8)
    thread, best = a.thread(), a.register(S32)
    other = a.load(data, a.binary("+", thread, 4))
    a.move(best, a.load(data, thread))
    with a.when(a.binary("<", best, other)):
        a.move(best, other)
    if then_store:
        a.store(kept, best, thread)
    else:
        a.store(kept, thread, best)
    return a


def test_a_branch_that_only_writes_registers_is_no_control() -> None:
    assert maximum(False).run(4).depends == frozenset()
    assert maximum(True).run(4).depends == {"data"}


@pytest.mark.parametrize("data", [[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1]])
@pytest.mark.parametrize("which", ["then", "otherwise", "before", "both"])
def test_both_ways_of_such_a_branch_reach_what_they_write(data: list[int], which: str) -> None:
    a = Assembler()
    given, kept = a.input("given", S32, data), a.output("kept", S32, 8)
    thread, value = a.thread(), a.register(S32)
    condition = a.binary("==", a.load(given, thread), 1)
    a.move(value, number(2))
    with a.when(condition):
        if which in ("then", "both"):
            a.move(value, number(3))
    with a.unless(condition):
        if which in ("otherwise", "both"):
            a.move(value, number(4))
    a.store(kept, value, thread)
    assert a.run(4).depends == (frozenset() if which == "before" else {"given"})


def test_a_value_set_after_such_a_branch_does_not_come_from_it() -> None:
    a = Assembler()
    given, kept = a.input("given", S32, [0, 1, 0, 1]), a.output("kept", S32, 8)
    thread, value = a.thread(), a.register(S32)
    a.move(value, number(0))
    with a.when(a.binary("==", a.load(given, thread), 1)):
        a.move(value, number(3))
    a.move(value, thread)
    a.store(kept, value, thread)
    assert a.run(4).depends == frozenset()


def test_ways_within_ways() -> None:
    for place, expected in ((0, {"first"}), (1, {"first", "second"})):
        a = Assembler()
        first, second = a.input("first", S32, [0, 1, 0, 1]), a.input("second", S32, [0, 0, 1, 1])
        kept, thread = a.output("kept", S32, 8), a.thread()
        values = [a.move(a.register(S32), thread) for _ in range(2)]
        x, y = a.load(first, thread), a.load(second, thread)
        with a.when(a.binary("==", x, 1)):
            a.move(values[0], a.binary("^", thread, 1))
            with a.when(a.binary("==", y, 1)):
                a.move(values[1], a.binary("^", thread, 2))
        a.store(kept, values[place], thread)
        assert a.run(4).depends == expected


@pytest.mark.parametrize("what", ["load", "store", "barrier", "division", "exit", "vote", "loop", "assertion"])
def test_other_branches_are_control(what: str) -> None:
    a = Assembler()
    given, kept = a.input("given", S32, [1, 1, 1, 1]), a.output("kept", S32, 8)
    thread, counter = a.thread(), a.register(S32)
    with a.when(a.binary("==", a.load(given, thread), 1)):
        match what:
            case "load":
                a.load(given, thread)
            case "store":
                a.store(kept, thread, thread)
            case "barrier":
                a.barrier()
            case "division":
                a.binary("/", thread, a.binary("+", thread, 1))
            case "exit":
                a.exit()
            case "vote":
                vote(a, VoteKind.ANY, a.binary("==", thread, 1))
            case "loop":
                with a.count(counter, number(2)):
                    pass
            case _:
                a.claim(number(1, PRED))
    assert a.run(4).depends == {"given"}


def test_parameters_of_floats_are_inputs_and_integers_are_not() -> None:
    a = Assembler()
    scale, size = a.uniform("scale", F32, 2.0), a.uniform("size", S32, 3)
    kept = a.output("kept", S32, 8)
    with a.when(a.binary("<", a.thread(), size)):
        a.store(kept, size, size)
    assert a.run(4).depends == frozenset()
    with a.when(a.binary("==", scale, number(2.0, F32))):
        a.store(kept, 1, size)
    assert a.run(4).depends == {"scale"}


# ---------------------------------------------------------------------------------------------------------- barriers


def test_barriers_bring_all_lanes_together() -> None:
    a = Assembler()
    kept, thread = a.shared("kept", S32, 64), a.thread()
    with a.when(a.binary("<", thread, 9)):
        a.binary("+", thread, 1)
    a.store(kept, thread, thread)
    a.barrier()
    a.claim(a.binary("==", a.load(kept, a.binary("-", number(63), thread)), a.binary("-", number(63), thread)))
    outcome = a.run(64)
    assert_clean(outcome)
    assert outcome.races.certain() == ()


@pytest.mark.parametrize(("kind", "expected"), [(VoteKind.ALL, 0), (VoteKind.ANY, 1), (VoteKind.COUNT, 3)])
def test_votes_of_the_block(kind: VoteKind, expected: int) -> None:
    a = Assembler()
    thread = a.thread()
    truth = a.binary("<", thread, 3)
    result = a.register(S32 if kind is VoteKind.COUNT else PRED)
    a.emit(simt.Barrier(kind, result, truth, a.here))
    a.claim(a.binary("==", result, number(expected, result.type)))
    assert_clean(a.run(8))


def test_barriers_that_not_all_come_to() -> None:
    a = Assembler()
    thread = a.thread()
    first = a.binary("==", thread, 1)
    with a.when(first):
        early = a.barrier()
    with a.unless(first):
        late = a.barrier()
    violation = single(a.run(4))
    assert isinstance(violation, Divergence)
    assert (violation.first.place, violation.second.place) == (early, late)
    assert (violation.first.thread.index, violation.second.thread.index) == ((1, 0, 0), (0, 0, 0))
    a = Assembler()
    with a.when(a.binary("==", a.thread(), 2)):
        a.exit()
    place = a.barrier()
    violation = single(a.run(4))
    assert isinstance(violation, Divergence) and violation.first.place == place and violation.second.place is None


# ------------------------------------------------------------------------------------------------------------- warps


def vote(a: Assembler, kind: VoteKind, truth: simt.Operand, mask: int = 0xFFFFFFFF) -> simt.Register:
    """A vote of a warp."""
    result = a.register(PRED if kind in (VoteKind.ALL, VoteKind.ANY) else U32)
    a.emit(simt.Vote(kind, result, number(mask, U32), truth, a.here))
    return result


def shuffle(
    a: Assembler, kind: ShuffleKind, value: simt.Operand, lane: simt.Operand, mask: int = 0xFFFFFFFF, width: int = 32
) -> simt.Register:
    """A shuffle."""
    result = a.register(value.type)
    a.emit(simt.Shuffle(kind, result, number(mask, U32), value, lane, number(width), a.here))
    return result


@pytest.mark.parametrize("lanes", [4, 32, 40, 64])
def test_sums_by_shuffles(lanes: int) -> None:
    a = Assembler()
    thread = a.thread()
    total = a.move(a.register(S32), a.binary("&", thread, 3))
    for distance in (2, 1):
        other = shuffle(a, ShuffleKind.XOR, total, number(distance))
        a.binary("+", total, other, total)
    a.claim(a.binary("==", total, 6))
    first = shuffle(a, ShuffleKind.INDEX, a.convert(thread, F32), number(0))
    a.claim(a.binary("==", first, a.convert(a.binary("*", a.binary("/", thread, 32), 32), F32)))
    assert_clean(a.run(lanes))


def test_shuffles_of_lanes_that_come_one_after_the_other() -> None:
    a = Assembler()
    thread, got = a.thread(), a.register(S32)
    even = a.binary("==", a.binary("&", thread, 1), 0)
    with a.when(even):
        a.move(got, shuffle(a, ShuffleKind.XOR, a.binary("*", thread, 10), number(1)))
    with a.unless(even):
        a.move(got, shuffle(a, ShuffleKind.XOR, a.binary("*", thread, 10), number(1)))
    a.claim(a.binary("==", got, a.binary("*", a.binary("^", thread, 1), 10)))
    assert_clean(a.run(8))


def test_shuffles_of_a_part() -> None:
    a = Assembler()
    thread = a.thread()
    with a.when(a.binary("<", thread, 4)):
        a.claim(a.binary("==", shuffle(a, ShuffleKind.INDEX, thread, number(3), 0xF), 3))
    with a.unless(a.binary("<", thread, 4)):
        got = shuffle(a, ShuffleKind.DOWN, thread, number(1), 0xF0)
        a.claim(a.binary("==", got, a.binary("+", thread, 1)))
    violation = single(a.run(8))
    assert isinstance(violation, InactiveLane)
    assert (violation.thread.index, violation.source) == ((7, 0, 0), 8)
    b = Assembler()
    thread = b.thread()
    with b.when(b.binary("<", thread, 4)):
        b.claim(b.binary("==", shuffle(b, ShuffleKind.UP, thread, number(1), 0xF, 2), b.binary("&", thread, 2)))
    assert_clean(b.run(8))


def test_votes_of_warps() -> None:
    a = Assembler()
    thread = a.thread()
    truth = a.binary("<", thread, 5)
    first = a.binary("<", thread, 4)
    a.claim(a.binary("==", vote(a, VoteKind.ALL, truth), first))
    a.claim(vote(a, VoteKind.ANY, truth))
    a.claim(a.binary("==", vote(a, VoteKind.BALLOT, truth), a.choose(first, number(15, U32), number(1, U32))))
    a.claim(a.binary("==", vote(a, VoteKind.COUNT, truth), a.choose(first, number(4, U32), number(1, U32))))
    assert_clean(a.run(8, warp=4))


def test_active_masks() -> None:
    a = Assembler()
    thread, mask = a.thread(), a.register(U32)
    with a.when(a.binary("==", a.binary("&", thread, 1), 1)):
        a.emit(simt.ActiveMask(mask, a.here))
        a.claim(a.binary("==", mask, 0xA))
    assert_clean(a.run(8, warp=4))
    a.emit(simt.ActiveMask(mask, a.here))
    a.claim(a.binary("==", mask, 0xF))
    assert_clean(a.run(8, warp=4))


def test_warp_barriers_order_memory_and_shuffles_do_not() -> None:
    for is_barrier in (True, False):
        a = Assembler()
        kept, thread = a.shared("kept", S32, 8), a.thread()
        a.store(kept, thread, thread)
        if is_barrier:
            a.emit(simt.WarpBarrier(number(0xFFFFFFFF, U32), a.here))
        else:
            shuffle(a, ShuffleKind.INDEX, thread, number(0))
        a.load(kept, a.binary("^", thread, 1))
        assert bool(a.run(8, warp=4).races.certain()) is not is_barrier


def test_lanes_that_have_ended_are_not_waited_for() -> None:
    a = Assembler()
    thread = a.thread()
    with a.when(a.binary("==", thread, 0)):
        a.emit(simt.WarpBarrier(number(3, U32), a.here))
        a.claim(number(1, PRED))
    with a.when(a.binary("==", thread, 1)):
        a.exit()
    assert_clean(a.run(2))


def test_deadlocks() -> None:
    a = Assembler()
    thread = a.thread()
    with a.when(a.binary("==", thread, 0)):
        place = a.emit(simt.WarpBarrier(number(3, U32), a.here))
    with a.when(a.binary("==", thread, 1)):
        other = a.emit(simt.WarpBarrier(number(1, U32), a.here))
    found = a.run(2).violations
    assert all(isinstance(each, Deadlock) for each in found)
    assert {each.first.place for each in found if isinstance(each, Deadlock)} == {place, other}


def test_values_that_are_exchanged_come_from_the_same_inputs() -> None:
    a = Assembler()
    given, kept = a.input("given", S32, [0, 1, 2, 3]), a.output("kept", S32, 4)
    thread = a.thread()
    value = a.load(given, thread)
    got = shuffle(a, ShuffleKind.XOR, value, number(1))
    truth = vote(a, VoteKind.ANY, a.binary("==", value, 2))
    assert a.run(4).depends == frozenset()
    a.store(kept, got, thread)
    with a.when(truth):
        a.barrier()
    assert a.run(4).depends == {"given"}


def test_whether_a_variable_is_set_may_depend_on_inputs() -> None:
    for data in ([0, 0], [1, 1]):
        a = Assembler()
        given, kept = a.input("given", S32, data), a.output("kept", S32, 2)
        thread, value = a.thread(), a.register(S32, "value")
        with a.when(a.binary("==", a.load(given, thread), 1)):
            a.move(value, thread)
        a.store(kept, thread, value)
        outcome = a.run(2)
        assert outcome.depends == {"given"}
        assert [type(each) for each in outcome.violations] == ([] if data[0] else [Unset])
    a = Assembler()
    given, thread = a.input("given", S32, [0, 0]), a.thread()
    value, other = a.register(S32, "value"), a.move(a.register(S32), number(0))
    with a.when(a.binary("==", a.load(given, thread), 1)):
        a.move(other, value)
    assert a.run(2).depends == {"given"}


def test_whether_a_divisor_is_zero_may_depend_on_inputs() -> None:
    a = Assembler()
    given, other = a.input("given", S32, [1, 2]), a.input("other", S32, [1, 2])
    thread = a.thread()
    a.binary("/", a.load(given, thread), a.load(other, thread))
    assert a.run(2).depends == {"other"}


def test_whether_a_lane_takes_part_may_depend_on_inputs() -> None:
    a = Assembler()
    given, thread = a.input("given", S32, [1, 0, 3, 2]), a.thread()
    shuffle(a, ShuffleKind.INDEX, thread, a.load(given, thread))
    outcome = a.run(4)
    assert_clean(outcome)
    assert outcome.depends == {"given"}
