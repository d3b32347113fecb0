"""The report on a terminal: colours, marks that it can show, and a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.console import Console
from rich.text import Text

from rewright.cli.printing import visible, writing
from rewright.report.text_view import Line, Tone

STYLES = {
    Tone.PLAIN: "",
    Tone.GOOD: "green",
    Tone.BAD: "bold red",
    Tone.UNSURE: "yellow",
    Tone.FAINT: "dim",
    Tone.TITLE: "bold",
}


ASCII = str.maketrans({"✓": "+", "✗": "x", "×": "x", "…": "..."})
"""How marks are written where the encoding is not Unicode."""


def show(lines: Iterable[Line]) -> None:
    """Prints lines, coloured where the terminal can and nowhere wrapped."""
    with writing():
        console = Console(highlight=False, soft_wrap=True)
        marks = ASCII if console.options.ascii_only else {}
        pieces: list[str | tuple[str, str]] = []
        for line in lines:
            pieces += [(visible(text).translate(marks), STYLES[tone]) for text, tone in line]
            pieces.append("\n")
        console.print(Text.assemble(*pieces), end="")  # at once: a print for each line takes three times as long


def progress(steps: Iterable[object], total: Callable[[], int]) -> None:
    """Runs through `steps`, drawing on standard error how many are done of the `total` known by then."""
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checking", total=None)
        for _ in steps:
            bar.update(task, advance=1, total=total())
