"""What all kernels of a text share, made once per text: its macros expanded, its trees.

Must not know what is declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from rewright.emit.problem import Problem
from rewright.frontends.cuda.reading.addressing import Addressing, addressing
from rewright.frontends.cuda.reading.changes import changed
from rewright.frontends.cuda.reading.commas import grouped
from rewright.frontends.cuda.reading.pieces import roots
from rewright.frontends.cuda.reading.spellings import respelled
from rewright.frontends.preprocessor import Expanded, preprocess
from rewright.frontends.preprocessor.expanded import Missing
from rewright.frontends.preset import Preset


class ReadText(NamedTuple):
    """A text with its macros expanded, spelled as the grammar wants it, its trees, what its functions take.

    `changed` are the variables with a first value in device memory that the text may change.
    """

    expanded: Expanded
    spelled: bytes
    trees: tuple[Node, ...]
    addressing: Addressing
    changed: frozenset[str]


def read_text(path: str, texts: Mapping[str, str], defines: Mapping[str, int], preset: Preset) -> ReadText:
    """The text at `path`, with what it includes and macros that are given."""
    return _read(path, tuple(sorted(texts.items())), tuple(defines.items()), preset)


def reads(path: str, texts: Mapping[str, str], defines: Mapping[str, int], preset: Preset) -> tuple[str, ...]:
    """The paths of the texts that the one at `path` looks for, there or not."""
    return sought(_expanded(path, tuple(sorted(texts.items())), tuple(defines.items()), preset))


def sought(expanded: Expanded) -> tuple[str, ...]:
    """The paths of the texts that one was made from, and of those that were not there."""
    return (*expanded.read, *expanded.sought)


def remarks(expanded: Expanded) -> tuple[Problem, ...]:
    """What there is to say of a text outside its functions: directives that are wrong, files that are not there."""
    notes = (Problem(note.reason, note.place) for note in expanded.notes)
    absent = (Problem(_absent(each), each.place) for each in expanded.missing)
    return (*notes, *absent)


def _absent(missing: Missing) -> str:
    """Why the text of an included file is not known."""
    if not missing.several:
        return f"`{missing.path}` is not in the workspace"
    listed = ", ".join(f"`{path}`" for path in missing.several)
    return f"no include folder has `{missing.path}`, and these files are equally near: {listed}"


@lru_cache(maxsize=8)
def _read(
    path: str, texts: tuple[tuple[str, str], ...], defines: tuple[tuple[str, int], ...], preset: Preset
) -> ReadText:
    expanded = grouped(_expanded(path, texts, defines, preset))
    spelled = respelled(expanded.text)
    trees = tuple(roots(spelled))
    return ReadText(expanded, spelled, trees, addressing(trees), changed(trees))


@lru_cache(maxsize=8)
def _expanded(
    path: str, texts: tuple[tuple[str, str], ...], defines: tuple[tuple[str, int], ...], preset: Preset
) -> Expanded:
    return preprocess(path, dict(texts), dict(defines), preset)
