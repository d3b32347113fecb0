"""The replay of kernels: what happens as claimed is confirmed, with its passes of loops; whatever differs is not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from rewright.emit.builder import Builder, Label
from rewright.frontends.own.lower import lower_own
from rewright.model.body import Body
from rewright.model.check_declaration import check_declaration
from rewright.model.index import Name
from rewright.model.kernel import Kernel
from rewright.model.simt.instructions import Assert, Atomic, AtomicScope, Binary, Choose, Constant, Convert, Load, Move
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.model.simt.violation import (
    Access,
    CollisionScope,
    Deadlock,
    Divergence,
    DivisionByZero,
    FailedAssertion,
    InactiveLane,
    Misaligned,
    Order,
    OutOfBounds,
    Race,
    ReadOnly,
    Setting,
    Thread,
    Uninitialised,
    Unset,
    Violation,
    Wait,
)
from rewright.model.surroundings import Surroundings
from rewright.replay.kernel.outcome import Replayed, ReplayOutcome
from rewright.replay.kernel.replayed import replay
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import AccessKind, Place, Site

HOLDS, FAILS, TOO_LONG = ReplayOutcome.HOLDS, ReplayOutcome.FAILS, ReplayOutcome.TOO_LONG
READ, WRITE, ATOMIC = AccessKind.READ, AccessKind.WRITE, AccessKind.ATOMIC
X, Y, S, C = range(4)


class Case(Struct, frozen=True):
    """A kernel over x (in) and y (inout), eight elements each, shared s (floats) and c (integers); n is 5."""

    text: str
    sites: tuple[Any, ...]
    program: Program
    setting: Setting

    def at(self, written: str, number: int = 0) -> Place:
        """The place of the text at its so-manieth occurrence."""
        start = -1
        for _ in range(number + 1):
            start = self.text.index(written, start + 1)
        spans = [(span.start, span.end) for span in self.sites]
        return Site(spans.index((start, start + len(written))))

    def access(self, lane: int, kind: AccessKind, where: tuple[int, int], place: Place, interval: int = 0) -> Access:
        number, index = where
        return Access(thread(lane), kind, number, 4 * index, 4, interval, place)

    def replay(self, violation: Violation, steps: int = 10**6) -> Replayed:
        return replay(self.program, self.setting, violation, steps)

    def outcome(self, violation: Violation) -> ReplayOutcome:
        return self.replay(violation).outcome


def thread(lane: int, block: int = 0) -> Thread:
    return Thread((block, 0, 0), (lane, 0, 0))


def case(statements: str, block: int = 8, grid: int = 1) -> Case:
    """A kernel with warps of four threads."""
    header = "kernel k(x: in f32[8], y: inout s32[8], n: s32) {\n  launch block(8)\n  shared s: f32[8]\n"
    text = f"{header}  shared c: s32[8]\n  {statements}\n}}\n"
    (placed,) = parse(Text.of("kernel.rw", text)).file.declarations
    model = check_declaration(placed.node, placed.problems, Surroundings())
    assert isinstance(model.value, Kernel), (model.findings, model.unsupported)
    assert isinstance(model.value.body, Body)
    contents = ((Name("x"), tuple(float(i) for i in range(8))), (Name("y"), tuple(range(0, 80, 10))))
    values = ((Name("n"), 5),)
    setting = Setting((grid, 1, 1), (block, 1, 1), values, contents, Order.ASCENDING, 4)
    return Case(text, model.sites, lower_own(model.value.body), setting)


# ------------------------------------------------------------------------------------------------------------- races


def exchange(between: str) -> tuple[Case, Race]:
    """Thread 1 writes c[1], thread 0 reads it."""
    made = case(f"c[thread.x] = thread.x\n  {between}\n  y[thread.x] = c[(thread.x + 1) % 8]")
    read = made.access(0, READ, (C, 1), made.at("c[(thread.x + 1) % 8]"))
    written = made.access(1, WRITE, (C, 1), made.at("c[thread.x]"))
    return made, Race(Name("c"), (1,), CollisionScope.WARP, equal=False, first=written, second=read)


def across(between: str) -> tuple[Case, Race]:
    """The same of threads 3 and 4, which are of two warps."""
    made, _ = exchange(between)
    read = made.access(3, READ, (C, 4), made.at("c[(thread.x + 1) % 8]"))
    written = made.access(4, WRITE, (C, 4), made.at("c[thread.x]"))
    return made, Race(Name("c"), (4,), CollisionScope.BLOCK, equal=False, first=written, second=read)


@pytest.mark.parametrize(
    ("between", "in_warp", "of_two"),
    [
        ("", HOLDS, HOLDS),
        ("barrier()", FAILS, FAILS),
        ("barrier(warp)", FAILS, HOLDS),
        ("if lane < 2 { barrier(warp, 3) }", FAILS, HOLDS),
        ("if lane != 1 { barrier(warp, 13) }", HOLDS, HOLDS),
        ("if lane > 0 { barrier(warp, 14) }\n  if lane < 3 { barrier(warp, 7) }", FAILS, HOLDS),
        ("if lane > 1 { barrier(warp, 12) }\n  if lane < 2 { barrier(warp, 3) }", FAILS, HOLDS),
        ("if lane == 1 or lane == 2 { barrier(warp, 6) }\n  if lane % 2 == 0 { barrier(warp, 5) }", FAILS, HOLDS),
        ("if lane % 2 == 0 { barrier(warp, 5) }\n  if lane == 1 or lane == 2 { barrier(warp, 6) }", HOLDS, HOLDS),
        ("let v = shuffle(n, 0)", HOLDS, HOLDS),
        ("let v = ballot(true)", HOLDS, HOLDS),
    ],
)
def test_what_orders_two_accesses(between: str, in_warp: ReplayOutcome, of_two: ReplayOutcome) -> None:
    made, race = exchange(between)
    assert made.outcome(race) is in_warp
    made, race = across(between)
    assert made.outcome(race) is of_two


def test_a_race_that_is_not_quite_as_claimed() -> None:
    made, race = across("")
    written, read = race.first, race.second
    assert made.outcome(race) is HOLDS
    wrong = [
        replace(race, array=Name("s")),
        replace(race, address=(3,)),
        replace(race, scope=CollisionScope.WARP),
        replace(race, scope=CollisionScope.GRID),
        replace(race, equal=True),
        replace(race, first=read, second=written),
        replace(race, first=replace(written, thread=thread(5))),
        replace(race, first=replace(written, kind=ATOMIC)),
        replace(race, first=replace(written, kind=READ)),
        replace(race, first=replace(written, offset=20)),
        replace(race, first=replace(written, width=8)),
        replace(race, first=replace(written, interval=1)),
        replace(race, first=replace(written, place=read.place)),
        replace(race, first=replace(written, object=S)),
        replace(race, first=replace(written, object=9)),
        replace(race, second=replace(read, thread=thread(4))),
        replace(race, second=replace(read, interval=1)),
        replace(race, second=replace(read, thread=Thread((1, 0, 0), (3, 0, 0)))),
    ]
    assert [made.outcome(each) for each in wrong] == [FAILS] * len(wrong)


def test_two_reads_and_two_atomics_do_not_race() -> None:
    made = case("y[thread.x] = c[0]\n  atomic_add(c[1], 1)")
    read, atomic = made.at("c[0]"), made.at("atomic_add(c[1], 1)")
    for kind, place, index in ((READ, read, 0), (ATOMIC, atomic, 1)):
        pair = (made.access(0, kind, (C, index), place), made.access(5, kind, (C, index), place))
        assert made.outcome(Race(Name("c"), (index,), CollisionScope.BLOCK, False, *pair)) is FAILS
    made = case("atomic_add(c[1], 1)\n  y[thread.x] = c[1]")
    pair = (
        made.access(0, ATOMIC, (C, 1), made.at("atomic_add(c[1], 1)")),
        made.access(5, READ, (C, 1), made.at("c[1]", 1)),
    )
    race = Race(Name("c"), (1,), CollisionScope.BLOCK, False, *pair)
    assert made.outcome(race) is HOLDS
    assert made.outcome(replace(race, equal=True)) is FAILS, "only writes can be of equal values"


def collision(value: str, equal: bool, before: str = "") -> tuple[Case, Race]:
    made = case(f"{before}c[thread.x % 4] = {value}")
    place = made.at("c[thread.x % 4]")
    accesses = (made.access(0, WRITE, (C, 0), place), made.access(4, WRITE, (C, 0), place))
    return made, Race(Name("c"), (0,), CollisionScope.BLOCK, equal, *accesses)


def test_equal_writes_are_equal_wherever_they_collide() -> None:
    for value, equal, unequal in (("7", HOLDS, HOLDS), ("thread.x", FAILS, HOLDS), ("thread.x / 7", FAILS, HOLDS)):
        made, race = collision(value, equal=True)
        assert made.outcome(race) is equal, value
        assert made.outcome(replace(race, equal=False)) is unequal, value


def test_writes_with_barriers_between_need_not_be_equal() -> None:
    made = case("for i in 0..2 { c[0] = i; barrier() }")
    accesses = (made.access(0, WRITE, (C, 0), made.at("c[0]")), made.access(4, WRITE, (C, 0), made.at("c[0]")))
    race = Race(Name("c"), (0,), CollisionScope.BLOCK, True, *accesses)
    found = made.replay(race)
    assert (found.outcome, found.opened) == (HOLDS, None)
    later = tuple(replace(access, interval=1) for access in accesses)
    found = made.replay(Race(Name("c"), (0,), CollisionScope.BLOCK, True, *later))
    assert (found.outcome, found.opened) == (HOLDS, made.at("barrier()"))
    assert [[each.number for each in passes] for passes in found.iterations] == [[2], [2]]


def test_equal_writes_may_be_the_other_way_round() -> None:
    made = case("for i in 0..2 {\n    c[0] = 7 + i\n    if i == 0 { c[0] = 7 }\n  }")
    first, second = (made.access(lane, WRITE, (C, 0), made.at("c[0]", each)) for each, lane in enumerate((0, 4)))
    race = Race(Name("c"), (0,), CollisionScope.BLOCK, equal=False, first=first, second=second)
    assert made.outcome(race) is HOLDS
    assert made.outcome(replace(race, equal=True)) is FAILS, "the 7 of the second place and the 8 of the first"


def test_writes_with_a_barrier_of_the_warp_between_need_not_be_equal() -> None:
    """Lanes 0 and 2 meet between; lanes 0 and 1 do not, and write the same."""
    made = case(
        "if thread.x == 0 { c[0] = 1 }\n  if thread.x == 0 or thread.x == 2 { barrier(warp, 5) }\n  "
        "if thread.x == 1 or thread.x == 2 { c[0] = thread.x * 4 - 3 }"
    )
    first, second = (made.access(each, WRITE, (C, 0), made.at("c[0]", each)) for each in (0, 1))
    assert made.outcome(Race(Name("c"), (0,), CollisionScope.WARP, equal=True, first=first, second=second)) is HOLDS


def test_the_passes_of_loops_around_equal_writes() -> None:
    made = case(
        "for i in 0..3 {\n    if i == 0 and thread.x == 0 { c[0] = 1 }\n    "
        "if i == 2 and thread.x == 4 { c[0] = 1 }\n  }"
    )
    first, second = (made.access(lane, WRITE, (C, 0), made.at("c[0]", each)) for each, lane in enumerate((0, 4)))
    found = made.replay(Race(Name("c"), (0,), CollisionScope.BLOCK, equal=True, first=first, second=second))
    assert found.outcome is HOLDS
    assert [[each.number for each in passes] for passes in found.iterations] == [[1], [3]]


def test_a_block_of_one_warp_has_no_race_of_a_warp() -> None:
    made = case("c[thread.x] = thread.x\n  y[thread.x] = c[(thread.x + 1) % 4]", block=4)
    read = made.access(0, READ, (C, 1), made.at("c[(thread.x + 1) % 4]"))
    race = Race(
        Name("c"),
        (1,),
        CollisionScope.BLOCK,
        equal=False,
        first=made.access(1, WRITE, (C, 1), made.at("c[thread.x]")),
        second=read,
    )
    assert made.outcome(race) is HOLDS
    assert made.outcome(replace(race, scope=CollisionScope.WARP)) is FAILS


def test_a_race_names_the_element_by_all_its_indices() -> None:
    made = case("shared t: s32[4, 2]\n  t[1, thread.x % 2] = thread.x")
    place = made.at("t[1, thread.x % 2]")
    accesses = tuple(Access(thread(lane), WRITE, 4, 12, 4, 0, place) for lane in (1, 5))
    assert made.outcome(Race(Name("t"), (1, 1), CollisionScope.BLOCK, False, *accesses)) is HOLDS
    assert made.outcome(Race(Name("t"), (3,), CollisionScope.BLOCK, False, *accesses)) is FAILS


def test_a_race_of_a_warp_is_one_of_two_steps() -> None:
    """In one step the values are equal, from step to step they are not."""
    made = case("for i in 0..2 { if lane < 2 and thread.x < 4 { c[0] = i } }")
    accesses = tuple(made.access(lane, WRITE, (C, 0), made.at("c[0]")) for lane in (0, 1))
    race = Race(Name("c"), (0,), CollisionScope.WARP, equal=False, first=accesses[0], second=accesses[1])
    found = made.replay(race)
    assert found.outcome is HOLDS
    assert [[each.number for each in passes] for passes in found.iterations] == [[1], [2]]
    assert made.outcome(replace(race, equal=True)) is FAILS


def test_equal_writes_in_a_long_loop_are_compared_in_time() -> None:
    made = case("for i in 0..3000 { c[0] = 7 }")
    accesses = tuple(made.access(lane, WRITE, (C, 0), made.at("c[0]")) for lane in (0, 4))
    assert (
        made.outcome(Race(Name("c"), (0,), CollisionScope.BLOCK, equal=True, first=accesses[0], second=accesses[1]))
        is HOLDS
    )


def test_a_race_between_blocks_is_one_of_blocks_run_alone() -> None:
    made = case("y[thread.x] = block.x", grid=2)
    place = made.at("y[thread.x]")
    accesses = tuple(Access(thread(3, block), WRITE, Y, 12, 4, 0, place) for block in (0, 1))
    race = Race(Name("y"), (3,), CollisionScope.GRID, equal=False, first=accesses[0], second=accesses[1])
    assert made.outcome(race) is HOLDS
    assert made.outcome(replace(race, equal=True)) is FAILS
    assert made.outcome(replace(race, second=replace(accesses[1], thread=thread(4, 1)))) is FAILS
    assert made.outcome(replace(race, scope=CollisionScope.BLOCK)) is FAILS
    same = case("y[thread.x] = 1", grid=2)
    assert same.outcome(replace(race, equal=True)) is HOLDS
    text = "for i in 0..2 { let at = min(thread.x + 3 * block.x, 3); y[at] = select(at == 3, 1, i) }"
    alone = case(text, grid=2)
    ends = tuple(Access(thread(lane, block), WRITE, Y, 12, 4, 0, alone.at("y[at]")) for block, lane in ((0, 3), (1, 0)))
    assert alone.outcome(Race(Name("y"), (3,), CollisionScope.GRID, equal=True, first=ends[0], second=ends[1])) is HOLDS
    shared = case("c[thread.x] = 1", grid=2)
    apart = tuple(Access(thread(3, block), WRITE, C, 12, 4, 0, shared.at("c[thread.x]")) for block in (0, 1))
    assert (
        shared.outcome(Race(Name("c"), (3,), CollisionScope.GRID, equal=False, first=apart[0], second=apart[1]))
        is FAILS
    )


def test_equal_writes_of_two_blocks_are_equal_at_every_element() -> None:
    made = case("y[thread.x] = select(thread.x == 3, 1, block.x)", grid=2)
    accesses = tuple(Access(thread(3, block), WRITE, Y, 12, 4, 0, made.at("y[thread.x]")) for block in (0, 1))
    race = Race(Name("y"), (3,), CollisionScope.GRID, equal=False, first=accesses[0], second=accesses[1])
    assert made.outcome(race) is HOLDS
    assert made.outcome(replace(race, equal=True)) is FAILS, "thread 4 writes 0 in one block and 1 in the other"
    text = "if block.x == 0 { y[thread.x] = select(thread.x == 3, 1, 5) } else { y[thread.x] = 1 }"
    made = case(text, grid=2)
    accesses = tuple(Access(thread(3, at), WRITE, Y, 12, 4, 0, made.at("y[thread.x]", at)) for at in (0, 1))
    race = Race(Name("y"), (3,), CollisionScope.GRID, equal=False, first=accesses[0], second=accesses[1])
    assert made.outcome(race) is HOLDS
    assert made.outcome(replace(race, equal=True)) is FAILS, "thread 4 writes 5 at one place and 1 at the other"


def test_atomics_of_block_scope_race_between_blocks_only() -> None:
    made = case("atomic_add(y[0], 1)", grid=2)
    code = (replace(each, scope=AtomicScope.BLOCK) if isinstance(each, Atomic) else each for each in made.program.code)
    scoped = replace(made, program=replace(made.program, code=tuple(code)))
    first, second, beside = (
        Access(at, AccessKind.BLOCK_ATOMIC, Y, 0, 4, 0, made.at("atomic_add(y[0], 1)"))
        for at in (thread(0, 0), thread(0, 1), thread(5, 0))
    )
    assert scoped.outcome(Race(Name("y"), (0,), CollisionScope.GRID, equal=False, first=first, second=second)) is HOLDS
    assert scoped.outcome(Race(Name("y"), (0,), CollisionScope.BLOCK, equal=False, first=first, second=beside)) is FAILS


def test_the_passes_of_loops_around_each_access() -> None:
    made = case(
        "c[thread.x] = 0\n  barrier()\n  for i in 0..3 {\n    for j in 0..2 {\n      "
        "if i == 2 and j == 1 and thread.x == 0 { c[5] = 1 }\n    }\n    if i == 1 { y[thread.x] = c[thread.x] }\n  }"
    )
    written = made.access(0, WRITE, (C, 5), made.at("c[5]"), 1)
    read = made.access(5, READ, (C, 5), made.at("c[thread.x]", 1), 1)
    found = made.replay(Race(Name("c"), (5,), CollisionScope.BLOCK, equal=False, first=read, second=written))
    assert found.outcome is HOLDS
    assert [[each.number for each in passes] for passes in found.iterations] == [[2], [3, 2]]
    assert {moment.place for moment in found.moments} >= {read.place, written.place}
    assert [moment.turn for moment in found.moments] == sorted(moment.turn for moment in found.moments)


def test_the_passes_of_loops_that_begin_together() -> None:
    """Both tests stand at the end: `do { do { i++; assert i < 6 } while i % 2; } while i < 8`."""
    builder = Builder()
    i, parity, truth = (builder.register(scalar) for scalar in (Scalar.S32, Scalar.S32, Scalar.PRED))
    head, on, end = Label(), Label(), Label()
    builder.emit(Move(i, Constant(0, Scalar.S32), Site(0)))
    with builder.loop(Site(1)), builder.loop(Site(2)):
        builder.place(head)
        builder.emit(Binary(BinaryOperator.ADD, i, i, Constant(1, Scalar.S32), Site(3)))
        builder.emit(Binary(BinaryOperator.LESS, truth, i, Constant(6, Scalar.S32), Site(3)))
        builder.emit(Assert(truth, Site(4)))
        builder.emit(Binary(BinaryOperator.REMAINDER, parity, i, Constant(2, Scalar.S32), Site(3)))
        builder.emit(Convert(truth, parity, Site(3)))
        builder.branch(truth, on, Site(3))
        builder.jump(head, Site(3))
        builder.place(on)
    outer = builder.loops[1]
    builder.emit(Binary(BinaryOperator.LESS, truth, i, Constant(8, Scalar.S32), Site(3)))
    builder.branch(truth, end, Site(3))
    builder.jump(head, Site(3))
    builder.place(end)
    builder.loops[1] = replace(outer, end=len(builder.code))
    setting = Setting((1, 1, 1), (2, 1, 1), (), ())
    found = replay(builder.program(), setting, FailedAssertion(0, thread(1), Site(4)), 10**4)
    assert found.outcome is HOLDS
    assert [(each.loop, each.number) for each in found.iterations[0]] == [(Site(1), 3), (Site(2), 2)]


# -------------------------------------------------------------------------------------------------- single accesses


def test_out_of_bounds() -> None:
    made = case("for i in 0..3 { y[thread.x] = c[thread.x + i] }")
    access = made.access(6, READ, (C, 8), made.at("c[thread.x + i]"))
    claim = OutOfBounds(Name("c"), (8,), (8,), access)
    found = made.replay(claim)
    assert found.outcome is HOLDS
    assert [each.number for each in found.iterations[0]] == [3]
    assert made.outcome(replace(claim, access=made.access(5, READ, (C, 8), access.place))) is FAILS
    assert made.outcome(replace(claim, access=made.access(6, READ, (C, 7), access.place))) is FAILS
    assert made.outcome(replace(claim, address=(9,))) is FAILS
    assert made.outcome(replace(claim, extents=(9,))) is FAILS
    assert made.outcome(replace(claim, array=Name("s"))) is FAILS


def test_out_of_an_inner_dimension() -> None:
    made = case(
        "shared t: s32[4, 2]\n  t[thread.x % 4, 0] = 1\n  t[thread.x % 4, 1] = 2\n  barrier()\n  y[0] = t[1, 2]"
    )
    access = Access(thread(0), READ, 4, 16, 4, 1, made.at("t[1, 2]"))
    assert made.outcome(OutOfBounds(Name("t"), (1, 2), (4, 2), access)) is HOLDS
    assert made.outcome(OutOfBounds(Name("t"), (2, 0), (4, 2), access)) is FAILS
    both = case("shared t: s32[4, 2]\n  t[4, 2] = 1")
    access = Access(thread(0), WRITE, 4, 40, 4, 0, both.at("t[4, 2]"))
    assert both.outcome(OutOfBounds(Name("t"), (4, 2), (4, 2), access)) is HOLDS
    assert both.outcome(OutOfBounds(Name("t"), (10,), (8,), access)) is FAILS


def test_uninitialised() -> None:
    made = case("if thread.x != 3 { c[thread.x] = 1 }\n  barrier()\n  y[thread.x] = c[thread.x]")
    access = made.access(3, READ, (C, 3), made.at("c[thread.x]", 1), 1)
    assert made.outcome(Uninitialised(Name("c"), (3,), access)) is HOLDS
    other = made.access(4, READ, (C, 4), made.at("c[thread.x]", 1), 1)
    assert made.outcome(Uninitialised(Name("c"), (4,), other)) is FAILS
    assert made.outcome(Uninitialised(Name("c"), (2,), access)) is FAILS


def test_an_element_read_is_called_by_the_indices_that_the_access_has() -> None:
    """As of `row[1]`, where `row` points to the second row of an array."""
    made = case("shared t: s32[4, 2]\n  y[0] = t[1, 1]")
    code = (
        replace(each, subscripts=each.subscripts[-1:]) if isinstance(each, Load) else each for each in made.program.code
    )
    pointed = replace(made, program=replace(made.program, code=tuple(code)))
    access = Access(thread(0), READ, 4, 12, 4, 0, made.at("t[1, 1]"))
    assert pointed.outcome(Uninitialised(Name("t"), (1,), access)) is HOLDS
    assert pointed.outcome(Uninitialised(Name("t"), (1, 1), access)) is FAILS


def test_the_size_of_a_shared_array_may_be_chosen() -> None:
    made = case("shared t: s32[select(n > 3, 2, 4)]\n  t[2] = 1")
    access = made.access(0, WRITE, (4, 2), made.at("t[2]"))
    assert made.outcome(OutOfBounds(Name("t"), (2,), (2,), access)) is HOLDS
    assert made.outcome(OutOfBounds(Name("t"), (2,), (4,), access)) is FAILS


def test_unset() -> None:
    made = case("var v: s32\n  if thread.x > 2 { v = 1 }\n  y[thread.x] = v")
    place = made.at("y[thread.x]")
    assert made.outcome(Unset("v", 0, thread(2), place)) is HOLDS
    assert made.outcome(Unset("v", 0, thread(3), place)) is FAILS
    assert made.outcome(Unset("w", 0, thread(2), place)) is FAILS
    assert made.outcome(Unset("n", 0, thread(2), place)) is FAILS
    nameless = replace(made, program=replace(made.program, names=(None,) * len(made.program.names)))
    assert nameless.outcome(Unset("", 0, thread(2), place)) is HOLDS


@pytest.mark.parametrize(("mask", "outcome"), [(": u32", HOLDS), (": u32 = 7", FAILS)])
def test_who_waits_forever_for_lanes_of_an_unset_mask(mask: str, outcome: ReplayOutcome) -> None:
    made = case(f"var m{mask}\n  if thread.x == 0 {{ barrier(warp, m) }} else {{ barrier() }}")
    claim = Unset("m", 0, thread(0), made.at("barrier(warp, m)"))
    assert made.outcome(claim) is outcome


@pytest.mark.parametrize(
    ("operator", "scalar", "other", "outcome"),
    [
        (BinaryOperator.AND, Scalar.PRED, 1, HOLDS),
        (BinaryOperator.AND, Scalar.PRED, 0, FAILS),
        (BinaryOperator.OR, Scalar.PRED, 1, FAILS),
        (BinaryOperator.OR, Scalar.PRED, 0, HOLDS),
        (BinaryOperator.AND, Scalar.S32, 0, HOLDS),
    ],
)
def test_what_is_unset_does_not_matter_where_the_other_truth_decides(
    operator: BinaryOperator, scalar: Scalar, other: int, outcome: ReplayOutcome
) -> None:
    builder = Builder()
    value, result, holds = builder.register(scalar, "value"), builder.register(scalar), builder.register(Scalar.PRED)
    builder.emit(Binary(operator, result, value, Constant(other, scalar), Site(0)))
    builder.emit(Convert(holds, result, Site(1)))
    builder.emit(Assert(holds, Site(2)))
    claim, setting = Unset("value", 0, thread(0), Site(0)), Setting((1, 1, 1), (1, 1, 1), (), ())
    assert replay(builder.program(), setting, claim, 10).outcome is outcome


def test_a_shuffle_from_a_lane_that_is_unset() -> None:
    made = case("var v: s32\n  var w: s32\n  y[thread.x] = shuffle(n, v)")
    place = made.at("shuffle(n, v)")
    assert made.outcome(Unset("v", 0, thread(2), place)) is HOLDS
    assert made.outcome(Unset("w", 0, thread(2), place)) is FAILS
    known = case("var v = 1\n  y[thread.x] = shuffle(n, v)")
    assert known.outcome(Unset("v", 0, thread(2), known.at("shuffle(n, v)"))) is FAILS


def test_a_choice_by_what_is_unset_depends_on_both_sides() -> None:
    builder = Builder()
    truth, value = builder.register(Scalar.PRED, "truth"), builder.register(Scalar.S32, "value")
    chosen, holds = builder.register(Scalar.S32), builder.register(Scalar.PRED)
    builder.emit(Choose(chosen, truth, value, Constant(1, Scalar.S32), Site(0)))
    builder.emit(Convert(holds, chosen, Site(1)))
    builder.emit(Assert(holds, Site(2)))
    for name in ("truth", "value"):
        claim = Unset(name, 0, thread(0), Site(0))
        assert replay(builder.program(), Setting((1, 1, 1), (1, 1, 1), (), ()), claim, 10).outcome is HOLDS


def test_a_read_that_is_aligned_is_not_misaligned() -> None:
    made = case("y[thread.x] = 1")
    access = made.access(0, WRITE, (Y, 0), made.at("y[thread.x]"))
    assert made.outcome(Misaligned(Name("y"), (0,), 4, access)) is FAILS


def test_a_store_to_what_may_be_written_is_no_store_to_constant_memory() -> None:
    made = case("y[thread.x] = 1")
    access = made.access(0, WRITE, (Y, 0), made.at("y[thread.x]"))
    assert made.outcome(ReadOnly(Name("y"), (0,), access)) is FAILS


def test_division_by_zero_and_failed_assertions() -> None:
    made = case("let v = n / (thread.x - 2)\n  assert v != 5\n  assume n == 5")
    division = made.at("n / (thread.x - 2)")
    assert made.outcome(DivisionByZero(0, thread(2), division)) is HOLDS
    assert made.outcome(DivisionByZero(0, thread(3), division)) is FAILS
    assert made.outcome(DivisionByZero(1, thread(2), division)) is FAILS
    assert made.outcome(FailedAssertion(0, thread(3), made.at("v != 5"))) is HOLDS
    assert made.outcome(FailedAssertion(0, thread(1), made.at("v != 5"))) is FAILS
    excluded = case("assume n == 4\n  assert n == 4")
    assert excluded.outcome(FailedAssertion(0, thread(1), excluded.at("n == 4", 1))) is FAILS


def test_a_shuffle_from_a_lane_that_is_not_there() -> None:
    made = case("if lane < 2 { y[lane] = shuffle(n, lane + 1, mask = 3) }")
    place = made.at("shuffle(n, lane + 1, mask = 3)")
    assert made.outcome(InactiveLane(0, thread(1), 2, place)) is HOLDS
    assert made.outcome(InactiveLane(0, thread(5), 2, place)) is HOLDS
    assert made.outcome(InactiveLane(0, thread(0), 1, place)) is FAILS
    assert made.outcome(InactiveLane(0, thread(1), 3, place)) is FAILS


# ------------------------------------------------------------------------------------------------------- standstills


def test_divergence() -> None:
    made = case("barrier()\n  if thread.x < 4 { barrier() } else { return }")
    waits, ended = Wait(thread(0), made.at("barrier()", 1)), Wait(thread(5), None)
    found = made.replay(Divergence(1, waits, ended))
    assert (found.outcome, found.opened) == (HOLDS, made.at("barrier()"))
    assert made.outcome(Divergence(0, waits, ended)) is FAILS
    assert made.outcome(Divergence(1, ended, waits)) is FAILS
    assert made.outcome(Divergence(1, waits, Wait(thread(1), waits.place))) is FAILS
    assert made.outcome(Divergence(1, waits, Wait(thread(5), waits.place))) is FAILS


def test_a_barrier_that_all_reach_is_passed() -> None:
    made = case("barrier()\n  y[thread.x] = 1")
    assert made.outcome(Divergence(0, Wait(thread(0), made.at("barrier()")), Wait(thread(5), None))) is FAILS


def test_deadlock() -> None:
    made = case("if lane == 0 { barrier(warp) } else { barrier() }")
    first, second = Wait(thread(0), made.at("barrier(warp)"), 0xFFFFFFFF), Wait(thread(1), made.at("barrier()"))
    assert made.outcome(Deadlock(0, first, second)) is HOLDS
    assert made.outcome(Deadlock(0, second, first)) is FAILS
    assert made.outcome(Deadlock(0, first, Wait(thread(5), second.place))) is FAILS
    assert made.outcome(Deadlock(0, replace(first, mask=3), second)) is FAILS
    outside = case("if lane == 0 { barrier(warp, 2) }")
    alone = Wait(thread(0), outside.at("barrier(warp, 2)"), 2)
    assert outside.outcome(Deadlock(0, alone, alone)) is HOLDS


def test_lanes_that_have_ended_are_not_waited_for() -> None:
    made = case("if lane == 0 { return }\n  barrier(warp)\n  assert false")
    assert made.outcome(FailedAssertion(0, thread(1), made.at("false"))) is HOLDS


# ------------------------------------------------------------------------------------------------------------- steps


def test_what_takes_too_long_is_neither_confirmed_nor_denied() -> None:
    made = case("while true { c[thread.x] = 1 }")
    claim = FailedAssertion(0, thread(0), Site(0))
    assert made.replay(claim, 1000).outcome is TOO_LONG
    written = made.access(0, WRITE, (C, 0), made.at("c[thread.x]"))
    assert made.outcome(OutOfBounds(Name("c"), (0,), (8,), written)) is TOO_LONG


def test_a_replay_stops_when_it_has_seen_enough() -> None:
    made = case("c[0] = thread.x\n  while true { c[thread.x] = 1 }")
    place = made.at("c[0]")
    race = Race(
        Name("c"),
        (0,),
        CollisionScope.BLOCK,
        equal=False,
        first=made.access(0, WRITE, (C, 0), place),
        second=made.access(4, WRITE, (C, 0), place),
    )
    assert made.replay(race, 300).outcome is HOLDS
