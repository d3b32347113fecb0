"""Reports remembered between runs: what lets them stand, what does not, and that they are what would be made anew.

The worker is a stub, so that what is asked can be counted; the program's signature is a constant where it is not the
matter, so that an edit of the program does not disturb.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from stub_worker import handler

from rewright.cli.collect import collect
from rewright.engine import worker_pool
from rewright.engine.answer_file import AnswerFile
from rewright.engine.cache import KeptAnswer
from rewright.engine.worker import Handler
from rewright.report.json_view import to_json
from rewright.rules.decision import Mode
from rewright.workspace import batch, remembered
from rewright.workspace.batch import Batch, CheckOptions

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "cli"))

from worker_here import WorkerHere  # noqa: E402


def rule(name: str, side: str = "X + X") -> str:
    return f"rule {name}<T: int> {{\n  axes A\n  map n on A\n  tensor X: T[A: n]\n  {side} => X\n}}\n"


PROVED = rule("good")
REFUTED = "@expect(refuted)\n" + rule("bad", "-X")
HARD = rule("hard", "abs(X)")
KERNEL = 'kernel k(a: out s32[32]) from "k.cu" {\n  launch grid (1), block (32)\n}\n'
SOURCE = "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
NEST = """#include "n.h"
#pragma rewright spec fill
void fill(int N, double A[N]) { for (int i = 0; i < SIZE; i++) S: A[i] = 0.0; }
"""
NAMING = 'loops filled from "nest.c"::fill\n'


@dataclass(frozen=True, slots=True)
class Run:
    """A run's report without what it cost, how many questions workers answered, and how many declarations asked."""

    report: dict[str, Any]
    answered: int
    asking: int
    notes: list[str]

    @property
    def free(self) -> bool:
        """Whether everything was remembered."""
        return self.asking == 0

    def verdicts(self) -> dict[str, str]:
        return {result["name"]: result["verdict"] for result in self.report["results"]}

    def starts(self) -> dict[str, int]:
        """The lines on which the diagnostics of the declarations start."""
        results = self.report["results"]
        return {r["name"]: d["range"]["start"]["line"] for r in results for d in r["diagnostics"][:1]}


class Project:
    """A folder of sources with a cache of its own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder / "project"
        self.folder.mkdir()
        (self.folder / ".git").mkdir()
        self.cache = folder / "cache"
        self.log = folder / "log"
        self.patch = patch
        patch.setattr(worker_pool, "Worker", partial(WorkerHere, _handler))
        self.say("it is wrong")
        self.signed("program")

    def say(self, what: str) -> None:
        """Sets what the worker says of a refutation."""
        for worker in ("WORKER", "KERNEL_WORKER"):
            self.patch.setattr(batch, worker, (sys.executable, str(HERE / "stub_worker.py"), str(self.log), what))

    def signed(self, program: str | None) -> None:
        """Sets the program's signature."""
        self.patch.setattr(remembered, "signature", lambda _: program)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            path = self.folder / name.replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    def check(self, mode: Mode = Mode.NORMAL_FORMS, only: str = "") -> Run:
        options = CheckOptions(1, self.cache, frozenset(filter(None, [only])), mode)
        before = self.answered()
        made = Batch(collect([self.folder]).paths, options)
        assert not made.unknown_names
        asking = len(list(made.run()))
        report = to_json(made.report(), 0, str(self.folder))
        return Run(_timeless(report), self.answered() - before, asking, made.notes)

    def answered(self) -> int:
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


def _handler(command: tuple[str, ...]) -> Handler:
    """What the worker says, in this process: of real ones `PROGRAM` tells."""
    *_, log, what = command
    return handler(log, what)


def _timeless(report: dict[str, Any]) -> dict[str, Any]:
    for each in (*report["results"], *(q for result in report["results"] for q in result["questions"])):
        del each["ms"], each["cached"]
    return report


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


# What stands


def test_a_second_run_asks_nothing_and_says_the_same(project: Project) -> None:
    project.write(a_rw=PROVED + REFUTED, b_rw=KERNEL + ")", k_cu=SOURCE)
    first, second = project.check(), project.check()
    assert (first.free, first.answered) == (False, 3)
    assert (second.free, second.answered) == (True, 0)
    assert second.report == first.report
    assert second.starts() == {"bad": 11}


def test_what_is_remembered_is_shown_as_cached(project: Project) -> None:
    project.write(a_rw=PROVED)
    project.check()
    (result,) = Batch(collect([project.folder]).paths, CheckOptions(1, project.cache)).report().results()
    assert [question.cached for question in result.questions] == [True]


@pytest.mark.parametrize("name", ["good", "bad"])
def test_a_name_is_chosen_from_what_is_remembered(name: str, project: Project) -> None:
    project.write(a_rw=PROVED + REFUTED)
    project.check()
    run = project.check(only=name)
    assert run.free and list(run.verdicts()) == [name]


def test_a_run_that_asked_only_some_is_not_remembered(project: Project) -> None:
    project.write(a_rw=PROVED + REFUTED)
    project.check(only="good")
    run = project.check()
    assert (run.asking, run.answered, run.verdicts()) == (2, 1, {"good": "proved", "bad": "refuted"})


@pytest.mark.parametrize(
    "edit",
    [
        lambda project: os.utime(project.folder / "a.rw"),
        lambda project: project.write(c_txt="another file"),
        lambda project: project.write(rewright_toml="[check]\nbudget = 7\nmemory = 1024\n"),
    ],
    ids=["touched", "another file", "budget of what is definite"],
)
def test_an_edit_that_needs_no_answer(edit: Callable[[Project], None], project: Project) -> None:
    project.write(a_rw=PROVED + REFUTED)
    first = project.check()
    edit(project)
    second = project.check()
    assert second.free and second.report == first.report


# What does not


def test_a_text_that_changes(project: Project) -> None:
    project.write(a_rw=PROVED, b_rw=REFUTED)
    project.check()
    project.write(a_rw=PROVED + rule("more", "X + X + X"))
    run = project.check()
    assert (run.asking, run.answered) == (2, 1)
    assert run.verdicts() == {"good": "proved", "more": "proved", "bad": "refuted"}


def test_text_above_moves_the_places_and_asks_nothing(project: Project) -> None:
    project.write(a_rw=REFUTED)
    first = project.check()
    project.write(a_rw="// Größe 𝒳\n\n" + REFUTED)
    for run in (project.check(), project.check()):
        assert run.answered == 0
        assert run.starts()["bad"] == first.starts()["bad"] + 2


def test_another_expectation_is_judged_without_asking(project: Project) -> None:
    project.write(a_rw=REFUTED)
    assert project.check().report["results"][0]["as_expected"]
    project.write(a_rw=REFUTED.replace("refuted", "proved"))
    run = project.check()
    assert (run.asking, run.answered, run.report["results"][0]["as_expected"]) == (1, 0, False)


def test_an_import_that_changes(project: Project) -> None:
    project.write(a_rw='import "lib.rw"\n' + rule("mine"), lib_rw=rule("theirs"))
    assert project.check().report["files"][0]["diagnostics"] == []
    assert project.check().free
    project.write(lib_rw=rule("mine"))
    assert project.check().report["results"][0]["verdict"] == "invalid"
    project.write(lib_rw=rule("theirs"))
    assert project.check().report["results"][0]["verdict"] == "proved"


def test_an_import_that_goes_and_comes(project: Project) -> None:
    project.write(a_rw='import "lib.rw"\n' + rule("mine"))
    missing = project.check().report["files"][0]["diagnostics"]
    assert missing
    project.write(lib_rw=rule("theirs"))
    assert project.check().report["files"][0]["diagnostics"] == []
    (project.folder / "lib.rw").unlink()
    assert project.check().report["files"][0]["diagnostics"] == missing


def test_an_import_of_an_import_that_changes(project: Project) -> None:
    project.write(a_rw='import "b.rw"\n' + PROVED, b_rw='import "c.rw"\n', c_rw=rule("deep"))
    assert project.check().report["files"][0]["diagnostics"] == []
    project.write(c_rw='import "a.rw"\n')
    assert project.check().report["files"][0]["diagnostics"]


def test_a_link_that_leads_elsewhere(project: Project) -> None:
    project.write(a_rw='import "lib.rw"\n' + rule("mine"), one_txt=rule("theirs"), two_txt=rule("mine"))
    (project.folder / "lib.rw").symlink_to("one.txt")
    assert project.check().report["results"][0]["verdict"] == "proved"
    (project.folder / "lib.rw").unlink()
    (project.folder / "lib.rw").symlink_to("two.txt")
    assert project.check().report["results"][0]["verdict"] == "invalid"


def test_a_source_that_changes(project: Project) -> None:
    project.write(a_rw=KERNEL, k_cu=SOURCE)
    assert project.check().answered == 1
    assert project.check().free
    project.write(k_cu=SOURCE.replace("= 1", "= 2"))
    assert project.check().answered == 1
    (project.folder / "k.cu").unlink()
    run = project.check()
    assert (run.answered, run.verdicts()) == (0, {"k": "invalid"})


def test_nests_of_a_source_are_remembered_until_what_it_includes_changes(project: Project) -> None:
    project.write(nest_c=NEST, n_h="#define SIZE N\n")
    first, second = project.check(), project.check()
    assert (first.answered, second.free, second.report) == (1, True, first.report)
    project.write(n_h="#define SIZE N - 1\n")
    assert project.check().answered == 1
    (project.folder / "n.h").unlink()
    assert project.check().answered == 1  # `SIZE` is a parameter now


def test_nests_of_a_source_that_a_file_names_are_remembered_with_it(project: Project) -> None:
    project.write(nest_c=NEST, n_h="#define SIZE N\n", a_rw=NAMING, b_rw=PROVED)
    first, second = project.check(), project.check()
    assert first.verdicts().keys() == second.verdicts().keys() == {"fill", "filled", "good"}
    assert second.free and second.report == first.report
    project.write(a_rw=NAMING.replace("nest.c", "another_nest.c"))
    alone = project.check()
    assert not alone.free and alone.verdicts().keys() == {"fill", "filled", "good"}
    assert project.check().free


def test_a_source_and_a_file_that_names_it_are_asked_together(project: Project) -> None:
    project.write(nest_c=NEST, n_h="#define SIZE N\n", a_rw=NAMING)
    first = project.check()
    project.write(a_rw=NAMING + "// more\n")
    second = project.check()
    assert not second.free and second.verdicts() == first.verdicts()
    (project.folder / "a.rw").unlink()
    assert project.check().verdicts().keys() != first.verdicts().keys()


def test_nests_that_a_file_beside_them_names_are_asked_with_it(project: Project) -> None:
    project.write(nest_c=NEST, n_h="#define SIZE N\n", a_rw=NAMING)
    whole = project.check()
    assert project.check().free
    made = Batch(collect([project.folder / "nest.c"]).paths, CheckOptions(1, project.cache))
    assert not made.complete
    list(made.run())
    assert {result.name for file in made.report().files for result in file.results} == whole.verdicts().keys()


def test_kernels_that_speak_for_themselves_are_asked_each_time(project: Project) -> None:
    project.write(k_cu=SOURCE + "void f(int* a) { k<<<1, 32>>>(a); }\n")
    first, second = project.check(), project.check()
    assert not second.free and second.report == first.report


def test_another_mode(project: Project) -> None:
    project.write(a_rw=PROVED)
    project.check()
    assert project.check(Mode.SOLVER_ONLY).answered == 1
    assert project.check().free and project.check(Mode.SOLVER_ONLY).free


def test_another_program(project: Project) -> None:
    project.write(a_rw=REFUTED)
    first = project.check()
    project.signed("a newer program")
    second = project.check()
    assert (second.asking, second.report) == (1, first.report)
    assert project.check().free


def test_a_program_that_is_being_edited_neither_recalls_nor_remembers(project: Project) -> None:
    project.write(a_rw=PROVED)
    project.signed(None)
    project.check()
    assert not project.check().free
    project.signed("program")
    assert not project.check().free


def test_a_program_that_changes_while_it_runs_remembers_nothing(project: Project) -> None:
    project.write(a_rw=PROVED)
    made = Batch(collect([project.folder]).paths, CheckOptions(1, project.cache))
    project.signed("a newer program")
    assert len(list(made.run())) == 1
    assert not project.check().free
    project.signed("program")
    assert not project.check().free


def test_a_file_elsewhere_with_the_same_text(project: Project) -> None:
    project.write(a_rw=REFUTED)
    project.check()
    os.rename(project.folder / "a.rw", project.folder / "b.rw")
    run = project.check()
    assert (run.answered, run.report["results"][0]["file"]) == (0, "b.rw")


def test_files_with_one_text_are_distinguished(project: Project) -> None:
    project.write(a_rw=REFUTED, b_rw=REFUTED)
    first, second = project.check(), project.check()
    assert second.free
    for run in (first, second):
        assert [result["file"] for result in run.report["results"]] == ["a.rw", "b.rw"]
        assert [d["file"] for result in run.report["results"] for d in result["diagnostics"]] == ["a.rw", "b.rw"]


# What is not definite


def test_an_unknown_answer_is_asked_again_when_the_budget_grows(project: Project) -> None:
    project.write(a_rw=HARD + PROVED)
    assert project.check().verdicts() == {"hard": "unknown", "good": "proved"}
    same = project.check()
    assert (same.asking, same.answered) == (2, 0)
    project.write(rewright_toml="[check]\nbudget = 3\n")
    more = project.check()
    assert (more.answered, more.verdicts()["hard"]) == (1, "proved")
    (project.folder / "rewright.toml").unlink()
    less = project.check()
    assert less.free and less.verdicts()["hard"] == "proved"


def test_an_answer_for_this_time_is_asked_again_each_time(project: Project) -> None:
    project.write(a_rw=rule("slow", "exp(X)").replace("int", "real"))
    assert [project.check().answered for _ in range(3)] == [1, 1, 1]


# The file


def test_a_record_of_another_form_is_not_believed(project: Project) -> None:
    project.write(a_rw=PROVED)
    first = project.check()
    (database,) = project.cache.glob("*.sqlite")
    for wrong in ("{}", "[]", "not JSON", '{"is": "Remembered", "looks": [], "named": [], "results": []}'):
        rewritten(database, wrong)
        run = project.check()
        assert (run.free, run.answered, run.report) == (False, 0, first.report)
        assert project.check().free


def rewritten(database: Path, text: str) -> None:
    """Puts a text in place of the one record that there is, sealed as one that was made so."""
    with closing(sqlite3.connect(database)) as connection:
        ((key,),) = connection.execute("SELECT key FROM answers WHERE instr(CAST(text AS TEXT), 'Remembered')")
    with closing(AnswerFile(database.parent, print)) as file:
        file.put([KeptAnswer(key, text)])


def test_a_damaged_cache_is_begun_anew(project: Project) -> None:
    project.write(a_rw=REFUTED)
    first = project.check()
    (database,) = project.cache.glob("*.sqlite")
    database.write_bytes(b"no database" * 1000)
    second = project.check()
    assert (second.answered, second.report) == (1, first.report)
    assert len(second.notes) == 1 and "moved" in second.notes[0]
    assert project.check().free


def test_a_cache_that_cannot_be_made_is_reported_once(project: Project, tmp_path: Path) -> None:
    project.write(a_rw=PROVED)
    project.cache = tmp_path / "file" / "cache"
    (tmp_path / "file").write_text("")
    run = project.check()
    assert (run.verdicts(), len(run.notes)) == ({"good": "proved"}, 1)


PROGRAM = """
import sys
from pathlib import Path
from rewright.cli.collect import collect
from rewright.workspace import batch, remembered
batch.WORKER = tuple(sys.argv[3:])
remembered.signature = lambda _: "program"
made = batch.Batch(collect([Path(sys.argv[1])]).paths, batch.CheckOptions(1, Path(sys.argv[2])))
print(made.total, flush=True)
list(made.run())
print(made.notes, [r.verdict.value for r in made.report().results()])
"""


def started(project: Project) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, str(project.folder), str(project.cache), *batch.WORKER]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_at_once(project: Project) -> None:
    project.write(**{f"f{n}_rw": rule(f"r{n}", "X + X" + " + X" * n) for n in range(20)})
    said = [process.communicate(timeout=240)[0] for process in [started(project) for _ in range(2)]]
    assert all(f"[] {['proved'] * 20}" in each for each in said)
    assert project.check().free


def test_killed_while_writing(project: Project) -> None:
    project.write(**{f"f{n}_rw": rule(f"r{n}", "X + X" + " + X" * n) for n in range(20)})
    for delay in (0.05, 0.2, 0.4, 0.6, 0.8, 1.0):
        process = started(project)
        assert process.stdout is not None and process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    run = project.check()
    assert (list(run.verdicts().values()), run.notes) == (["proved"] * 20, [])
    assert project.check().free
