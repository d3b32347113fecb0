"""`rewright check`, `transform`, `fmt`, `explain`, `library` and `query`.

Exit status: 0 when every result is as expected and no file has errors, 1 otherwise, 2 when something could not be
checked at all, such as a source none of whose kernels has a launch, or met an internal error.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from rewright import __version__
from rewright.cli.printing import Format, put, refuse

app = typer.Typer(
    add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False, help=__doc__
)


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        put(f"rewright {__version__}")
        raise typer.Exit


@app.command()
def check(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files (.rw, .cu), or folders of them.")],
    format: Annotated[Format, typer.Option(help="For people, for scripts, or for a CI system.")] = Format.TEXT,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Worker processes.")] = os.cpu_count() or 1,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Do not read or write the answer cache.")] = False,
    cache: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder of the answer cache.")] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Check only the declaration of this name; repeat for more.")
    ] = None,
    changed_since: Annotated[
        str | None, typer.Option(metavar="REV", help="Check only files that a change since this git revision reaches.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a file has changed.")] = False,
    solver_only: Annotated[bool, typer.Option("--solver-only", help="Decide rules without normal forms.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Expect no kernel to be right only under conditions that are not stated.")
    ] = False,
    second_opinion: Annotated[
        bool,
        typer.Option("--second-opinion", help="Ask a second solver, cvc5, to confirm what was decided about rules."),
    ] = False,
) -> None:
    """Check rules and kernels."""
    if solver_only and second_opinion:
        refuse("`--solver-only` and `--second-opinion` exclude each other")
    if watch and format is not Format.TEXT:
        refuse("`--watch` prints for people: leave out `--format`")
    from rewright.cli import checking
    from rewright.engine.opening import default_directory
    from rewright.rules.decision import Mode
    from rewright.workspace.batch import CheckOptions

    directory = None if no_cache else cache or default_directory()
    mode = Mode.SOLVER_ONLY if solver_only else Mode.SECOND_OPINION if second_opinion else Mode.NORMAL_FORMS
    options = CheckOptions(jobs, directory, frozenset(only or ()), mode, strict=strict)
    request = checking.CheckRequest(paths, options, format, changed_since)
    if watch:
        checking.check_and_watch(request)
    raise typer.Exit(checking.check(request))


@app.command()
def transform(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file with the loop nest (.rw, .c).")],
    name: Annotated[str, typer.Option(metavar="NEST", help="The name of the nest, or of a transform of it.")],
    schedule: Annotated[
        str, typer.Option(metavar="STEPS", help="The order, as `skew; tile(32)`; a wrong step lists all forms.")
    ],
    called: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The name of the transform.")] = None,
    write: Annotated[bool, typer.Option("--write", help="Put it into the file, after the nest.")] = False,
    cache: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder of the answer cache.")] = None,
) -> None:
    """Print a loop nest in another order, proved to be a legal one.

    Exit status: 0 when it was proved, 1 when a dependence forbids the order, 2 when it could not be written.
    """
    from rewright.cli import transforming
    from rewright.workspace.transforming import OrderRequest

    request = OrderRequest(name, schedule, called)
    raise typer.Exit(transforming.transform(transforming.TransformRun(path, request, write, cache)))


@app.command()
def fmt(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files (.rw), or folders of them.")],
    only_check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if a file would change.")
    ] = False,
) -> None:
    """Format declarations; those with syntax errors are left as they are."""
    from rewright.cli import formatting

    raise typer.Exit(formatting.fmt(paths, only_check))


@app.command()
def explain(
    what: Annotated[str, typer.Argument(metavar="PAGE", help="A code such as RW201, or a page such as `tutorial`.")],
) -> None:
    """Print the page of a diagnostic code, or another page of the documentation."""
    from rewright.report import codes
    from rewright.workspace import pages

    page = pages.text(f"{pages.CODES}{what.upper()}") or pages.text(what)
    if page is None:
        known = ", ".join((*pages.names(), *(entry.code for entry in codes.every())))
        refuse(f"there is no page `{what}`; known are {known}")
    put(page)


@app.command("library")
def _library() -> None:
    """Print the folder of the rules and kernels that come with Rewright."""
    from rewright.workspace.pages import library

    put(library())


@app.command()
def query(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of a question in the JSON report, or its start.")],
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Where to search; by default the current folder.")
    ] = None,
    smt2: Annotated[bool, typer.Option("--smt2", help="Print the solver's question as SMT-LIB.")] = False,
) -> None:
    """Print what was asked: the canonical question, or the solver's."""
    from rewright.cli import checking

    show = checking.solver_question if smt2 else checking.canonical_question
    put(show(id, paths or [Path()]))
