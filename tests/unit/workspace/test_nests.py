"""Nests of an editor: facts are asked for once, and anew only when the nest is another one; no worker outlives them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rewright.checks.nest_question import NestFactsPayload
from rewright.checks.table import canonically
from rewright.engine.cache import NoCache
from rewright.engine.jobs import Answered, Event, Job, Question, Reply, WorkerLimits
from rewright.engine.scheduler import Engine
from rewright.fixes.loops.texts import read
from rewright.model.nest import Nest
from rewright.model.nest_facts import LoopFacts, StatementFacts
from rewright.rules.decision import Mode
from rewright.workers.full import load
from rewright.workspace.batch import WORKER
from rewright.workspace.folders import Folders
from rewright.workspace.jobs import How, facts_key_of
from rewright.workspace.lowering import Lowerings
from rewright.workspace.nests import Nests
from rewright.workspace.sources import Sources
from rewright.workspace.tracked import Tracked, track

COPY = "loops copy(N) {\n  array A, B: f64[N]\n  for i in 0..N { S: A[i] = B[i] }\n}\n"
PATH = "/nowhere/copy.rw"


@dataclass(slots=True)
class Asked:
    """An engine that keeps what it is asked, to be answered when a test says so."""

    jobs: list[tuple[Job, Callable[[Event], None]]] = field(default_factory=list)

    def submit(self, job: Job, take: Callable[[Event], None]) -> None:
        self.jobs.append((job, take))

    def answer(self) -> None:
        handle = load()
        for job, take in self.jobs:
            for each in job.questions:
                reply = Reply(each.key, handle(each.payload, 1).text, True, 0.0, False)
                take(Answered(job, reply))
        self.jobs.clear()


@dataclass(slots=True)
class Edited:
    """A file of declarations that is edited."""

    sources: Sources = field(default_factory=lambda: Sources(Path("/nowhere")))
    engine: Asked = field(default_factory=Asked)
    tracked: Tracked | None = None

    def nests(self) -> Nests:
        return Nests(cast(Engine, self.engine), lambda _: self.tracked, (self.sources, Folders()))

    def edit(self, text: str, nests: Nests) -> None:
        self.sources.open(PATH, text)
        made = track(PATH, self.sources, How(Mode.NORMAL_FORMS, Lowerings()), self.tracked)
        assert isinstance(made, Tracked)
        self.tracked = made
        results: Any = [SimpleNamespace(name=each.declared.name, questions=()) for each in made.planned]
        nests.consider(PATH, results)


def test_an_unchanged_nest_is_looked_at_once() -> None:
    file = Edited()
    nests = file.nests()
    file.edit(COPY, nests)
    assert len(file.engine.jobs) == 1
    file.edit("// a comment\n" + COPY + "\n", nests)
    assert len(file.engine.jobs) == 1, "while it is asked"
    file.engine.answer()
    file.edit("// another\n" + COPY.replace("copy", "renamed").replace("A", "C"), nests)
    ((job, _),) = file.engine.jobs
    known = canonically(NestFactsPayload(nest_of(COPY)))
    assert job.questions == (Question(facts_key_of(known.payload), known.payload),), "names are no part of the key"
    file.engine.jobs.clear()
    file.edit(COPY.replace("0..N", "1..N"), nests)
    assert len(file.engine.jobs) == 1


def nest_of(text: str) -> Nest:
    made = read((text,))
    assert made is not None and isinstance(made.value, Nest)
    return made.value


def test_facts_are_found_where_their_loop_and_statement_stand() -> None:
    file = Edited()
    nests = file.nests()
    text = "// größer\n" + COPY
    file.edit(text, nests)
    assert nests.facts_at(PATH, at(text, "A[i]")) is None
    file.engine.answer()
    statement, loop = (nests.facts_at(PATH, at(text, each)) for each in ("A[i]", "i in"))
    assert isinstance(statement, StatementFacts) and (statement.name, statement.count) == ("S", "N")
    assert isinstance(loop, LoopFacts) and loop.iterator == "i"
    assert nests.facts_at(PATH, at(text, "array")) is None
    file.edit("\n\n" + text, nests)
    moved = nests.facts_at(PATH, at("\n\n" + text, "A[i]"))
    assert moved == statement


def at(text: str, what: str) -> int:
    return len(text[: text.index(what)].encode())


def written(n: int) -> str:
    access = f"A[i / 2, (i + j) / {n + 2}] += A[j % {n + 3}, i]"
    return f"  for i in {n}..N, j in 0..M {{ if (i + {n} * j) % {7 + n} == 0 {{ {access} }} }}"


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_that_is_ended_in_the_middle_of_a_call_of_isl_leaves_no_process() -> None:
    body = "\n".join(map(written, range(20)))
    payload = canonically(NestFactsPayload(nest_of(f"loops heavy(N, M) {{\n  array A: f64[N, M]\n{body}\n}}"))).payload

    async def run() -> None:
        engine = Engine(NoCache(), WORKER, 1, WorkerLimits(niceness=0))
        ticket = engine.submit(Job("heavy", (Question("key", payload),), 1_000), lambda event: None)
        async with asyncio.timeout(60):
            while not any(used(each) > LOADED for each in children()):
                await asyncio.sleep(0.05)
        busy = {each for each in children() if used(each) > LOADED}
        engine.cancel(ticket)
        async with asyncio.timeout(60):
            while busy & children():
                await asyncio.sleep(0.05)
        await engine.close()

    asyncio.run(run())
    assert not children()


LOADED = 2.5
"""Seconds of processor time after which a worker has loaded what it needs and is at work."""


def children() -> set[int]:
    """The live children of this process."""
    found = set()
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            state, parent = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(entry))
    return found


def used(process: int) -> float:
    """The seconds of processor time that a process has used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
