"""The imports of a file: which names they bring, and what is wrong with them.

Invariant: an import brings the names of the file it names, not of that file's imports. A file that reaches itself
through its imports is an error at each import on the way. Must not read files: it is given a function that does.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from rewright.model.check_declaration import defined
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.surroundings import ImportProblem
from rewright.syntax.nodes import ImportDecl
from rewright.syntax.parsed import Parsed

Importer = Callable[[str], Parsed | None]
"""The file at a path relative to the importing file, None where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brings: names with their kinds, from the file with this URI; and what is wrong with it."""

    names: tuple[tuple[str, DeclarationKind], ...] = ()
    uri: str = ""
    problem: ImportProblem | None = None


def imported(parsed: Parsed, importer: Importer) -> dict[str, Imported]:
    """What each path that the file imports brings."""
    brought: dict[str, Imported] = {}
    for path in dict.fromkeys(_paths(parsed)):
        found = _bring(parsed, path, importer)
        clash = _clash(found, brought.values())
        brought[path] = found if clash is None else replace(found, problem=ImportProblem("clash", clash))
    return brought


def _clash(found: Imported, earlier: Iterable[Imported]) -> str | None:
    """A name that an earlier import brings from another file."""
    taken = {name for each in earlier if each.uri != found.uri for name, _ in each.names}
    return next((name for name, _ in found.names if name in taken), None)


def _bring(parsed: Parsed, path: str, importer: Importer) -> Imported:
    if not path.endswith(".rw"):
        return Imported(problem=ImportProblem("foreign"))
    target = importer(path)
    if target is None:
        return Imported(problem=ImportProblem("missing"))
    if _reaches(target, path, parsed.text.uri, importer):
        return Imported(problem=ImportProblem("cycle"))
    found = (defined(placed.node) for placed in target.file.declarations)
    return Imported(tuple((each[0].text, each[1]) for each in found if each is not None), target.text.uri)


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
