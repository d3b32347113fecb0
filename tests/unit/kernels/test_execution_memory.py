"""Memory of the SIMT form: what loads give, what may not be accessed, what was not written, atomics."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from assembler import F32, PRED, S32, S64, U32, U64, Assembler, number

from rewright.kernels.execution.log import ObjectLayout
from rewright.kernels.execution.run import RunOutcome, run
from rewright.model.index import Name
from rewright.model.simt.instructions import AddressOf, AtomicOperation, Shuffle, ShuffleKind, Subscript
from rewright.model.simt.types import Coordinate, Scalar, Space
from rewright.model.simt.violation import (
    FailedAssertion,
    Misaligned,
    Order,
    OutOfBounds,
    Setting,
    Uninitialised,
    Violation,
)
from rewright.verdict import AccessKind


def kinds(outcome: RunOutcome) -> list[type[Violation]]:
    return [type(violation) for violation in outcome.violations]


def single(outcome: RunOutcome) -> Violation:
    """The only violation."""
    (violation,) = outcome.violations
    return violation


# ------------------------------------------------------------------------------------------------- loads and stores


@pytest.mark.parametrize("scalar", Scalar)
@pytest.mark.parametrize("space", [Space.SHARED, Space.LOCAL, Space.GLOBAL])
def test_what_is_stored_is_loaded(space: Space, scalar: Scalar) -> None:
    values = [i % 2 if scalar is PRED else i for i in range(8)]
    a = Assembler()
    given = a.input("given", scalar, values)
    kept = a.object("kept", space, scalar, (8,), given=False)
    thread = a.thread()
    a.store(kept, thread, a.load(given, thread))
    a.claim(a.binary("==", a.load(kept, thread), a.load(given, thread)))
    only = a.binary("==", thread, 3)
    with a.when(only):
        a.store(kept, 3, number(1, scalar))
        a.claim(a.binary("==", a.load(kept, 3), number(1, scalar)))
    outcome = a.run(8)
    assert outcome.violations == () and outcome.undecided is None and not outcome.dropped


def test_each_thread_has_its_own_local_memory() -> None:
    a = Assembler()
    local = a.local("mine", S32, 4)
    thread, counter = a.thread(), a.register(S32)
    with a.count(counter, number(4)):
        a.store(local, counter, a.binary("+", a.binary("*", thread, 10), counter))
    backwards = a.binary("-", number(3), thread)
    a.claim(a.binary("==", a.load(local, backwards), a.binary("+", a.binary("*", thread, 10), backwards)))
    with a.when(a.binary("<", thread, 2)):
        a.store(local, 0, thread)
        a.claim(a.binary("==", a.load(local, 0), thread))
    with a.unless(a.binary("<", thread, 2)):
        a.claim(a.binary("==", a.load(local, 0), a.binary("*", thread, 10)))
    assert a.run(4).violations == ()


@pytest.mark.parametrize("space", [Space.SHARED, Space.LOCAL])
@pytest.mark.parametrize("lanes", [1, 4])
def test_bytes_are_seen_through_other_types(space: Space, lanes: int) -> None:
    a = Assembler()
    words = a.object("words", space, U32, (2 * lanes,), given=False)
    thread = a.thread()
    first = a.binary("*", thread, 2) if space is Space.SHARED else a.move(a.register(S32), number(0))
    a.store(words, first, number(0x04030201, U32))
    a.store(words, a.binary("+", first, 1), number(0x08070605, U32))
    address = a.address(words, first)
    for offset, scalar, expected in (
        (0, Scalar.U8, 1),
        (5, Scalar.U8, 6),
        (2, Scalar.U16, 0x0403),
        (0, Scalar.U64, 0x0807060504030201),
    ):
        (found,) = a.load_at(a.binary("+", address, offset), scalar)
        a.claim(a.binary("==", found, expected))
    a.store_at(a.binary("+", address, 3), (number(0xAA, Scalar.U8),))
    a.claim(a.binary("==", a.load(words, first), number(0xAA030201, U32)))
    assert a.run(lanes).violations == ()


@pytest.mark.parametrize("unit", [Scalar.U8, Scalar.U16, Scalar.U32, Scalar.U64])
@pytest.mark.parametrize("lanes", [1, 5])
def test_local_memory_through_any_type(unit: Scalar, lanes: int) -> None:
    size = 32
    model = [bytearray(size) for _ in range(lanes)]
    a = Assembler()
    kept = a.local("kept", unit, size * 8 // unit.bits)
    thread = a.thread()
    for at in range(0, size, 8):
        a.store_at(a.binary("+", a.address(kept), at), (number(0, U64),))
    for turn, scalar in enumerate([Scalar.U8, Scalar.U16, Scalar.U32, Scalar.U64] * 3):
        width = scalar.bits // 8
        step = (turn % 3) * width
        fixed = 8 * (turn % 4)
        offsets = [(fixed + step * lane) % size // width * width for lane in range(lanes)]
        values = [(turn * 37 + lane * 11 + 1) * 0x0102030405060708 % (1 << scalar.bits) for lane in range(lanes)]
        mine = a.load(a.input(f"v{turn}", scalar, values), thread)
        place = a.binary("+", a.address(kept), fixed)
        if step:
            place = a.binary("+", a.address(kept), a.load(a.input(f"o{turn}", U64, offsets), thread))
        chosen = range(lanes) if turn % 2 else range(1, lanes, 2)
        with a.when(a.binary("==", a.binary("|", a.binary("&", thread, 1), turn % 2), 1)):
            a.store_at(place, (mine,))
        for lane in chosen:
            model[lane][offsets[lane] : offsets[lane] + width] = values[lane].to_bytes(width, "little")
        for other in (Scalar.U8, Scalar.U16, Scalar.U32, Scalar.U64):
            bytes_of = other.bits // 8
            for at in {0, fixed // bytes_of * bytes_of, 24}:
                expected = [int.from_bytes(memory[at : at + bytes_of], "little") for memory in model]
                (found,) = a.load_at(a.binary("+", a.address(kept), at), other)
                a.claim(a.binary("==", found, a.load(a.input(f"w{len(a.contents)}", other, expected), thread)))
    outcome = a.run(lanes)
    assert outcome.violations == () and not outcome.dropped and outcome.undecided is None


def test_vectors() -> None:
    a = Assembler()
    given = a.input("given", F32, [float(i) for i in range(16)])
    kept = a.shared("kept", F32, 16)
    thread = a.thread()
    start = a.binary("*", thread, 4)
    values = a.load_at(a.address(given, start), F32, 4)
    a.store_at(a.address(kept, start), values[::-1])
    for i in range(4):
        expected = a.binary("+", start, 3 - i)
        a.claim(a.binary("==", a.load(kept, a.binary("+", start, i)), a.convert(expected, F32)))
    outcome = a.run(4)
    assert outcome.violations == ()
    assert outcome.accesses is not None and outcome.accesses.entries == ()


def test_lanes_store_in_ascending_order() -> None:
    a = Assembler()
    kept = a.shared("kept", S32, 4)
    thread = a.thread()
    a.store(kept, 0, thread)
    a.store(kept, a.binary("+", a.binary("&", thread, 1), 1), thread)
    for index, expected in enumerate((7, 6, 7)):
        a.claim(a.binary("==", a.load(kept, index), expected))
    assert a.run(8).violations == ()


def test_lanes_access_different_objects_at_once() -> None:
    a = Assembler()
    objects = [a.input(f"i{i}", S32, [i * 10 + j for j in range(4)]) for i in range(2)]
    kept = [a.shared(f"s{i}", S32, 4) for i in range(2)]
    thread = a.thread()
    odd = a.binary("==", a.binary("&", thread, 1), 1)
    loaded = a.load_at(a.choose(odd, a.address(objects[1], thread), a.address(objects[0], thread)), S32)[0]
    a.store_at(a.choose(odd, a.address(kept[1], thread), a.address(kept[0], thread)), (loaded,))
    with a.when(odd):
        a.claim(a.binary("==", a.load(kept[1], thread), a.binary("+", thread, 10)))
    with a.unless(odd):
        a.claim(a.binary("==", a.load(kept[0], thread), thread))
    assert a.run(4).violations == ()


# --------------------------------------------------------------------------------------------- what may not happen


@pytest.mark.parametrize("index", [4, 100, -1, -(2**31), 2**31 - 1])
@pytest.mark.parametrize("space", [Space.GLOBAL, Space.SHARED, Space.LOCAL])
def test_outside_of_an_object(space: Space, index: int) -> None:
    a = Assembler()
    kept = a.object("kept", space, S32, (4,), given=False)
    thread = a.thread()
    a.store(kept, thread, thread)
    away = a.choose(a.binary("==", thread, 2), number(index), thread)
    place = a.store(kept, away, number(9))
    a.claim(a.binary("==", a.load(kept, thread), a.choose(a.binary("==", thread, 2), thread, number(9))))
    violation = single(a.run(4))
    assert isinstance(violation, OutOfBounds)
    assert (violation.array, violation.address, violation.extents) == ("kept", (index,), (4,))
    assert violation.access.thread.index == (2, 0, 0) and violation.access.place == place
    assert violation.access.offset == 4 * index and violation.access.kind is AccessKind.WRITE


def test_a_vector_that_is_partly_outside() -> None:
    a = Assembler()
    given = a.input("given", F32, [0.0] * 6)
    a.load_at(a.address(given, a.binary("*", a.thread(), 4)), F32, 4)
    violation = single(a.run(2))
    assert isinstance(violation, OutOfBounds) and violation.address == (4,) and violation.access.width == 16


def two_dimensional(row: int, column: int) -> RunOutcome:
    a = Assembler()
    tile = a.input("tile", S32, range(12), (3, 4))
    thread = a.thread()
    index = [a.convert(a.choose(a.binary("==", thread, 1), number(x), number(0)), S64) for x in (row, column)]
    flat = a.binary("+", a.binary("*", index[0], 4), index[1])
    subscripts = (Subscript(index[0], number(3, S64)), Subscript(index[1], number(4, S64)))
    (found,) = a.load_at(a.address(tile, flat), S32, 1, subscripts)
    expected = 4 * row + column if 0 <= row < 3 and 0 <= column < 4 else 0
    a.claim(a.binary("==", found, a.choose(a.binary("==", thread, 1), number(expected), number(0))))
    return a.run(2)


@pytest.mark.parametrize("row, column", list(itertools.product(range(-1, 4), range(-1, 6))))
def test_each_dimension_is_checked(row: int, column: int) -> None:
    outcome = two_dimensional(row, column)
    if 0 <= row < 3 and 0 <= column < 4:
        assert outcome.violations == () and not outcome.dropped
    else:
        violation = single(outcome)
        assert isinstance(violation, OutOfBounds)
        assert (violation.address, violation.extents) == ((row, column), (3, 4))


def test_pointers_that_point_nowhere() -> None:
    a = Assembler()
    a.shared("kept", S32, 4)
    (found,) = a.load_at(number(0, U64), S32)
    a.claim(a.binary("==", found, 1))
    outcome = a.run(2)
    violation = single(outcome)
    assert isinstance(violation, OutOfBounds)
    assert (violation.array, violation.extents, violation.access.object) == ("", (), -1)
    assert outcome.dropped


@pytest.mark.parametrize(("scalar", "count", "offset"), [(S32, 1, 2), (F32, 4, 8), (Scalar.F64, 1, 4), (F32, 2, 4)])
def test_misaligned(scalar: Scalar, count: int, offset: int) -> None:
    a = Assembler()
    given = a.input("given", Scalar.U8, [0] * 64)
    width = scalar.bits // 8 * count
    for uniform in (True, False):
        index = number(offset) if uniform else a.binary("*", a.thread(), offset)
        a.load_at(a.address(given, index), scalar, count)
    first, second = a.run(4).violations
    assert isinstance(first, Misaligned) and isinstance(second, Misaligned)
    assert first.alignment == second.alignment == width
    assert first.address == second.address == (offset,)
    assert (first.access.thread.index[0], second.access.thread.index[0]) == (0, 1)


def test_what_was_not_written() -> None:
    for space in (Space.GLOBAL, Space.SHARED, Space.LOCAL):
        a = Assembler()
        kept = a.object("kept", space, S32, (4, 2), given=False)
        thread = a.thread()
        with a.when(a.binary("!=", thread, 2)):
            a.store(kept, a.binary("*", thread, 2), thread)
        found = a.load(kept, a.binary("*", thread, 2))
        a.claim(a.binary("!=", found, 77))
        outcome = a.run(4)
        violation = single(outcome)
        assert isinstance(violation, Uninitialised), space
        assert violation.address == (2, 0) and violation.access.thread.index == (2, 0, 0)
        assert outcome.dropped


def test_part_of_an_element_was_not_written() -> None:
    for space in (Space.SHARED, Space.LOCAL):
        a = Assembler()
        kept = a.object("kept", space, U32, (1,), given=False)
        address = a.address(kept)
        for offset in range(3):
            a.store_at(a.binary("+", address, offset), (number(1, Scalar.U8),))
        a.load_at(a.binary("+", address, 1), Scalar.U8)
        place = a.here
        (found,) = a.load_at(address, U32)
        a.claim(a.binary("!=", found, number(77, U32)))
        violation = single(a.run(1))
        assert isinstance(violation, Uninitialised) and violation.access.place == place


def test_inputs_have_zeros_after_their_contents() -> None:
    a = Assembler()
    given = a.object("given", Space.GLOBAL, S32, (4,), given=True)
    a.contents = {"given": (5, 6)}  # type: ignore[dict-item]
    for index, expected in enumerate((5, 6, 0, 0)):
        a.claim(a.binary("==", a.load(given, index), expected))
    assert a.run(2).violations == ()


def test_objects_without_a_size_grow() -> None:
    a = Assembler()
    given = a.object("given", Space.GLOBAL, S32, None, given=True)
    kept = a.object("kept", Space.GLOBAL, S32, None, given=False)
    a.contents = {"given": (5, 6)}  # type: ignore[dict-item]
    thread = a.thread()
    a.claim(a.binary("==", a.load(given, 1), 6))
    a.claim(a.binary("==", a.load(given, a.binary("+", thread, 1000)), 0))
    far = a.binary("*", thread, 5000)
    a.store(kept, far, thread)
    a.claim(a.binary("==", a.load(kept, far), thread))
    assert a.run(4).violations == ()
    a.claim(a.binary("!=", a.load(kept, a.binary("+", far, 1)), 77))
    assert kinds(a.run(4)) == [Uninitialised]
    a.load(kept, a.binary("-", thread, 1))
    found = a.run(4).violations[1]
    assert isinstance(found, OutOfBounds) and found.extents == () and found.address == (-1,)
    a.load(kept, (1 << 31) - 1)
    assert a.run(4).undecided is None
    a.load(kept, 1 << 31)
    outcome = a.run(4)
    assert outcome.undecided is not None and "`kept`" in outcome.undecided[0]


def test_what_is_far_from_the_start_is_held_in_pages() -> None:
    """Each thread stores at a place of its own, near and far, in a loop; atomics and other types see what it stored."""
    a = Assembler()
    given = a.object("given", Space.GLOBAL, S32, None, given=True)
    kept = a.object("kept", Space.GLOBAL, S32, None, given=False)
    a.contents = {"given": (5, 6)}  # type: ignore[dict-item]
    thread, row = a.thread(), a.register(S32)
    near = a.binary("*", thread, 4)
    a.store(kept, near, thread)
    with a.count(row, number(8)):
        far = a.binary("+", near, a.binary("*", a.binary("+", row, 1), 40_000_003))
        a.claim(a.binary("==", a.load(given, far), 0))
        a.store(given, far, a.binary("+", row, 7))
        a.claim(a.binary("==", a.load(given, far), a.binary("+", row, 7)))
        a.store(kept, far, row)
        a.atomic(AtomicOperation.ADD, a.address(kept, far), thread)
        a.claim(a.binary("==", a.load(kept, far), a.binary("+", row, thread)))
        (byte,) = a.load_at(a.address(kept, far), Scalar.U8)
        a.claim(a.binary("==", a.convert(byte, S32), a.binary("+", row, thread)))
    a.claim(a.binary("==", a.load(given, 1), 6))
    a.claim(a.binary("==", a.load(kept, near), thread))
    outcome = a.run(40)
    assert outcome.violations == () and outcome.undecided is None
    a.claim(a.binary("!=", a.load(kept, a.binary("+", far, 1)), 77))
    assert kinds(a.run(4)) == [Uninitialised]
    assert a.run(1).violations == a.run(4).violations, "one thread is not the array of one"


@pytest.mark.parametrize(("index", "is_held"), [((1 << 24) - 1, True), (1 << 24, False)])
def test_an_index_that_inputs_say_reaches_less_far(index: int, is_held: bool) -> None:
    a = Assembler()
    indices = a.input("indices", S32, [index])
    kept = a.object("kept", Space.GLOBAL, S32, None, given=True)
    a.load(kept, a.load(indices, 0))
    assert (a.run(4).undecided is None) is is_held


def test_pages_are_bounded() -> None:
    a = Assembler()
    kept = a.object("kept", Space.GLOBAL, S32, None, given=True)
    row, thread = a.register(S32), a.thread()
    with a.count(row, number(40)):
        a.load(kept, a.binary("*", a.binary("+", a.binary("*", row, 512), thread), 100_003))
    outcome = a.run(512)
    assert outcome.undecided is not None and "pages" in outcome.undecided.text
    assert a.run(256).undecided is None


def test_what_inputs_control_and_addresses_depend_on() -> None:
    a = Assembler()
    index, data = a.input("index", S32, [3, 2, 1, 0]), a.input("data", S32, [1, 2, 3, 4])
    kept = a.shared("kept", S32, 4)
    thread = a.thread()
    a.store(kept, thread, a.load(data, thread))
    assert a.run(4).depends == frozenset()
    a.store(kept, a.load(index, thread), thread)
    assert a.run(4).depends == {"index"}
    a.load(data, a.load(kept, thread))
    assert a.run(4).depends == {"index", "data"}


# ---------------------------------------------------------------------------------------------------------- atomics

INTEGERS: dict[AtomicOperation, Callable[[int, int, int], int]] = {
    AtomicOperation.ADD: lambda old, x, y: old + x,
    AtomicOperation.SUBTRACT: lambda old, x, y: old - x,
    AtomicOperation.MINIMUM: lambda old, x, y: min(old, x),
    AtomicOperation.MAXIMUM: lambda old, x, y: max(old, x),
    AtomicOperation.AND: lambda old, x, y: old & x,
    AtomicOperation.OR: lambda old, x, y: old | x,
    AtomicOperation.XOR: lambda old, x, y: old ^ x,
    AtomicOperation.EXCHANGE: lambda old, x, y: x,
    AtomicOperation.COMPARE_AND_SWAP: lambda old, x, y: x if old == y else old,
    AtomicOperation.INCREMENT: lambda old, x, y: 0 if old >= x else old + 1,
    AtomicOperation.DECREMENT: lambda old, x, y: x if old == 0 or old > x else old - 1,
}


@pytest.mark.parametrize("is_read", [True, False])
@pytest.mark.parametrize("cells", [1, 2, 8])
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("operation", AtomicOperation)
def test_atomics(operation: AtomicOperation, order: Order, cells: int, is_read: bool) -> None:
    memory, old = list(range(5, 5 + cells)), [0] * 8
    numbers = [7 * i % 11 for i in range(8)]
    for lane in range(8) if order is Order.ASCENDING else range(7, -1, -1):
        old[lane] = memory[lane % cells]
        new = INTEGERS[operation](old[lane], numbers[lane], 5)
        memory[lane % cells] = new % (1 << 32)
    a = Assembler()
    thread, given = a.thread(), a.input("given", U32, numbers)
    kept = a.object("kept", Space.GLOBAL, U32, (cells,), given=True)
    a.contents["kept"] = tuple(range(5, 5 + cells))  # type: ignore[index]
    compare = number(5, U32) if operation is AtomicOperation.COMPARE_AND_SWAP else None
    address = a.address(kept, a.binary("%", thread, cells))
    found = a.atomic(operation, address, a.load(given, thread), compare)
    if is_read:
        a.claim(a.binary("==", found, a.load(a.input("old", U32, old), thread)))
    for cell, expected in enumerate(memory):
        a.claim(a.binary("==", a.load(kept, cell), number(expected, U32)))
    outcome = a.run(8, order)
    assert outcome.violations == () and not outcome.dropped
    assert ("atomic order" in outcome.depends) >= is_read


def test_what_atomics_return_depends_on_their_order() -> None:
    a = Assembler()
    counter = a.input("counter", S32, [0])
    kept = a.shared("kept", S32, 4)
    thread = a.thread()
    slot = a.atomic(AtomicOperation.ADD, a.address(counter), number(1))
    assert a.run(4).depends == frozenset()
    a.store(kept, slot, thread)
    assert a.run(4).depends == {"atomic order", "counter"}
    expected = a.binary("-", number(3), thread)
    a.claim(a.binary("==", slot, expected))
    assert kinds(a.run(4)) == [FailedAssertion]
    assert kinds(a.run(4, Order.DESCENDING)) == []


def test_sums_of_integers_do_not_depend_on_the_order_of_atomics() -> None:
    for scalar, expected in ((S32, set()), (F32, {"atomic order"})):
        a = Assembler()
        total = a.object("total", Space.GLOBAL, scalar, (1,), given=True)
        a.atomic(AtomicOperation.ADD, a.address(total), number(1, scalar))
        a.barrier()
        with a.when(a.binary("==", a.load(total), number(4, scalar))):
            a.store(total, 0, number(0, scalar))
        assert a.run(4).depends - {"total"} == expected


def test_atomics_on_what_was_not_written() -> None:
    a = Assembler()
    total = a.shared("total", S32, 1)
    a.atomic(AtomicOperation.ADD, a.address(total), number(1))
    violation = single(a.run(4))
    assert isinstance(violation, Uninitialised) and violation.access.kind is AccessKind.ATOMIC


# ------------------------------------------------------------------------------------------------------------- runs


def test_what_blocks_did_in_global_memory() -> None:
    a = Assembler()
    given, kept, tile = a.input("given", S32, range(8)), a.output("kept", S32, 8), a.shared("tile", S32, 4)
    thread = a.thread()
    block = a.position(Coordinate.BLOCK)
    at = a.binary("+", a.binary("*", block, 4), thread)
    a.store(tile, thread, a.load(given, at))
    a.barrier()
    place = a.store(kept, at, a.load(tile, thread))
    setting = Setting((2, 1, 1), (4, 1, 1), (), tuple(a.contents.items()))
    outcome = run(a.program, setting, (1, 0, 0), 1000)
    assert outcome.violations == () and outcome.accesses is not None
    ((interval, entry),) = outcome.accesses.entries
    assert (interval, entry.object, entry.place, entry.width) == (1, kept, place, 4)
    assert entry.offsets.tolist() == [16, 20, 24, 28] and entry.lanes.tolist() == [0, 1, 2, 3]
    assert entry.written is not None and entry.written.view("i4").ravel().tolist() == [4, 5, 6, 7]
    assert run(a.program, setting, (2, 0, 0), 1000).undecided is not None


def test_too_much_memory() -> None:
    a = Assembler()
    a.output("large", S64, 1 << 28)
    outcome = a.run(1)
    assert outcome.undecided is not None and "bytes" in outcome.undecided[0]


def test_addresses_are_made_where_they_are_read() -> None:
    a = Assembler()
    kept = a.shared("kept", S32, 2)
    pointer = a.register(U64)
    a.emit(AddressOf(pointer, kept, a.here))
    a.store_at(pointer, (number(4),))
    (found,) = a.load_at(pointer, S32)
    a.claim(a.binary("==", found, 4))
    assert a.run(3).violations == ()


def test_contents_wrap_to_their_type() -> None:
    a = Assembler()
    given = a.input("given", Scalar.U8, [300, -1, 7])
    other = a.input("other", S32, [2**31, -(2**31) - 1])
    for number_of, array, expected in ((0, given, 44), (1, given, 255), (2, given, 7)):
        a.claim(a.binary("==", a.load(array, number_of), expected))
    a.claim(a.binary("==", a.load(other, 0), -(2**31)))
    a.claim(a.binary("==", a.load(other, 1), 2**31 - 1))
    assert a.run(1).violations == ()


@pytest.mark.parametrize("way", ["memory", "shuffle", "choice", "halves"])
def test_objects_that_are_written_by_way_of_pointers_are_watched(way: str) -> None:
    a = Assembler()
    given = a.input("given", S32, range(4))
    other = a.input("other", S32, range(4))
    cells = a.local("cells", U64, 1)
    pointer = a.address(given)
    match way:
        case "memory":
            a.store(cells, 0, pointer)
            pointer = a.load(cells, 0)
        case "shuffle":
            got = a.register(U64)
            lane = (number(0), number(32))
            a.emit(Shuffle(ShuffleKind.INDEX, got, number(0xFFFFFFFF, U32), pointer, *lane, a.here))
            pointer = got
        case "choice":
            pointer = a.choose(number(1, PRED), pointer, a.address(other))
        case _:
            low, high = a.convert(pointer, U32), a.convert(a.binary(">>", pointer, 32), U32)
            wide = [a.convert(half, U64) for half in (low, high)]
            pointer = a.binary("|", wide[0], a.binary("<<", wide[1], 32))
    place = a.store_at(pointer, (a.thread(),))
    outcome = a.run(4)
    assert outcome.violations == () and not outcome.dropped
    (race,) = outcome.races.certain()
    assert (race.array, race.first.place, race.second.place) == ("given", place, place)


def test_what_nobody_writes_is_not_watched() -> None:
    a = Assembler()
    given, kept = a.input("given", S32, range(4)), a.output("kept", S32, 4)
    thread = a.thread()
    a.store(kept, thread, a.load(given, 0))
    outcome = a.run(4)
    assert outcome.accesses is not None
    assert [entry.object for _, entry in outcome.accesses.entries] == [kept]


def test_an_element_is_named_by_the_extents_if_there_is_one() -> None:
    named = ObjectLayout(Name("x"), 4, (2, 3), is_global=False)
    assert [named.element(offset) for offset in (0, 20, 24, -4)] == [(0, 0), (1, 2), (6,), (-1,)]
    assert named._replace(extents=()).element(0) == () and named._replace(extents=None).element(0) == (0,)
