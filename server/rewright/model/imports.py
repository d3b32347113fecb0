"""The imports of a file: which names they bring, and what is wrong with them.

Invariant: an import brings the names of the file it names, not of that file's imports. A file that reaches itself
through its imports is an error at each import on the way. Must not read files: it is given a function that does.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rewright.model.check_declaration import defined
from rewright.model.declared import DeclarationKind
from rewright.syntax.nodes import ImportDecl
from rewright.syntax.parsed import Parsed

Importer = Callable[[str], Parsed | None]
"""The file at a path relative to the importing file, None where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brings: names with their kinds, or the reason why it brings none."""

    names: tuple[tuple[str, DeclarationKind], ...] = ()
    problem: str | None = None


def imported(parsed: Parsed, importer: Importer) -> dict[str, Imported]:
    """What each path that the file imports brings."""
    return {path: _bring(parsed, path, importer) for path in dict.fromkeys(_paths(parsed))}


def _bring(parsed: Parsed, path: str, importer: Importer) -> Imported:
    target = importer(path)
    if target is None:
        return Imported(problem="missing")
    if _reaches(target, path, parsed.text.uri, importer):
        return Imported(problem="cycle")
    found = (defined(placed.node) for placed in target.file.declarations)
    return Imported(tuple((each[0].text, each[1]) for each in found if each is not None))


def _reaches(start: Parsed, path: str, uri: str, importer: Importer) -> bool:
    """Whether a file leads back to the one with this URI; paths in it are relative to where it stands."""
    seen: set[str] = set()
    waiting = [(start, path)]
    while waiting:
        file, at = waiting.pop()
        if file.text.uri == uri:
            return True
        if file.text.uri in seen:
            continue
        seen.add(file.text.uri)
        for named in _paths(file):
            onward = posixpath.normpath(posixpath.join(posixpath.dirname(at), named))
            target = importer(onward)
            if target is not None:
                waiting.append((target, onward))
    return False


def _paths(parsed: Parsed) -> Iterator[str]:
    for placed in parsed.file.declarations:
        if isinstance(placed.node, ImportDecl) and placed.node.path is not None:
            yield placed.node.path.value
