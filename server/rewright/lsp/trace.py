"""The trace of checks: what was asked, answered from where, in how long."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rewright.engine.jobs import JobFailure, Outcome, Reply

if TYPE_CHECKING:
    from rewright.workspace.project import FileJob


def summary(due: FileJob, outcomes: tuple[Outcome, ...], why: str | None) -> str:
    """A line on the check of a declaration: `slice.rw, f: 2 questions: 1 from the cache, 1 by a worker in 34 ms`.

    `why` it was checked again stands at the end, as in `; again because its text changed`.
    """
    count = len(due.job.questions)
    again = f"; again because {why}" if why is not None else ""
    asked = "1 question" if count == 1 else f"{count} questions"
    return f"{os.path.basename(due.path)}, {due.name}: {asked}: {', '.join(_parts(outcomes))}{again}"


def keys(due: FileJob, outcomes: tuple[Outcome, ...]) -> str:
    """A line for each question: its id, which `rewright query` takes, and what it came to."""
    pairs = zip(due.job.questions, outcomes, strict=True)
    return "\n".join(f"{question.key}: {', '.join(_parts([outcome]))}" for question, outcome in pairs)


def _parts(outcomes: Iterable[Outcome]) -> Iterator[str]:
    replies = [each for each in outcomes if isinstance(each, Reply)]
    cached = sum(each.cached for each in replies)
    worked = [each.milliseconds for each in replies if not each.cached]
    if cached:
        yield f"{cached} from the cache"
    if worked:
        yield f"{len(worked)} by a worker in {sum(worked):.0f} ms"
    for failure in outcomes:
        if isinstance(failure, JobFailure):
            yield f"1 without an answer ({failure.kind})"
