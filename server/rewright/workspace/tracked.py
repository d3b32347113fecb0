"""A file of declarations as it stands: text, tree, model, and what each declaration asks.

Invariant: a `Tracked` is a function of the texts it was made from; making one from the last re-does only the
declarations that changed, or whose sources did. Must not know answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rewright.model.declared import Declared
from rewright.model.file import FileModel, check_file
from rewright.rules.decision import Mode
from rewright.syntax import Parsed, parse
from rewright.syntax.text import Text
from rewright.workspace.jobs import Planned, plan
from rewright.workspace.sources import Sources, Unreadable


@dataclass(frozen=True, slots=True)
class Tracked:
    """One version of a file. `planned` is parallel to the declarations of `parsed.file` and of `model`."""

    path: str
    parsed: Parsed
    model: FileModel
    planned: tuple[Planned, ...]

    @property
    def text(self) -> Text:
        """The text that the tree was made from."""
        return self.parsed.text

    def named(self) -> frozenset[str]:
        """The sources that declarations of this file are written in."""
        return frozenset(path for planned in self.planned for _, path in planned.sources)


def track(path: str, sources: Sources, mode: Mode, previous: Tracked | None = None) -> Tracked | Unreadable:
    """The file at `path` as it stands now, made from the last version as far as that is still true."""
    text = sources.read(path)
    if isinstance(text, Unreadable):
        return text
    parsed = parse(text, previous.parsed if previous else None)
    model = check_file(parsed, _importer(path, sources), previous.model if previous else None)
    reusable = {id(planned.declared): planned for planned in previous.planned} if previous else {}
    planned = tuple(_plan(declared, path, sources, (mode, reusable)) for declared in model.declarations)
    return Tracked(path, parsed, model, planned)


def _plan(declared: Declared, path: str, sources: Sources, memory: tuple[Mode, dict[int, Planned]]) -> Planned:
    mode, reusable = memory
    known = reusable.get(id(declared))
    if known is not None and not known.sources and not known.findings:
        return known
    return plan(declared, path, sources, mode)


def _importer(path: str, sources: Sources) -> Callable[[str], Parsed | None]:
    def imported(name: str) -> Parsed | None:
        target = sources.resolve(name, path)
        text = target if isinstance(target, Unreadable) else sources.read(target)
        return None if isinstance(text, Unreadable) else parse(text)

    return imported
