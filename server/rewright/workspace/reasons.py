"""Why a declaration was asked about again: which of the texts that its questions rest on are others than before.

Owns what is compared. A change is named where it was made: in the declaration, in another one that it speaks of, in a
source, or in what a build says. Must not know what is due, nor who looks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from rewright.syntax.parsed import Parsed
from rewright.workspace.jobs import Planned
from rewright.workspace.project import FileJob, Reading
from rewright.workspace.tracked import Tracked

OWN = "its text"


class Read(Struct, frozen=True):
    """A text as it was read: its digest, and where it stands, to be said after its name."""

    digest: str
    where: str = ""


Basis = Mapping[str, Read]
"""What questions rest on: texts, by what they are called."""


def changes(before: Basis, now: Basis) -> str | None:
    """What is another text than before, or was not among the texts, as a clause; None if all are the same."""
    new = [f"{name} changed{read.where}" for name, read in now.items() if _digest(before, name) != read.digest]
    return " and ".join(new) or None


def _digest(basis: Basis, name: str) -> str | None:
    return basis[name].digest if name in basis else None


class Reasons(Struct):
    """What each declaration was last asked on the basis of, by the ids of jobs, and why it was asked again."""

    _bases: dict[str, Basis] = field(default_factory=dict)
    _why: dict[str, str] = field(default_factory=dict)

    def note(self, due: FileJob, reading: Reading) -> None:
        """Takes note that a declaration of a file is asked about as it is read now."""
        keys = tuple(question.key for question in due.job.questions)
        planned = next((each for each in reading.planned if each.keys == keys and each.declared.name == due.name), None)
        if planned is None:
            return
        now, before = dict(_texts(reading, planned)), self._bases.get(due.job.id)
        self._bases[due.job.id] = now
        why = changes(before, now) if before is not None else None
        if why is not None:
            self._why[due.job.id] = why

    def why(self, job: str) -> str | None:
        """Why the declaration with a job's id was asked about again; None if no text that it rests on has changed."""
        return self._why.get(job)


def _texts(reading: Reading, planned: Planned) -> Iterator[tuple[str, Read]]:
    if isinstance(reading, Tracked):
        number = next(number for number, each in enumerate(reading.planned) if each is planned)
        yield OWN, Read(reading.parsed.file.declarations[number].digest)
        yield from _others(reading, planned)
    for text in planned.lowering.texts if planned.lowering is not None else ():
        yield f"`{os.path.basename(text.uri)}`", Read(text.digest)
    yield from ((f"`{os.path.basename(path)}`", Read(digest)) for path, digest in planned.looked)


def _others(reading: Tracked, planned: Planned) -> Iterator[tuple[str, Read]]:
    """The declarations that one speaks of, in its file or in those that it imports."""
    files: dict[str, Parsed | None] = {**reading.imports, reading.path: reading.parsed}
    spoken_of = ((name, reading.model.spoken_of.get(name)) for name in planned.declared.speaks_of)
    for name, other in spoken_of:
        file = files.get(other.uri) if other is not None else None
        if file is None or other is None:
            continue
        for placed in file.file.declarations:
            if placed.start == other.start:
                head = placed.node.head
                line = file.text.position(placed.absolute(head.word.span).start).line + 1
                yield f"`{name}`", Read(placed.digest, f" (line {line})")
