"""Operations of warps on registers: waiting, exchange of values, votes, warp barriers.

Who waits for whom, and what is exchanged, is in `warps`. Lanes that go on together may have waited at different
instructions. Must not know memory.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, assert_never

import numpy as np

from rewright.kernels.execution import numbers, warps
from rewright.kernels.execution.arrays import Whys
from rewright.kernels.execution.flow import operands
from rewright.kernels.execution.groups import Indices, LaneGroup, Value
from rewright.kernels.execution.regions import Array
from rewright.kernels.execution.schedule import PARKED, Schedule
from rewright.kernels.execution.sources import RegisterSources
from rewright.kernels.execution.taint import NOTHING, UNDEFINED, Taint, union
from rewright.kernels.execution.unset_reads import REPORTED, placed
from rewright.kernels.execution.warps import Arrival, Ballot, ShuffleLanes
from rewright.model.simt.instructions import Operand, Register, Shuffle, ShuffleKind, Vote, VoteKind, WarpBarrier
from rewright.model.simt.violation import InactiveLane, Violation

_MOST_KNOWN = 1 << 10
"""Shuffles of which it is remembered who gets what from whom."""

Meeting: TypeAlias = WarpBarrier | Shuffle | Vote


def meet(schedule: Schedule, sources: RegisterSources, at: int, group: LaneGroup) -> int:
    """A group comes to an operation of its warps: where it goes on."""
    instruction = schedule.code[at]
    assert isinstance(instruction, WarpBarrier | Shuffle | Vote)
    report = sources.report(instruction.place)
    for operand in _read(instruction):
        source = sources.of(operand)
        if source.group is not group:
            source.fetch(group, report)
    mask = sources.of(instruction.mask)
    schedule.block.decide(mask.taint, group)
    masks = mask.seen(group)
    if _is_complete(schedule, group, masks):
        if not (isinstance(instruction, Shuffle) and _shuffled_whole(schedule, sources, instruction, group)):
            _perform(schedule, sources, [_Part(instruction, group)])
        return at + 1
    before = schedule.warps.at.copy()
    before[group.lanes] = at
    gone = warps.arrive(schedule.warps, instruction, Arrival(at, group.lanes, group.spread(masks)))
    _release(schedule, sources, gone, before)
    return PARKED


def _read(instruction: Meeting) -> tuple[Operand, ...]:
    """What each lane reads itself; what it gives to a shuffle is read by those that take it."""
    if isinstance(instruction, Shuffle):
        return instruction.mask, instruction.lane, instruction.width
    return operands(instruction)


def end(schedule: Schedule, sources: RegisterSources, group: LaneGroup) -> None:
    """A group has ended, which others may have waited for."""
    before = schedule.warps.at.copy()
    _release(schedule, sources, warps.end(schedule.warps, group.lanes), before)


def _is_complete(schedule: Schedule, group: LaneGroup, masks: Value) -> bool:
    """Whether the group is whole warps, and its mask names all of their lanes."""
    size = schedule.warps.size
    full = (1 << size) - 1
    if isinstance(masks, np.ndarray) or int(masks) & full != full:
        return False
    return group.fills_warps(size, schedule.block.groups.whole.count)


def _release(schedule: Schedule, sources: RegisterSources, gone: Indices, at: Array) -> None:
    """Lanes that waited, by lane at the instructions `at`, go on."""
    if len(gone):
        places = at[gone]
        parts = [(int(each), schedule.block.groups.of(gone[places == each])) for each in np.unique(places)]
        _perform(schedule, sources, [_Part(_meeting(schedule, each), group) for each, group in parts])
        for each, group in parts:
            schedule.arrive(each + 1, group)


class _Part(NamedTuple):
    """Lanes that waited at one instruction."""

    instruction: Meeting
    group: LaneGroup


def _shuffled_whole(schedule: Schedule, sources: RegisterSources, shuffle: Shuffle, group: LaneGroup) -> bool:
    """Does a shuffle of whole warps; False, and nothing is done, if a lane asks for one that does not take part."""
    lane, width = (sources.of(operand) for operand in (shuffle.lane, shuffle.width))
    asked = lane.seen(group), width.seen(group)
    key = (shuffle.kind, group, asked[0].tobytes(), asked[1].tobytes())
    if key not in schedule.exchanges:
        if len(schedule.exchanges) > _MOST_KNOWN:
            schedule.exchanges.clear()
        exchange = ShuffleLanes(group.lanes, np.full(group.count, -1), *(group.spread(each) for each in asked))
        found, takes_part = warps.sources(shuffle.kind, exchange, schedule.warps.size)
        schedule.exchanges[key] = np.searchsorted(group.lanes, found) if takes_part.all() else None
    positions = schedule.exchanges[key]
    if positions is None:
        return False
    source, whence = sources.of(shuffle.value), union(lane.taint, width.taint)
    value, missing = source.offered(group)
    schedule.block.depends |= whence
    given = value[positions] if isinstance(value, np.ndarray) else value
    taint = union(whence, source.taint)
    whys = None if missing is None else sources.whys(source, group, shuffle.place)
    result = sources.cell(shuffle.result)
    result.write(group, given, taint)
    if whys is not None:
        result.leave(group, whys[positions])
    return True


def _perform(schedule: Schedule, sources: RegisterSources, parts: list[_Part]) -> None:
    """Does what lanes came for."""
    together: dict[object, list[_Part]] = {}
    for part in parts:
        together.setdefault(warps.operation(part.instruction), []).append(part)
    for same in together.values():
        match same[0].instruction:
            case WarpBarrier():
                met = _Together(schedule, sources, same)
                schedule.block.log.meet(met.lanes, met.masks())
            case Shuffle() as shuffle:
                _shuffle(_Together(schedule, sources, same), shuffle.kind)
            case Vote() as vote:
                _vote(_Together(schedule, sources, same), vote.kind)
            case other:
                assert_never(other)


def _meeting(schedule: Schedule, at: int) -> Meeting:
    instruction = schedule.code[at]
    assert isinstance(instruction, WarpBarrier | Shuffle | Vote)
    return instruction


class _Together:
    """Lanes that do one operation together, in ascending order, and the instructions at which they waited."""

    def __init__(self, schedule: Schedule, sources: RegisterSources, parts: list[_Part]) -> None:
        self.block, self.sources, self.parts = schedule.block, sources, parts
        self.size = schedule.warps.size
        lanes = np.concatenate([part.group.lanes for part in parts])
        self._order = np.argsort(lanes, kind="stable")
        self.lanes = lanes[self._order]

    def operand(self, part: _Part, operand: Operand) -> Array:
        """The operand of each lane of a part."""
        found: Array = part.group.spread(self.sources.of(operand).seen(part.group))
        return found

    def column(self, pieces: list[Array]) -> Array:
        """What is given by part, by lane."""
        return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)[self._order]

    def masks(self) -> Array:
        """The mask of each lane."""
        return self.column([self.operand(part, part.instruction.mask) for part in self.parts])

    def taint(self, chosen: list[Operand]) -> Taint:
        """What any of the operands comes from."""
        found = UNDEFINED if self.block.is_misled(self.lanes) else NOTHING
        for operand in chosen:
            found = union(found, self.sources.of(operand).taint)
        return found

    def write(self, part: _Part, result: Register, values: Array, taint: Taint) -> None:
        """Gives each lane of a part its result."""
        value = values[0] if part.group.single else values
        self.block.cells[result.number].write(part.group, value, taint)

    def of_part(self, part: _Part, values: Array) -> Array:
        """What is given by lane, of the lanes of a part."""
        found: Array = values[np.searchsorted(self.lanes, part.group.lanes)]
        return found


def _shuffle(met: _Together, kind: ShuffleKind) -> None:
    pairs = [(part, part.instruction) for part in met.parts if isinstance(part.instruction, Shuffle)]
    steps = met.column([met.operand(part, shuffle.lane) for part, shuffle in pairs])
    widths = met.column([met.operand(part, shuffle.width) for part, shuffle in pairs])
    found, takes_part = warps.sources(kind, ShuffleLanes(met.lanes, met.masks(), steps, widths), met.size)
    given = [_given(met, part, shuffle) for part, shuffle in pairs]
    bits = met.column([each.bits for each in given])
    position = np.minimum(np.searchsorted(met.lanes, found), len(met.lanes) - 1)
    exchanged = np.where(takes_part, bits[position], bits.dtype.type(0))
    whence = met.taint([operand for _, shuffle in pairs for operand in (shuffle.lane, shuffle.width)])
    taint = union(whence, met.taint([shuffle.value for _, shuffle in pairs]))
    met.block.depends |= whence
    if not takes_part.all():
        for part, _ in pairs:
            _claim_inactive(met, part, (met.of_part(part, found), met.of_part(part, takes_part), whence))
        met.block.is_hollow = True
    missing = _why_missing(met, given)
    exchanged_whys = np.where(takes_part[:, None], 0 if missing is None else missing[position], REPORTED)
    for part, shuffle in pairs:
        mine = numbers.from_bits(shuffle.result.type)(met.of_part(part, exchanged))
        met.write(part, shuffle.result, mine, taint)
        met.sources.cell(shuffle.result).leave(part.group, met.of_part(part, exchanged_whys))


class _Given(NamedTuple):
    """What the lanes of a part give to a shuffle, and why some of them have nothing to give (None: all have)."""

    part: _Part
    bits: Array
    whys: Whys | None


def _given(met: _Together, part: _Part, shuffle: Shuffle) -> _Given:
    source = met.sources.of(shuffle.value)
    whys = met.sources.whys(source, part.group, part.instruction.place)
    value, _ = source.offered(part.group)
    return _Given(part, numbers.to_bits(shuffle.result.type)(part.group.spread(value)), whys)


def _why_missing(met: _Together, given: list[_Given]) -> Whys | None:
    """Why lanes have nothing to give, by lane (None: all have)."""
    found: Whys | None = None
    for part, _, whys in given:
        if whys is not None:
            found = placed(found, len(met.lanes), np.searchsorted(met.lanes, part.group.lanes), whys)
    return found


def _claim_inactive(met: _Together, part: _Part, exchange: tuple[Array, Array, Taint]) -> None:
    found, takes_part, whence = exchange
    if takes_part.all():
        return
    block, place = met.block, part.instruction.place

    def claim() -> Violation:
        at = int(np.argmin(takes_part))
        thread = block.scene.thread(int(part.group.lanes[at]))
        return InactiveLane(block.log.interval, thread, int(found[at]) % met.size, place)

    block.claim((InactiveLane, place), claim, union(whence, block.absences))


def _vote(met: _Together, kind: VoteKind) -> None:
    pairs = [(part, part.instruction) for part in met.parts if isinstance(part.instruction, Vote)]
    truths = met.column([met.operand(part, vote.operand) for part, vote in pairs])
    found = warps.vote(kind, Ballot(met.lanes, met.masks(), truths), met.size)
    taint = met.taint([vote.operand for _, vote in pairs])
    for part, vote in pairs:
        if vote.result is not None:
            mine = met.of_part(part, found).astype(numbers.DTYPES[vote.result.type])
            met.write(part, vote.result, mine, taint)
