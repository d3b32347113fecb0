"""What `rewright check` and `rewright query` do once the command line is read.

Loaded by these two only: the packages behind it take most of the time that the command line needs to start.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import assert_never

import msgspec
import typer
from msgspec import Struct
from msgspec.structs import replace

from rewright.cli.collect import NothingToCheck, collect
from rewright.cli.printing import Format, put, refuse, say, visible, visible_lines
from rewright.report.document import Report
from rewright.report.summary import summarise
from rewright.workspace.batch import Batch, CheckOptions, QueryError, smtlib
from rewright.workspace.settings import SettingsError


class CheckRequest(Struct, frozen=True):
    """What is to be checked and how it is shown: `since` restricts it to what changed since a revision."""

    paths: list[Path]
    options: CheckOptions
    format: Format
    since: str | None = None


def check(request: CheckRequest) -> int:
    """Checks what is requested and prints the report; the exit status. Ends the program where nothing can be done."""
    return _checked(request)[0]


def check_and_watch(request: CheckRequest) -> None:
    """Checks, and checks again whenever a file has changed. Ends by Ctrl+C, and where nothing can be done at first."""
    from rewright.cli.watching import watch

    def once() -> Collection[str]:
        try:
            read = _checked(request)[1]
        except typer.Exit:
            if not begun:
                raise
            read = frozenset[str]()
        begun.append(True)
        say(f"checked at {time.strftime('%H:%M:%S')}; waiting for changes, Ctrl+C ends")
        return read

    begun: list[bool] = []
    watch(request.paths, once)


def _checked(request: CheckRequest) -> tuple[int, frozenset[str]]:
    """The exit status, and the files that were read."""
    started = time.perf_counter()
    directory = _directory()
    batch = _batch(request)
    if batch is None:
        say(f"nothing that is checked here has changed since {request.since}")
        _show(request.format, Report(()), _Run(started, directory, finished=True))
        return 0, frozenset()
    _refuse_unknown(batch.unknown_names)
    _run(batch, request.format)
    report = batch.report()
    _refuse_unknown(batch.unknown_names)
    unchecked = batch.unchecked
    report = _show(request.format, report, _Run(started, directory, finished=not unchecked))
    for message in (*batch.notes, *unchecked):
        say(message)
    summary = summarise(report)
    return 2 if unchecked or summary.faulty else 0 if summary.passed else 1, frozenset(report.texts)


class _Run(Struct, frozen=True):
    """When a run started, the folder to which its paths are relative, and whether everything could be checked."""

    started: float
    directory: str
    finished: bool

    @property
    def milliseconds(self) -> float:
        return 1000 * (time.perf_counter() - self.started)


def _show(format: Format, report: Report, run: _Run) -> Report:
    """Prints the report; what was printed, with an internal error for each part that cannot be shown."""
    from rewright.report.faults import in_full

    directory, milliseconds = run.directory, run.milliseconds
    match format:
        case Format.JSON:
            from rewright.report import json_view

            report, shown = in_full(report, lambda report: json_view.to_json(report, milliseconds, directory))
            put(_indented(shown))
        case Format.SARIF:
            from rewright.report import sarif_view

            report, shown = in_full(report, lambda report: sarif_view.to_sarif(report, directory, run.finished))
            put(_indented(shown))
        case Format.JUNIT:
            from rewright.report import junit_view

            report, text = in_full(report, lambda report: junit_view.to_junit(report, milliseconds, directory))
            put(text)
        case Format.GITHUB:
            from rewright.report import annotations_view

            report, commands = in_full(
                report, lambda report: list(annotations_view.lines(report, milliseconds, directory))
            )
            put("\n".join(map(visible, commands)))
        case Format.MARKDOWN:
            from rewright.report import markdown_view

            report, text = in_full(report, lambda report: markdown_view.to_markdown(report, milliseconds, directory))
            put(visible_lines(text))
        case Format.TEXT:
            from rewright.cli import terminal
            from rewright.report import text_view

            report, lines = in_full(report, lambda report: list(text_view.lines(report, milliseconds, directory)))
            terminal.show(lines)
        case _:
            assert_never(format)
    return report


def _indented(shown: object) -> str:
    """As JSON in lines. Python's own indenting writer takes four times as long, 0.2 s more for the library."""
    try:
        return msgspec.json.format(json.dumps(shown), indent=1)
    except msgspec.DecodeError:  # a path that is not Unicode
        return json.dumps(shown, indent=1)


def _refuse_unknown(names: frozenset[str]) -> None:
    if names:
        refuse(f"no declaration is called {', '.join(f'`{name}`' for name in sorted(names))}")


def canonical_question(id: str, paths: list[Path]) -> str:
    """The question whose id begins with `id`, as a worker is asked it. Ends the program where there is not one."""
    try:
        return _found(paths, CheckOptions()).question(id).payload
    except QueryError as error:
        refuse(str(error))


def solver_question(id: str, paths: list[Path]) -> str:
    """The question whose id begins with `id`, as the solver is asked it. Ends the program where there is not one."""
    try:
        return smtlib(_found(paths, CheckOptions()).question(id))
    except QueryError as error:
        refuse(str(error))


def _directory() -> str:
    """The working directory, to which printed paths are relative."""
    try:
        return os.getcwd()
    except OSError as error:
        refuse(f"there is no working directory: {error.strerror}")


def _batch(request: CheckRequest) -> Batch | None:
    """What is to be checked, None if nothing of it has changed. Ends the program where nothing can be checked."""
    if request.since is None:
        return _found(request.paths, request.options)
    from rewright.workspace.changed import NoRevision, reached

    try:
        found = collect(request.paths)
        paths = reached(found.paths, request.since)
        return Batch(paths, replace(request.options, named=found.named)) if paths else None
    except (NothingToCheck, NoRevision, SettingsError) as error:
        refuse(str(error))


def _found(paths: list[Path], options: CheckOptions) -> Batch:
    try:
        found = collect(paths)
        return Batch(found.paths, replace(options, named=found.named))
    except (NothingToCheck, SettingsError) as error:
        refuse(str(error))


def _run(batch: Batch, format: Format) -> None:
    """Asks everything, with a bar where a person looks on and there is something to wait for."""
    steps = batch.run(lambda: _load_views(format))
    if format is not Format.TEXT or not sys.stderr.isatty() or batch.complete:
        for _ in steps:
            pass
        return
    from rewright.cli import terminal

    terminal.progress(steps, lambda: batch.total)


def _load_views(format: Format) -> None:
    """Loads what shows the report."""
    match format:
        case Format.JSON:
            import rewright.report.json_view
        case Format.TEXT:
            import rewright.cli.terminal
            import rewright.report.text_view  # noqa: F401
        case _:
            pass  # of these nobody waits for the first line
