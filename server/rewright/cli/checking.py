"""What `rewright check` and `rewright query` do once the command line is read.

Loaded by these two only: the packages behind it take most of the time that the command line needs to start.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

from rewright.cli.collect import NothingToCheck, collect
from rewright.cli.printing import Format, put, refuse, say
from rewright.workspace.batch import Batch, CheckOptions, QueryError, smtlib
from rewright.workspace.settings import SettingsError


def check(paths: list[Path], options: CheckOptions, format: Format) -> int:
    """Checks what the paths mean and prints the report; the exit status. Ends the program where nothing can be done."""
    started = time.perf_counter()
    directory = _directory()
    batch = _batch(paths, options)
    _refuse_unknown(batch.unknown_names)
    _run(batch, format)
    report = batch.report()
    _refuse_unknown(batch.unknown_names)
    from rewright.report.faults import in_full
    from rewright.report.summary import summarise

    milliseconds = 1000 * (time.perf_counter() - started)
    match format:
        case Format.JSON:
            from rewright.report import json_view

            report, shown = in_full(report, lambda report: json_view.to_json(report, milliseconds, directory))
            put(json.dumps(shown, indent=1))
        case Format.TEXT:
            from rewright.cli import terminal
            from rewright.report import text_view

            report, lines = in_full(report, lambda report: list(text_view.lines(report, milliseconds, directory)))
            terminal.show(lines)
    for message in (*batch.notes, *batch.unchecked):
        say(message)
    summary = summarise(report)
    return 2 if batch.unchecked or summary.faulty else 0 if summary.passed else 1


def _refuse_unknown(names: frozenset[str]) -> None:
    if names:
        refuse(f"no declaration is called {', '.join(f'`{name}`' for name in sorted(names))}")


def canonical_question(id: str, paths: list[Path]) -> str:
    """The question whose id begins with `id`, as a worker is asked it. Ends the program where there is not one."""
    try:
        return _batch(paths, CheckOptions()).question(id).payload
    except QueryError as error:
        refuse(str(error))


def solver_question(id: str, paths: list[Path]) -> str:
    """The question whose id begins with `id`, as the solver is asked it. Ends the program where there is not one."""
    try:
        return smtlib(_batch(paths, CheckOptions()).question(id))
    except QueryError as error:
        refuse(str(error))


def _directory() -> str:
    """The working directory, to which printed paths are relative."""
    try:
        return os.getcwd()
    except OSError as error:
        refuse(f"there is no working directory: {error.strerror}")


def _batch(paths: list[Path], options: CheckOptions) -> Batch:
    try:
        found = collect(paths)
        return Batch(found.paths, replace(options, named=found.named))
    except (NothingToCheck, SettingsError) as error:
        refuse(str(error))


def _run(batch: Batch, format: Format) -> None:
    """Asks everything, with a bar where a person looks on and there is something to wait for."""
    steps = batch.run(lambda: _load_views(format))
    if format is Format.JSON or not sys.stderr.isatty() or batch.complete:
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
