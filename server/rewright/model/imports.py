"""The imports of a file: which names they bring, and what is wrong with them.

Invariant: an import brings the names of the file it names, not of that file's imports. A file that reaches itself
through its imports is an error at each import on the way. Only so many files are followed; an import that would lead to
more is an error, too. Must not read files: it is given a function that does.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.model.check_declaration import defined
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.surroundings import ImportProblem
from rewright.syntax.nodes import ImportDecl
from rewright.syntax.parsed import Parsed
from rewright.verdict.diagnostics.names import ImportClash, ImportFault, UnusableImport


class NoDeclarations(Struct, frozen=True):
    """A file that holds something else, and is not read."""


Importer = Callable[[str], Parsed | NoDeclarations | None]
"""The file at a path relative to the importing file, None where it cannot be read."""


class Imported(Struct, frozen=True):
    """What an import brings: names with their kinds, from a file; and what is wrong with it."""

    names: tuple[tuple[str, DeclarationKind], ...] = ()
    file: Parsed | None = None
    problem: ImportProblem | None = None

    @property
    def uri(self) -> str:
        """The URI of the file, empty if there is none."""
        return self.file.text.uri if self.file is not None else ""


MOST_IMPORTS = 100
"""Files that one file may import; further imports bring nothing."""

MOST_REACHED = 500
"""Files that are followed to see whether they lead back to the one that imports them."""


def imported(parsed: Parsed, importer: Importer) -> dict[str, Imported]:
    """What each path that the file imports brings."""
    brought: dict[str, Imported] = {}
    taken: dict[str, str] = {}
    links = _Links(importer)
    for number, path in enumerate(dict.fromkeys(_paths(parsed))):
        too_many = Imported(problem=UnusableImport(path, ImportFault.MANY))
        found = _bring(parsed, path, links) if number < MOST_IMPORTS else too_many
        clash = next((name for name, _ in found.names if taken.get(name, found.uri) != found.uri), None)
        for name, _ in found.names:
            taken.setdefault(name, found.uri)
        brought[path] = found if clash is None else replace(found, problem=ImportClash(path, clash))
    return brought


def _bring(parsed: Parsed, path: str, links: _Links) -> Imported:
    target = links.importer(path)
    if isinstance(target, NoDeclarations):
        return Imported(problem=UnusableImport(path, ImportFault.FOREIGN))
    if target is None:
        return Imported(problem=UnusableImport(path, ImportFault.MISSING))
    fault = links.fault(target, path, parsed.text.uri)
    if fault is not None:
        return Imported(problem=UnusableImport(path, fault))
    found = (defined(placed.node) for placed in target.file.declarations)
    return Imported(tuple((each[0].text, each[1]) for each in found if each is not None), target)


class _Links(Struct, frozen=True):
    """Which files import which, by their URIs, as far as they were followed."""

    importer: Importer
    _onward: dict[str, tuple[tuple[Parsed, str], ...]] = field(default_factory=dict)

    def fault(self, start: Parsed, path: str, uri: str) -> ImportFault | None:
        """Why a file brings nothing: it leads back to the one with this URI, or to too many files."""
        seen: set[str] = set()
        waiting = [(start, path)]
        while waiting:
            file, at = waiting.pop()
            if file.text.uri == uri:
                return ImportFault.CYCLE
            if file.text.uri not in seen:
                seen.add(file.text.uri)
                if file.text.uri not in self._onward and len(self._onward) >= MOST_REACHED:
                    return ImportFault.MANY
                waiting += self._links_of(file, at)
        return None

    def _links_of(self, file: Parsed, at: str) -> tuple[tuple[Parsed, str], ...]:
        """The files that a file imports, with their paths as seen from where all began; `at` is its own."""
        known = self._onward.get(file.text.uri)
        if known is None:
            named = islice(dict.fromkeys(_paths(file)), MOST_IMPORTS)
            paths = (posixpath.normpath(posixpath.join(posixpath.dirname(at), each)) for each in named)
            reached = ((self.importer(onward), onward) for onward in paths)
            known = tuple((target, onward) for target, onward in reached if isinstance(target, Parsed))
            self._onward[file.text.uri] = known
        return known


def _paths(parsed: Parsed) -> Iterator[str]:
    for placed in parsed.file.declarations:
        if isinstance(placed.node, ImportDecl) and placed.node.path is not None:
            yield placed.node.path.value
