"""The declarations of a file as the model understands them, each checked once per change of what it depends on.

Invariant: a declaration is a function of its own text and of its surroundings; as long as neither changes, the very
same `Declared` is handed on, wherever the declaration moved. `declarations` is parallel to those of the parsed file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rewright.model.check_declaration import check_declaration, defined, mentioned
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.model.imports import Imported, Importer, imported
from rewright.model.surroundings import ImportProblem, Neighbour, Surroundings
from rewright.syntax.nodes import Declaration, GraphDecl, ImportDecl, LoopsDecl, Placed, Problem, TransformDecl
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import Span
from rewright.verdict import Finding, InSource, Severity, Site, fault
from rewright.verdict.diagnostics.names import TakenBy

_Key = tuple[str, tuple[Problem, ...], Surroundings]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where a declaration stands that others speak of: the URI of its file, its start there, the spans of its sites."""

    uri: str
    start: int
    sites: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class FileModel:
    """The declarations of a file in order, and the findings outside any of them (as byte ranges of the file).

    `spoken_of` are the graphs and loop nests, of this file or imported, that declarations of it speak of, by name.
    """

    declarations: tuple[Declared, ...]
    findings: tuple[Finding, ...]
    spoken_of: Mapping[str, Elsewhere] = field(default_factory=dict)
    memory: Mapping[_Key, Declared] = field(default_factory=dict, repr=False, compare=False)


def check_file(parsed: Parsed, importer: Importer, previous: FileModel | None = None) -> FileModel:
    """The model of a file; `importer` gives the files that it imports, `previous` only saves work."""
    checking = _Checking(previous.memory if previous is not None else {})
    imports = imported(parsed, importer)
    around = _Around(_brought(imports), _usable(parsed, imports), checking)
    declarations = tuple(
        checking.declared(placed, surroundings) for placed, surroundings in _surrounded(parsed, imports, around)
    )
    return FileModel(declarations, _outside(parsed), around.spoken_of, checking.memory)


@dataclass(slots=True)
class _Checking:
    """Checks declarations, each once per change; `known` is what was checked before."""

    known: Mapping[_Key, Declared]
    memory: dict[_Key, Declared] = field(default_factory=dict)

    def declared(self, placed: Placed, surroundings: Surroundings) -> Declared:
        key = (placed.digest, placed.problems, surroundings)
        declared = self.memory.get(key) or self.known.get(key)
        try:
            declared = declared or check_declaration(placed.node, placed.problems, surroundings)
            self.memory[key] = declared
        except Exception as error:
            declared = _faulty(placed.node, error)
        return declared


def _faulty(node: Declaration, error: Exception) -> Declared:
    """A declaration of which nothing is said but that a fault of ours keeps it from being understood."""
    name, kind = defined(node) or (None, DeclarationKind.IMPORT)
    text, span = (name.text, name.span) if name is not None else ("", Span(0, 0))
    return Declared(text, kind, None, (span,), (fault(error, Site(0)),))


@dataclass(slots=True)
class _Around:
    """What declarations may know of those that they mention; `usable` are all, with the URIs of their files."""

    brought: Mapping[str, DeclarationKind]
    usable: Mapping[str, tuple[str, Placed]]
    checking: _Checking
    spoken_of: dict[str, Elsewhere] = field(default_factory=dict)

    def neighbours(self, names: Iterable[str], own: str, above: tuple[str, ...] = ()) -> Iterator[Neighbour]:
        """The graphs and loop nests among these names; `own` is the URI of the file that mentions them.

        `above` are those that mention them: one that leads back to itself is left out.
        """
        for name in names:
            if name in self.usable and name not in above:
                uri, placed = self.usable[name]
                taken = TakenBy.IMPORT if uri == own and name in self.brought else None
                inner = tuple(self.neighbours(mentioned(placed.node), own, (*above, name)))
                kinds = tuple((each.name, each.declared.kind) for each in inner)
                declared = self.checking.declared(placed, Surroundings(kinds, taken, None, inner))
                self.spoken_of[name] = Elsewhere(uri, placed.start, declared.sites)
                digest = "".join((placed.digest, *(each.digest for each in inner)))
                yield Neighbour(name, digest, not declared.has_errors, declared)


_USABLE = (GraphDecl, LoopsDecl, TransformDecl)
_NEIGHBOURS = (DeclarationKind.GRAPH, DeclarationKind.LOOPS, DeclarationKind.TRANSFORM)


def _usable(parsed: Parsed, imports: dict[str, Imported]) -> dict[str, tuple[str, Placed]]:
    """What can be mentioned: the first of a name counts, those of the file before imported ones."""
    files = [*(each.file for each in reversed(imports.values()) if each.file is not None), parsed]
    return {
        name[0].text: (file.text.uri, placed)
        for file in files
        for placed in reversed(file.file.declarations)
        if isinstance(placed.node, _USABLE) and (name := defined(placed.node)) is not None
    }


def _surrounded(parsed: Parsed, imports: dict[str, Imported], around: _Around) -> Iterator[tuple[Placed, Surroundings]]:
    """Each declaration with what it may know of the others."""
    own = [each for placed in parsed.file.declarations if (each := defined(placed.node)) is not None]
    kinds = dict(around.brought) | {name.text: kind for name, kind in reversed(own)}
    taken = dict.fromkeys(around.brought, TakenBy.IMPORT)
    for placed in parsed.file.declarations:
        node = placed.node
        names = tuple(name for name in dict.fromkeys(mentioned(node)) if name in kinds)
        name = own_name[0].text if (own_name := defined(node)) is not None else None
        problem = _import_problem(node, imports) if isinstance(node, ImportDecl) else None
        usable = (each for each in names if kinds[each] in _NEIGHBOURS)
        above = (name,) if name is not None else ()
        yield (
            placed,
            Surroundings(
                tuple((each, kinds[each]) for each in names),
                taken.get(name) if name is not None else None,
                problem,
                tuple(around.neighbours(usable, parsed.text.uri, above)),
            ),
        )
        if name is not None:
            taken.setdefault(name, TakenBy.DECLARATION)


def _brought(imports: dict[str, Imported]) -> dict[str, DeclarationKind]:
    """What all imports bring; of a name that several bring, what the first does."""
    return {name: kind for each in reversed(imports.values()) for name, kind in each.names}


def _import_problem(node: ImportDecl, imports: dict[str, Imported]) -> ImportProblem | None:
    found = imports.get(node.path.value) if node.path is not None else None
    return found.problem if found is not None else None


def _outside(parsed: Parsed) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            problem.diagnosis,
            Severity.ERROR,
            InSource(parsed.text.uri, problem.span.start, problem.span.end),
        )
        for problem in parsed.outside
    )
