"""What reaches standard output and standard error.

Invariants: text of a workspace cannot steer a terminal or reorder what is shown, its control and format characters are
spelled out; a character that a stream cannot encode is spelled out, too; a stream that cannot be written is reported
and ends the program with status 2. Must not know what is printed.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import NoReturn

import typer


class Format(StrEnum):
    """How the report is printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    MARKDOWN = "markdown"


def visible(text: str) -> str:
    """The text of one line with everything that does not print as itself spelled out as in a Python string."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def visible_lines(text: str) -> str:
    """A text of any number of lines with everything else that does not print as itself spelled out."""
    return "\n".join(map(visible, text.split("\n")))


def put(text: str) -> None:
    """Prints a text of any number of lines on standard output."""
    with writing():
        typer.echo(text)


def say(message: str) -> None:
    """Tells a person something on standard error, if anybody can read it there."""
    _widen(sys.stderr)
    with suppress(OSError):
        typer.echo(f"rewright: {visible(message)}", err=True)


def refuse(message: str) -> NoReturn:
    """Ends the program because something could not be done at all."""
    say(message)
    raise typer.Exit(2)


@contextmanager
def writing() -> Iterator[None]:
    """Runs what writes to standard output. A reader that went away is the command line's affair, not an error."""
    _widen(sys.stdout)
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        _discard(sys.stdout)
        refuse(f"cannot write: {error.strerror or error}")


def _widen(stream: object) -> None:
    """Lets a stream take every character."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _discard(stream: object) -> None:
    """Sends what a stream still holds nowhere, so that its end does not fail again."""
    if isinstance(stream, io.TextIOWrapper):
        with suppress(OSError), open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), stream.fileno())
