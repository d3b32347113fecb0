"""What is known of a project at one moment: one immutable value, and the steps from one such value to the next.

Owns what was read in which file, what sources come to, what was answered, what is being asked and what waits; and what
depends on what. Invariant: a project is a function of what sources say, of what was requested and of what was answered,
in whatever order that came. A driver carries these in, and out what is due (`plan`). Must not know workers, time, nor
who looks at the report.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.checks.kernel_question import SourceEntry
from rewright.engine.jobs import Job, Outcome, Reply
from rewright.frontends.preset import around_and_end, is_anywhere
from rewright.rules.decision import Mode
from rewright.workspace.documents import Document, document
from rewright.workspace.jobs import How, Planned
from rewright.workspace.lowering import Lowerings
from rewright.workspace.settings import KernelSettings, Settings
from rewright.workspace.sources import Reads, Unreadable, holds_declarations, speaks_for_itself
from rewright.workspace.tracked import Tracked, track

_Any = TypeVar("_Any")

Reading = Tracked | Document
"""What is read in a file: declarations, or kernels."""


class FileJob(Struct, frozen=True):
    """A job of the declaration called `name` of the file at `path`."""

    path: str
    name: str
    job: Job


class Given(Protocol):
    """What a driver gives: the texts, and what is set."""

    def reads(self, path: str) -> Reads:
        """The sources, as they are asked for the file at `path`."""

    def settings(self, path: str) -> Settings:
        """The settings that hold for the file at `path`."""


class ReportScope(Struct, frozen=True):
    """What of the files is in the report and what is asked about.

    Of the files `beside` only kernels that are written in one of the `sources`. Of what is in the report only
    declarations called one of `only` are asked about, all of them if there are no such names.
    """

    only: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()

    def holds(self, path: str, planned: Planned) -> bool:
        """Whether a declaration of the file at `path` is in the report."""
        return path not in self.beside or not self.sources.isdisjoint(source for _, source in planned.sources)

    def asks(self, path: str, planned: Planned) -> bool:
        """Whether a declaration of the file at `path` is asked about."""
        return self.holds(path, planned) and (not self.only or planned.declared.name in self.only)


class Project(Struct, frozen=True):
    """What is known.

    `readings` are the files that can be read, by path, `unreadable` says of others why; those `unlowered` name sources
    that are still to be lowered. `outcomes` are by the keys of questions. `asked` are the files that were to be
    checked, `waiting` those of them that wait for sources, with their priority; `running` the jobs under way, by id.
    """

    mode: Mode
    scope: ReportScope = field(default_factory=ReportScope)
    readings: Mapping[str, Reading] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    unlowered: frozenset[str] = frozenset()
    lowerings: Lowerings = field(default_factory=Lowerings)
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    waiting: Mapping[str, int] = field(default_factory=dict)
    running: Mapping[str, FileJob] = field(default_factory=dict)

    def how(self, kernels: KernelSettings) -> How:
        """How declarations are understood now, where sources of kernels are read so."""
        return How(self.mode, self.lowerings, kernels)

    def tracked(self) -> Iterator[Tracked]:
        """The files of declarations."""
        return (reading for reading in self.readings.values() if isinstance(reading, Tracked))

    def declared(self, path: str) -> frozenset[str]:
        """The kernels of a source that a file of declarations names."""
        names = _names(path)
        return frozenset(entry for each in self.tracked() for at, entry, _ in each.entries() if at in names)


# -------------------------------------------------------------------------------------------------------- what is read


def read(project: Project, path: str, given: Given) -> Project:
    """The project with the file at `path` as it stands now, made from what was read before as far as that is true."""
    made = _read(project, path, given)
    if isinstance(made, Unreadable):
        gone = without(project, path)
        return replace(gone, unreadable={**gone.unreadable, path: made.reason})
    return with_reading(project, made)


def _read(project: Project, path: str, given: Given) -> Reading | Unreadable:
    sources, how, before = given.reads(path), project.how(given.settings(path).kernels), project.readings.get(path)
    if speaks_for_itself(path):
        known = before if isinstance(before, Document) else None
        return document(path, (sources, how), known, project.declared(path))
    return track(path, sources, how, before if isinstance(before, Tracked) else None)


def with_reading(project: Project, made: Reading) -> Project:
    """The project in which this is what is read in its file."""
    unlowered = project.unlowered | {made.path} if made.awaited else project.unlowered - {made.path}
    return replace(
        project,
        readings={**project.readings, made.path: made},
        unreadable=_less(project.unreadable, made.path),
        unlowered=unlowered,
    )


def without(project: Project, path: str) -> Project:
    """The project in which nothing is known of the file at `path`."""
    return replace(
        unread(project, path), unreadable=_less(project.unreadable, path), waiting=_less(project.waiting, path)
    )


def let_go(project: Project, path: str) -> Project:
    """The project that the file at `path` is no part of."""
    return replace(without(project, path), asked=project.asked - {path})


def unread(project: Project, path: str) -> Project:
    """The project in which the file at `path` is still to be read, as if for the first time."""
    return replace(project, readings=_less(project.readings, path), unlowered=project.unlowered - {path})


def _less(known: Mapping[str, _Any], left: str) -> Mapping[str, _Any]:
    return {key: each for key, each in known.items() if key != left} if left in known else known


# ------------------------------------------------------------------------------------------------ what depends on what


def dependent(project: Project, path: str) -> Iterator[str]:
    """The other files whose declarations may change with the text of the file at `path`.

    What a file of declarations declares, no source does: each of these may change with it.
    """
    names, declares = _names(path), holds_declarations(path)
    for reading in project.readings.values():
        named = _rests_on(reading, names) or any(name in reading.imports for name in names)
        if reading.path != path and (named or (declares and isinstance(reading, Document))):
            yield reading.path


def _rests_on(reading: Reading, names: frozenset[str]) -> bool:
    """Whether what is read in a file depends on one of these."""
    named = reading.named()
    is_named = not (names.isdisjoint(named) and names.isdisjoint(reading.looked()))
    ends = tuple(f"/{around_and_end(each)[1]}" for each in named if is_anywhere(each))
    return is_named or any(name.endswith(ends) for name in names)


def concerned(project: Project, path: str) -> Iterator[str]:
    """The files with declarations in the file at `path` or written in it, and the sources whose kernels it may name."""
    names, declares = _names(path), holds_declarations(path)
    for reading in project.readings.values():
        named = reading.path == path or _rests_on(reading, names)
        if named or (declares and isinstance(reading, Document)):
            yield reading.path


def kernels(project: Project, path: str) -> Iterator[tuple[SourceEntry, tuple[tuple[str, int], ...]]]:
    """The kernels of a source that speaks for itself, each with where it is asked about: a file and a number in it."""
    document = project.readings.get(path)
    asked: dict[str, list[tuple[str, int]]] = {}
    if isinstance(document, Document):
        for number, planned in enumerate(document.planned):
            asked.setdefault(planned.declared.name, []).append((path, number))
        for tracked in project.tracked():
            numbers = {id(planned): number for number, planned in enumerate(tracked.planned)}
            for at, entry, planned in tracked.entries():
                asked.setdefault(entry, []).extend([(tracked.path, numbers[id(planned)])] if at == path else [])
        yield from ((kernel, tuple(asked.get(kernel.name, ()))) for kernel in document.kernels)


def _names(path: str) -> frozenset[str]:
    """The paths that a file may be known by."""
    return frozenset({path, os.path.realpath(path)})


# ------------------------------------------------------------------------------------------------- what is known of it


def answered(project: Project, outcome: Outcome) -> Project:
    """The project in which a question has an outcome; one that says nothing takes no answer away."""
    if not isinstance(outcome, Reply) and isinstance(project.outcomes.get(outcome.key), Reply):
        return project
    return replace(project, outcomes={**project.outcomes, outcome.key: outcome})


def started(project: Project, due: FileJob) -> Project:
    """The project in which a job is under way."""
    return replace(project, running={**project.running, due.job.id: due})


def ended(project: Project, job: Job) -> Project:
    """The project in which a job is not under way any more."""
    return replace(project, running=_less(project.running, job.id))


def forgotten(project: Project) -> Project:
    """The project of which nothing was ever answered."""
    return replace(project, outcomes={})
