"""The project as a value: nothing is asked twice, and the report depends on what is known, not on the way there."""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

import pytest

from rewright.checks.table import lowering_answer
from rewright.engine.jobs import FailureKind, JobFailure, Outcome, Question, Reply
from rewright.report.document import FileReport, Progress
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.verdict import NOTHING, Answer, Coverage, Verdict
from rewright.verdict.codec import encode
from rewright.workspace import plan, project
from rewright.workspace.plan import Due
from rewright.workspace.project import FileJob, Project, ReportScope
from rewright.workspace.settings import Settings
from rewright.workspace.sources import Unreadable
from rewright.workspace.views import Folder, folded

RULE = "rule {name}<T: any> {{\n  axes A\n  map n on A\n  tensor X: T[A: n]\n  reverse(X, A) => X\n}}\n"
KERNEL = 'kernel {name}(y: out s32[4]) from "{source}" {{\n  launch block(4)\n}}\n'
CUDA = "{launch}__global__ void {name}(int *y) {{ y[threadIdx.x] = WIDTH; }}\n"
LAUNCH = "// rewright: launch block(4); y: out s32[4]\n"
INCLUDE = '#include "width.h"\n'

FILES = {
    "/at/rules.rw": RULE.format(name="a") + RULE.format(name="b"),
    "/at/more.rw": 'import "rules.rw"\n' + RULE.format(name="c") + RULE.format(name="a"),
    "/at/kernels.rw": KERNEL.format(name="k", source="k.cu") + KERNEL.format(name="gone", source="no.cu"),
    "/at/k.cu": INCLUDE + CUDA.format(launch=LAUNCH, name="k") + CUDA.format(launch=LAUNCH, name="l"),
    "/at/width.h": "#define WIDTH 4\n",
}
BEFORE = {
    "/at/rules.rw": RULE.format(name="c").replace("X", "Y"),
    "/at/kernels.rw": KERNEL.format(name="l", source="k.cu"),
    "/at/k.cu": CUDA.format(launch="#define WIDTH 5\n", name="k"),
    "/at/width.h": None,
}
"""What some of the files were before, None for one that was not there."""

READ = tuple(path for path in FILES if not path.endswith(".h"))


@dataclass(frozen=True, slots=True)
class Memory:
    """Sources that are on no disk, and the usual settings."""

    texts: dict[str, str | None]
    set: Settings = field(default_factory=Settings)

    def reads(self, _: str) -> Memory:
        return self

    def settings(self, _: str) -> Settings:
        return self.set

    def read(self, path: str) -> Text | Unreadable:
        text = self.texts.get(path)
        return Unreadable(os.strerror(errno.ENOENT)) if text is None else Text.of(path, text)

    def resolve(self, named: str, by: str) -> str | Unreadable:
        return os.path.normpath(os.path.join(os.path.dirname(by), named))

    def nearby(self, named: str, by: str) -> tuple[str, ...]:
        return ()

    def ending(self, named: str, by: str) -> tuple[str, ...]:
        return ()


def answer(question: Question) -> Reply:
    """An answer that the question alone decides."""
    verdict = (Verdict.PROVED, Verdict.REFUTED, Verdict.UNKNOWN)[int(question.key, 16) % 3]
    coverage = Coverage("all", bounded=False) if verdict is Verdict.PROVED else NOTHING
    return Reply(question.key, encode(Answer(verdict, coverage)), verdict is not Verdict.UNKNOWN, 1.0, cached=False)


@cache
def lowering(question: Question) -> Reply:
    return Reply(question.key, encode(lowering_answer(question.payload)), definite=True, milliseconds=1.0, cached=False)


class Driver:
    """The least driver: keeps what is due, and carries it out when it is told to."""

    def __init__(self, texts: dict[str, str | None], scope: ReportScope | None = None) -> None:
        self.given = Memory(texts)
        self.project = Project(Mode.NORMAL_FORMS, scope or ReportScope())
        self.due: list[FileJob] = []
        self.asked: list[str] = []

    def changed(self, path: str) -> None:
        for each in (*((path,) if path in READ else ()), *project.dependent(self.project, path)):
            self.project = project.read(self.project, each, self.given)

    def check(self, path: str) -> None:
        if path in self.project.readings:
            self.take_up(plan.check(self.project, path, 0, self.given))

    def take_up(self, due: Due) -> None:
        self.project = due.project
        for each in due.jobs:
            self.due.append(each)
            self.project = project.started(self.project, each)

    def lower(self, chance: random.Random) -> None:
        """Lowers one source that something waits for."""
        awaited = sorted(plan.awaited(self.project, self.project.unlowered).values(), key=lambda question: question.key)
        if awaited:
            question = chance.choice(awaited)
            self.project = plan.lowered(self.project, lowering(question))
            self.take_up(plan.caught_up(self.project, (question.key,), self.given))

    def answer(self, chance: random.Random) -> None:
        """Answers one of the jobs that are due."""
        if self.due:
            due = self.due.pop(chance.randrange(len(self.due)))
            for question in due.job.questions:
                self.asked.append(question.key)
                self.project = project.answered(self.project, answer(question))
            self.project = project.ended(self.project, due.job)

    def drain(self, chance: random.Random) -> None:
        while self.due or plan.awaited(self.project, self.project.unlowered):
            chance.choice((self.lower, self.answer))(chance)

    def report(self, memory: Folder | None = None) -> list[FileReport]:
        folder = memory or Folder()
        return [folded(self.project, path, folder) for path in sorted(self.project.readings)]


def all_at_once() -> Driver:
    driver = Driver(dict(FILES))
    for path in READ:
        driver.changed(path)
    for path in READ:
        driver.check(path)
    driver.drain(random.Random(0))
    return driver


def test_all_that_is_to_be_checked_is_asked_once() -> None:
    driver = all_at_once()
    results = {(file.path, each.name): each for file in driver.report() for each in file.results}
    assert sorted(results) == [
        ("/at/k.cu", "l"),
        ("/at/kernels.rw", "gone"),
        ("/at/kernels.rw", "k"),
        ("/at/more.rw", "a"),
        ("/at/more.rw", "c"),
        ("/at/more.rw", "rules.rw"),
        ("/at/rules.rw", "a"),
        ("/at/rules.rw", "b"),
    ]
    assert not driver.project.waiting and not driver.project.running and not driver.project.unlowered
    known = {question.id for result in results.values() for question in result.questions}
    assert known == set(driver.asked) | {question.id for question in results["/at/kernels.rw", "gone"].questions}
    for path in READ:
        driver.check(path)
    again = {question.key for due in driver.due for question in due.job.questions}
    assert again == {key for key in driver.asked if not driver.project.outcomes[key].definite}  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(60))
def test_the_report_does_not_depend_on_the_way_there(seed: int) -> None:
    chance = random.Random(seed)
    driver, memory = Driver({**FILES, **BEFORE}), Folder()
    events = [*READ, *READ, *READ, *BEFORE, *(["lower", "answer", "look"] * 8)]
    chance.shuffle(events)
    for event in events:
        match event:
            case "lower":
                driver.lower(chance)
            case "answer":
                driver.answer(chance)
            case "look":
                driver.report(memory)
            case path:
                if chance.random() < 0.3:
                    driver.given.texts[path] = FILES[path]
                driver.changed(path)
                if chance.random() < 0.5:
                    driver.check(path)
    for path in chance.sample(tuple(FILES), len(FILES)):
        driver.given.texts[path] = FILES[path]
        driver.changed(path)
    driver.drain(chance)
    for path in chance.sample(READ, len(READ)):
        driver.check(path)
    driver.drain(chance)
    assert driver.report(memory) == driver.report() == all_at_once().report()
    assert not driver.project.waiting and not driver.project.running


def test_what_waits_for_a_source_is_being_checked() -> None:
    driver = Driver(dict(FILES))
    driver.changed("/at/k.cu")
    driver.changed("/at/kernels.rw")
    driver.check("/at/kernels.rw")
    assert not driver.due
    (file,) = (file for file in driver.report() if file.path == "/at/kernels.rw")
    assert [result.questions[0].progress for result in file.results[:1]] == [Progress.CHECKING]
    stopped = plan.stopped(driver.project)
    assert not stopped.waiting and driver.project.waiting


def test_of_files_beside_only_what_is_written_in_the_sources_is_asked_and_reported() -> None:
    scope = ReportScope(frozenset(), frozenset({"/at/kernels.rw", "/at/rules.rw"}), frozenset({"/at/k.cu"}))
    driver = Driver(dict(FILES), scope)
    for path in ("/at/kernels.rw", "/at/rules.rw", "/at/k.cu"):
        driver.changed(path)
        driver.check(path)
    driver.drain(random.Random(0))
    names = [(file.path, each.name) for file in driver.report() for each in file.results]
    assert names == [("/at/k.cu", "l"), ("/at/kernels.rw", "k")]
    assert len(driver.asked) == 2


def test_only_what_was_named_is_asked() -> None:
    driver = Driver(dict(FILES), ReportScope(frozenset({"b"})))
    driver.changed("/at/rules.rw")
    driver.check("/at/rules.rw")
    (due,) = driver.due
    (planned,) = (each for each in driver.project.readings["/at/rules.rw"].planned if each.declared.name == "b")
    assert due.job.questions == planned.questions()


def test_a_failure_takes_no_answer_away() -> None:
    kept = Reply("key", "{}", definite=False, milliseconds=1.0, cached=False)
    failed = JobFailure("key", FailureKind.CANCELLED, "stopped")
    known: Iterable[tuple[Outcome, ...]] = ((kept, failed), (failed, kept))
    for outcomes in known:
        value = Project(Mode.NORMAL_FORMS)
        for outcome in outcomes:
            value = project.answered(value, outcome)
        assert value.outcomes == {"key": kept}


def test_a_step_leaves_the_project_before_it_as_it_was() -> None:
    driver = all_at_once()
    before, report = driver.project, driver.report()
    driver.given.texts["/at/rules.rw"] = ""
    driver.changed("/at/rules.rw")
    driver.project = project.forgotten(project.let_go(driver.project, "/at/k.cu"))
    assert driver.report() != report
    driver.project = before
    assert driver.report() == report
