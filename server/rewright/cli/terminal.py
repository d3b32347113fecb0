"""The report on a terminal: colours and a progress bar."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from rewright.report.text_view import Line, Tone

STYLES = {
    Tone.PLAIN: "",
    Tone.GOOD: "green",
    Tone.BAD: "bold red",
    Tone.UNSURE: "yellow",
    Tone.FAINT: "dim",
    Tone.TITLE: "bold",
}


def show(lines: Iterable[Line]) -> None:
    """Prints lines, coloured where the terminal can and nowhere wrapped."""
    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((text, STYLES[tone]) for text, tone in line)))


def progress(steps: Iterable[object], total: int) -> None:
    """Runs through `steps`, drawing how many of `total` are done on standard error."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("checking", total=total)
        for _ in steps:
            bar.advance(task)
