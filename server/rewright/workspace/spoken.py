"""Where the files of a project speak of a top-level name.

Invariant: a name belongs to the file that declares it; files that import that file, and declare no such name, share it.
Must not know what is done with the places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rewright.model.check_declaration import defined
from rewright.syntax.nodes import ImportDecl
from rewright.syntax.parsed import Parsed
from rewright.workspace.sources import Sources, Unreadable


def sharing(files: Mapping[str, Parsed], path: str, name: str, sources: Sources) -> tuple[str, ...]:
    """The files that share a name that the file at `path` speaks of, the one that declares it first."""
    home = path
    if name not in declared_in(files[path]):
        imported = (each for each in imports(files[path], path, sources) if each in files)
        home = next((each for each in imported if name in declared_in(files[each])), path)
    others = (
        each
        for each, parsed in files.items()
        if each != home and name not in declared_in(parsed) and home in imports(parsed, each, sources)
    )
    return home, *sorted(others)


def declared_in(parsed: Parsed) -> frozenset[str]:
    """The top-level names that a file declares."""
    found = (defined(placed.node) for placed in parsed.file.declarations)
    return frozenset(each[0].text for each in found if each is not None)


def imports(parsed: Parsed, path: str, sources: Sources) -> tuple[str, ...]:
    """The paths that a file imports."""
    return tuple(_imports(parsed, path, sources))


def _imports(parsed: Parsed, path: str, sources: Sources) -> Iterator[str]:
    for placed in parsed.file.declarations:
        if isinstance(placed.node, ImportDecl) and placed.node.path is not None:
            target = sources.resolve(placed.node.path.value, path)
            if not isinstance(target, Unreadable):
                yield target
