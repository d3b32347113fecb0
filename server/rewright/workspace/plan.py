"""What is due: which questions are to be asked of the engine, and which sources are to be lowered before that.

Invariant: of a file that is to be checked each declaration is asked once: now, or once the source that it waits for is
lowered. A question that has a definite answer is not asked again, one that was unknown is. Must not know who asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from rewright.engine.jobs import Outcome, Question, Reply
from rewright.workspace.documents import Document
from rewright.workspace.jobs import Planned, job
from rewright.workspace.project import FileJob, Given, Project, Reading, read, with_reading
from rewright.workspace.tracked import Tracked, relowered

AT_ONCE = 1
"""The priority of what somebody waits for."""


class Due(Struct, frozen=True):
    """What a step leaves to do: the project after it, the files of which other things are said now, the jobs to ask."""

    project: Project
    paths: tuple[str, ...]
    jobs: tuple[FileJob, ...]


def check(project: Project, path: str, priority: int, given: Given) -> Due:
    """The file at `path` is to be checked: now what asks already, and the rest once it is lowered."""
    return _check(project, project.readings[path].planned, (path, priority, given))


def check_named(project: Project, path: str, names: Collection[str], given: Given) -> Due:
    """Only the declarations of these names are to be checked, unless one of them is to be lowered first.

    A source is lowered for all that is asked about in it, and so is then checked as a whole.
    """
    named = tuple(each for each in project.readings[path].planned if each.declared.name in names)
    if any(each.awaited is not None for each in named):
        return check(project, path, AT_ONCE, given)
    return _check(project, named, (path, AT_ONCE, given))


def _check(project: Project, planned: tuple[Planned, ...], asking: tuple[str, int, Given]) -> Due:
    path, priority, given = asking
    reading = project.readings[path]
    waits = planned == reading.planned and any(to_lower(project, reading))
    waiting = {**project.waiting, path: priority} if waits else project.waiting
    after = replace(project, asked=project.asked | {path}, waiting=waiting)
    return Due(after, (path,), tuple(_jobs(after, reading, planned, (priority, given))))


def lowered(project: Project, outcome: Outcome) -> Project:
    """The project in which it is known what a source comes to; what waits for that still does (`caught_up`)."""
    return replace(project, lowerings=project.lowerings.taking(outcome))


def caught_up(project: Project, keys: Collection[str], given: Given) -> Due:
    """What waited for one of these lowerings goes on from it: to its question, or to a lowering of more sources."""
    unlowered = ((path, project.readings[path].awaited) for path in sorted(project.unlowered))
    paths = tuple(path for path, awaited in unlowered if any(question.key in keys for question in awaited))
    jobs: list[FileJob] = []
    for path in paths:
        project, fresh = _caught_up(project, path, keys, given)
        reading, priority = project.readings.get(path), project.waiting.get(path)
        if reading is not None and priority is not None:
            jobs += _jobs(project, reading, fresh, (priority, given))
            project = project if any(to_lower(project, reading)) else _not_waiting(project, path)
    return Due(project, paths, tuple(jobs))


def _not_waiting(project: Project, path: str) -> Project:
    return replace(project, waiting={each: at for each, at in project.waiting.items() if each != path})


def _caught_up(project: Project, path: str, keys: Collection[str], given: Given) -> tuple[Project, tuple[Planned, ...]]:
    """The project with what is read in a file now, and those of its declarations that are others."""
    match project.readings[path]:
        case Tracked() as tracked:
            how = project.how(given.settings(path).kernels)
            made, fresh = relowered(tracked, keys, given.reads(path), how)
            return with_reading(project, made), fresh
        case Document():
            after = read(project, path, given)
            reading = after.readings.get(path)
            return after, reading.planned if reading is not None else ()


def pruned(project: Project) -> Project:
    """The project without the lowerings that nothing rests on."""
    keys = (key for reading in project.readings.values() for key in reading.lowered_by())
    return replace(project, lowerings=project.lowerings.keeping(keys))


def stopped(project: Project) -> Project:
    """The project in which nothing waits to be checked."""
    return replace(project, waiting={})


def awaited(project: Project, paths: Iterable[str]) -> dict[str, Question]:
    """What is to be lowered for these files, by key."""
    return {question.key: question for path in paths for question in to_lower(project, project.readings[path])}


def to_lower(project: Project, reading: Reading) -> Iterator[Question]:
    """What a file waits for: of a source it is all of it, else what is asked about in it."""
    if isinstance(reading, Document):
        yield from reading.awaited
        return
    for planned in reading.planned:
        if planned.awaited is not None and project.scope.asks(reading.path, planned):
            yield planned.awaited


def _jobs(
    project: Project, reading: Reading, planned: Iterable[Planned], asking: tuple[int, Given]
) -> Iterator[FileJob]:
    priority, given = asking
    budget = given.settings(reading.path).budget
    numbers = _numbered(reading.planned)
    for each in planned:
        if each.awaited is None and is_undecided(project, each) and project.scope.asks(reading.path, each):
            yield FileJob(
                reading.path, each.declared.name, job(each, reading.path, budget, priority, numbers[id(each)])
            )


def _numbered(planned: Iterable[Planned]) -> dict[int, int]:
    """How many declarations of its name come before each: of two graphs there may be several refinements."""
    counts: Counter[tuple[str, str]] = Counter()
    numbers: dict[int, int] = {}
    for each in planned:
        name = each.declared.kind, each.declared.name
        numbers[id(each)] = counts[name]
        counts[name] += 1
    return numbers


def is_undecided(project: Project, planned: Planned) -> bool:
    """Whether one of a declaration's questions has no definite answer."""
    outcomes = (project.outcomes.get(key) for key in planned.keys)
    return not all(isinstance(outcome, Reply) and outcome.definite for outcome in outcomes)
