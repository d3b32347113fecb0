"""Lock-step execution and the scalar replay are two programs; on random kernels they leave the same memory behind."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import get_args

import numpy as np
import pytest
from msgspec.structs import replace
from random_programs import KEPT, Writer, setting

from rewright.kernels.execution.regions import Flat, Region
from rewright.kernels.execution.run import Machine
from rewright.model.simt.program import Program
from rewright.model.simt.types import Scalar
from rewright.model.simt.violation import (
    Deadlock,
    Divergence,
    EarlyExit,
    Misaligned,
    OutOfBounds,
    Race,
    ReadOnly,
    Setting,
    Thread,
    Uninitialised,
    Violation,
    Wait,
)
from rewright.replay.kernel.block import Nobody, ReplayedBlock
from rewright.replay.kernel.local_code import BlockSurroundings
from rewright.replay.kernel.outcome import ReplayOutcome
from rewright.replay.kernel.replayed import replay
from rewright.replay.kernel.start import start

PROGRAMS = 80
WILD = 120
STEPS = 10**6


def written(seed: int) -> tuple[Program, Setting, tuple[Scalar, ...]]:
    """A random program, its setting, and the types of what it leaves in `out`."""
    random = Random(seed)
    chosen = setting(random)
    writer = Writer(random, chosen.block[0])
    program = writer.write(random.randint(5, 40))
    return program, chosen, tuple(value.type for value in writer.values[-KEPT:])


def by_lanes(program: Program, chosen: Setting) -> tuple[bytes, bytes, list[Violation]]:
    """The memory that lock-step execution leaves in `out` and `shared`, and what it finds."""
    machine = Machine(program)
    outcome = machine.run(chosen, (1, 0, 0), STEPS)
    assert outcome.undecided is None
    out, shared = (_contents(machine._block.regions[number]) for number in (0, 3))
    return out, shared, [*outcome.violations, *outcome.races.certain()]


def _contents(region: Region) -> bytes:
    assert isinstance(region, Flat)
    return region.view(np.dtype(np.uint8)).tobytes()[: region.size]


def by_threads(program: Program, chosen: Setting) -> tuple[bytes, bytes]:
    """The memory that the replay leaves."""
    block: ReplayedBlock = start(program, BlockSurroundings(chosen, (1, 0, 0)), (), STEPS)
    block.run(Nobody())
    objects = block.rows[0][1]
    return bytes(objects[1].data), bytes(objects[4].data)


def values(memory: bytes, types: tuple[Scalar, ...]) -> list[object]:
    """What each thread stored, with one name for all that are not numbers."""
    formats = {Scalar.F16: "e", Scalar.BF16: "H", Scalar.F32: "f", Scalar.F64: "d"}
    found: list[object] = []
    for at in range(0, len(memory), 8):
        scalar = types[at // 8 % KEPT] if at // 8 % KEPT < len(types) else Scalar.U64
        (value,) = struct.unpack_from("<" + formats.get(scalar, "Q"), memory, at)
        not_a_number = value != value or (scalar is Scalar.BF16 and value & 0x7FFF > 0x7F80)
        found.append((at // 8 // KEPT, scalar, "nan" if not_a_number else value))
    return found


@pytest.mark.parametrize("seeds", [range(at, at + 20) for at in range(0, PROGRAMS, 20)], ids=lambda seeds: seeds.start)
def test_both_leave_the_same_memory_and_agree_on_what_is_wrong(seeds: range) -> None:
    confirmed = 0
    for seed in seeds:
        program, chosen, types = written(seed)
        out, shared, violations = by_lanes(program, chosen)
        out_too, shared_too = by_threads(program, chosen)
        assert values(out, types) == values(out_too, types), seed
        assert shared == shared_too, seed
        for violation in Random(seed).sample(violations, min(len(violations), 2)):
            assert replay(program, chosen, violation, STEPS).outcome is ReplayOutcome.HOLDS, (seed, violation)
            confirmed += 1
    assert confirmed >= 10


def test_what_goes_wrong_is_confirmed_and_what_is_said_otherwise_is_not() -> None:
    """Of every kind of violation."""
    confirmed: Counter[str] = Counter()
    for seed in range(WILD):
        random = Random(seed)
        chosen = setting(random)
        program = Writer(random, chosen.block[0], 0.3).write(random.randint(5, 15))
        for violation in by_lanes(program, chosen)[2]:
            kind = type(violation).__name__
            if confirmed[kind] < 10:
                confirmed[kind] += 1
                assert replay(program, chosen, violation, STEPS).outcome is ReplayOutcome.HOLDS, (seed, violation)
                for changed in otherwise(violation):
                    assert replay(program, chosen, changed, STEPS).outcome is ReplayOutcome.FAILS, (seed, changed)
    assert set(confirmed) == {kind.__name__ for kind in get_args(Violation)}, confirmed
    assert min(confirmed.values()) >= 2, confirmed


def otherwise(violation: Violation) -> Iterator[Violation]:
    """The same in another interval, and by threads that are not there."""
    nobody = Thread((1, 0, 0), (99, 0, 0))
    match violation:
        case Race():
            yield replace(violation, first=replace(violation.first, interval=99))
        case EarlyExit():
            yield replace(violation, interval=99)
            yield replace(violation, second=replace(violation.first, place=None, left=violation.second.left))
            yield replace(violation, second=Wait(nobody, None))
        case Divergence() | Deadlock():
            yield replace(violation, interval=99)
            yield replace(violation, first=violation.second, second=Wait(nobody, None))
        case OutOfBounds() | Uninitialised() | Misaligned() | ReadOnly():
            yield replace(violation, access=replace(violation.access, interval=99))
            yield replace(violation, access=replace(violation.access, offset=violation.access.offset + 1))
        case _:
            yield replace(violation, interval=99)
            yield replace(violation, thread=nobody)
