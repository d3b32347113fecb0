"""Hovers in the body of a kernel: of a shared array who writes and reads it in which interval, of a barrier what it
separates.

What is said is read off the text, whatever the verdict; that a barrier is not needed is a finding of its own. Must not
know how intervals are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from lsprotocol import types

from rewright.lsp.positions import offset_of
from rewright.lsp.session import Session
from rewright.model.body import Expression, Integer, Variable
from rewright.model.simt.types import Space
from rewright.report.tables import code
from rewright.verdict import Place
from rewright.workspace.programs import WrittenKernel
from rewright.writing.intervals import Intervals, Touch, intervals


def inside(session: Session, path: str, position: types.Position) -> Iterator[str]:
    """What is said of the shared array or the barrier at a position of a source; nothing while its text is lowered."""
    report = session.workspace.report()
    text = report.texts.get(path)
    if text is None:
        return
    offset = offset_of(text, position, session.client.encoding)
    said = dict[str, None]()
    for read in session.workspace.written_kernels(path):
        said |= dict.fromkeys(_of(read, offset))
    yield from said


def _of(read: WrittenKernel, offset: int) -> Iterator[str]:
    found = intervals(read.program)
    for barrier in found.ended:
        at = read.at(barrier)
        if at is not None and at.start <= offset <= at.end:
            yield _barrier(read, found, barrier)
    for number, each in enumerate(read.program.objects):
        places = [each.place, *(touch.place for touch in found.touches if touch.array == number)]
        spans = (at for place in places if (at := read.at(place)) is not None)
        word = _word(read.text.data, offset)
        if each.space is Space.SHARED and word == each.name and any(at.start <= offset <= at.end for at in spans):
            yield _array(read, found, number)


def _array(read: WrittenKernel, found: Intervals, number: int) -> str:
    each = read.program.objects[number]
    counts = [_value(extent, read) for extent in each.extents or ()]
    known = [count for count in counts if count is not None]
    size = f", {prod(known) * each.type.bytes} bytes" if each.extents is not None and len(known) == len(counts) else ""
    shape = "".join(f"[{'…' if count is None else count}]" for count in counts)
    lines = [f"{code(f'{each.name}{shape}')}: shared by the threads of a block, {each.type.value}{size}"]
    return "\n".join([*lines, *_lines(read, [touch for touch in found.touches if touch.array == number])])


def _lines(read: WrittenKernel, touches: Iterable[Touch]) -> Iterator[str]:
    rows = {(_line(read, each.place), str(each.does), _since(read, each.after)): None for each in touches}
    yield from (f"- {line} {does} it, in the interval that begins {since}" for line, does, since in rows)


def _barrier(read: WrittenKernel, found: Intervals, barrier: Place) -> str:
    threads = [_value(each, read) for each in read.kernel.launch.block]
    known = [count for count in threads if count is not None]
    who = f"all {prod(known)} threads" if len(known) == len(threads) else "all threads"
    before = [each for each in found.touches if each.after & found.ended[barrier]]
    after = [each for each in found.touches if barrier in each.after]
    lines = [
        f"A barrier: {who} of a block wait here for each other.",
        f"It ends the interval that begins {_since(read, found.ended[barrier])}.",
    ]
    for title, touches in (("before it", before), ("after it", after)):
        rows = {
            f"{code(read.program.objects[each.array].name)} ({each.does}, {_line(read, each.place)})": None
            for each in touches
        }
        lines.append(f"- {title}: {', '.join(rows) or 'no shared array is accessed'}")
    return "\n".join(lines)


def _line(read: WrittenKernel, place: Place | None) -> str:
    """`line 12`, or where else a place is."""
    found = read.at(place)
    return "another file" if found is None else f"line {read.text.position(found.start).line + 1}"


def _since(read: WrittenKernel, places: Iterable[Place | None]) -> str:
    """Where an interval begins: `at the barrier in line 9`."""
    lines = {_line(read, place) for place in places if place is not None}
    barriers = sorted(lines, key=lambda said: (len(said), said))
    parts = ["at the start"] if None in places else []
    parts += [f"at the barrier in {' or '.join(barriers)}"] if barriers else []
    return ", or ".join(parts)


def _value(each: Expression, read: WrittenKernel) -> int | None:
    """The value of a number or of a size that has one, if it has that in all launches."""
    match each:
        case _ if read.several:
            return None
        case Integer(value=value):
            return value
        case Variable(name=name):
            sizes = {size.name: size.value for size in read.kernel.sizes}
            given = sizes.get(name)
            return given.value if isinstance(given, Integer) else None
        case _:
            return None


def _word(data: bytes, offset: int) -> str:
    """The name that an offset is in."""
    start = end = offset
    while start > 0 and _is_part(data[start - 1]):
        start -= 1
    while end < len(data) and _is_part(data[end]):
        end += 1
    return data[start:end].decode(errors="replace")


def _is_part(byte: int) -> bool:
    return chr(byte).isalnum() or byte == ord("_")
