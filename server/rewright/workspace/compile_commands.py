"""`compile_commands.json`: the include folders and macros with which a build compiles a source. Read; nothing is run.

The nearest one counts: in the folder of the source or in `build/` of it, then of the folders around it up to that of
the workspace. What it says of other sources does not matter. Folders outside the workspace are left out, as nothing is
read there. Must not know what a source means.
"""

from __future__ import annotations

import errno
import json
import os
import shlex
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from rewright.frontends.table import COMMANDS
from rewright.syntax.text import Text
from rewright.verdict import Finding, InSource, Severity
from rewright.verdict.diagnostics.sources import UnusableCommands
from rewright.workspace.sources import Reads, Unreadable

FOLDERS = ("", "build")
"""Where it may be, in the folder of a source or in one around it."""

LONGEST = 16 << 20
"""Bytes of the longest one that is read: 60,000 sources of usual commands, read in a fifth of a second."""

MOST_FOLDERS = 200
"""Include folders of one command that are used."""

_MOST_AROUND = 64
"""Folders around a source in which one is looked for."""

_NOT_THERE = frozenset(map(os.strerror, (errno.ENOENT, errno.ENOTDIR)))

_INCLUDE = ("-isystem", "-iquote", "--include-path", "--system-include", "-I")
_DEFINE = ("--define-macro", "-D")
_UNDEFINE = ("--undefine-macro", "-U")


class BuildSettings(Struct, frozen=True):
    """What a build says of one source.

    `include` are folders as paths without symbolic links, in order; `define` macros with the texts that they stand for.
    `looked` are the files that were looked for, each with its digest, empty if it is not there. `problem` is why the
    nearest one says nothing.
    """

    include: tuple[str, ...] = ()
    define: tuple[tuple[str, str], ...] = ()
    looked: tuple[tuple[str, str], ...] = ()
    problem: Finding | None = None


NO_BUILD = BuildSettings()


class _Unusable(ValueError):
    """Why commands cannot be used, and where in the text."""

    def __init__(self, reason: str, start: int = 0, end: int = 0) -> None:
        super().__init__(reason)
        self.place = start, end


def build_settings(source: str, sources: Reads) -> BuildSettings:
    """What the nearest `compile_commands.json` says of the source at a path; nothing where there is none."""
    looked: list[tuple[str, str]] = []
    for path in _candidates(source, sources):
        text = sources.read(path)
        if isinstance(text, Text):
            looked.append((path, text.digest))
            return _said(source, text, sources, tuple(looked))
        looked.append((path, ""))
        if text.reason not in _NOT_THERE:
            return BuildSettings(looked=tuple(looked), problem=_problem(path, _Unusable(text.reason)))
    return BuildSettings(looked=tuple(looked))


def _candidates(source: str, sources: Reads) -> Iterator[str]:
    """The paths at which one may be, the nearest first, that are inside the workspace."""
    before = ""
    for up in range(_MOST_AROUND):
        folder = sources.resolve(os.path.join(*[os.pardir] * up, os.curdir), source)
        if isinstance(folder, Unreadable) or folder == before:
            return
        before = folder
        for beside in FOLDERS:
            path = sources.resolve(os.path.join(*[os.pardir] * up, beside, COMMANDS), source)
            if not isinstance(path, Unreadable):
                yield path


def _problem(path: str, why: _Unusable) -> Finding:
    return Finding(UnusableCommands(str(why)), Severity.WARNING, InSource(path, *why.place))


def _said(source: str, text: Text, sources: Reads, looked: tuple[tuple[str, str], ...]) -> BuildSettings:
    try:
        for entry in _entries(text).get(os.path.basename(source), ()):
            folder = os.path.join(os.path.dirname(text.uri), _text_of(entry, "directory"))
            if os.path.realpath(os.path.join(folder, entry["file"])) == os.path.realpath(source):
                include, define = _options(_arguments(entry), folder)
                inside = tuple(_inside(include, source, sources))[:MOST_FOLDERS]
                return BuildSettings(inside, define, looked)
    except _Unusable as why:
        return BuildSettings(looked=looked, problem=_problem(text.uri, why))
    return BuildSettings(looked=looked)


def _inside(folders: Sequence[str], source: str, sources: Reads) -> Iterator[str]:
    """Those of the folders that are inside the workspace, each once."""
    beside = os.path.realpath(os.path.dirname(source))
    for folder in dict.fromkeys(map(os.path.realpath, folders)):
        target = sources.resolve(os.path.relpath(folder, beside), source)
        if not isinstance(target, Unreadable):
            yield target


# --------------------------------------------------------------------------------------------------------- the entries

_Entries = Mapping[str, Sequence[dict[str, Any]]]

_read: OrderedDict[str, _Entries | _Unusable] = OrderedDict()
"""The entries of the texts that were read last, by digest: a large one takes long to read."""

_MOST_KEPT = 8


def _entries(text: Text) -> _Entries:
    """The entries by the last part of their file's name. Raises `_Unusable`."""
    if text.digest not in _read:
        try:
            _read[text.digest] = _entries_of(text)
        except _Unusable as why:
            _read[text.digest] = why
        while len(_read) > _MOST_KEPT:
            _read.popitem(last=False)
    known = _read[text.digest]
    if isinstance(known, _Unusable):
        raise known
    return known


def _entries_of(text: Text) -> _Entries:
    if len(text.data) > LONGEST:
        raise _Unusable(f"it has {len(text.data) / (1 << 20):.1f} MiB, more than the {LONGEST >> 20} MiB that are read")
    try:
        listed = json.loads(text.text)
    except json.JSONDecodeError as error:
        at = len(text.text[: error.pos].encode())
        raise _Unusable(f"it is no JSON: {error.msg}", at, at) from error
    except (RecursionError, ValueError) as error:
        raise _Unusable("it is no JSON that can be read") from error
    if not isinstance(listed, list):
        raise _Unusable("it must be a list of commands")
    entries: dict[str, list[dict[str, Any]]] = {}
    for number, entry in enumerate(listed, 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
            raise _Unusable(f"its entry {number} names no `file`")
        entries.setdefault(os.path.basename(entry["file"]), []).append(entry)
    return entries


def _text_of(entry: Mapping[str, Any], key: str) -> str:
    said = entry.get(key, "")
    if not isinstance(said, str) or "\0" in said or "\0" in entry["file"]:
        raise _Unusable(f"`{key}` of `{entry['file']}` must be the path of a folder")
    return said


def _arguments(entry: Mapping[str, Any]) -> list[str]:
    """The words of an entry's command. Raises `_Unusable`."""
    file, listed, written = entry["file"], entry.get("arguments"), entry.get("command")
    if isinstance(listed, list) and all(isinstance(each, str) for each in listed):
        return listed
    if listed is None and isinstance(written, str):
        try:
            return shlex.split(written)
        except ValueError as error:
            raise _Unusable(f"the `command` of `{file}` cannot be split into words: {error}") from error
    raise _Unusable(f"`{file}` has neither `arguments`, a list of texts, nor `command`, a text")


def _options(arguments: Sequence[str], folder: str) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The include folders and the macros of a command that is run in a folder."""
    from rewright.frontends.preprocessor import unfit

    include: list[str] = []
    define: dict[str, str] = {}
    words = iter(arguments[1:])
    for word in words:
        if (named := _value(word, _INCLUDE, words)) and "\0" not in named:
            include.append(os.path.join(folder, named))
        elif said := _value(word, _DEFINE, words):
            name, is_given, text = said.partition("=")
            define.pop(name, None)
            define |= {name: text if is_given else "1"} if unfit(name, text) is None else {}
        elif gone := _value(word, _UNDEFINE, words):
            define.pop(gone, None)
    return include, tuple(define.items())


def _value(word: str, options: Sequence[str], words: Iterator[str]) -> str | None:
    """What follows one of the options: in the same word, after `=` of a long one, or the next word."""
    for option in options:
        if word == option:
            return next(words, None)
        if word.startswith(f"{option}="):
            return word.removeprefix(f"{option}=")
        if word.startswith(option) and len(option) == 2:
            return word.removeprefix(option)
    return None
