"""The declarations of a file as the model understands them, each checked once per change of what it depends on.

Invariant: a declaration is a function of its own text and of its surroundings; as long as neither changes, the very
same `Declared` is handed on, wherever the declaration moved. `declarations` is parallel to those of the parsed file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rewright.model.check_declaration import check_declaration, defined, mentioned
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.model.imports import Imported, Importer, imported
from rewright.model.surroundings import ImportProblem, Surroundings
from rewright.syntax.nodes import Declaration, ImportDecl, Placed, Problem
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import Span
from rewright.verdict import Finding, InSource, Severity, Site, fault
from rewright.verdict.diagnostics.names import TakenBy

_Key = tuple[str, tuple[Problem, ...], Surroundings]


@dataclass(frozen=True, slots=True)
class FileModel:
    """The declarations of a file in order, and the findings outside any of them (as byte ranges of the file)."""

    declarations: tuple[Declared, ...]
    findings: tuple[Finding, ...]
    memory: Mapping[_Key, Declared] = field(default_factory=dict, repr=False, compare=False)


def check_file(parsed: Parsed, importer: Importer, previous: FileModel | None = None) -> FileModel:
    """The model of a file; `importer` gives the files that it imports, `previous` only saves work."""
    known = previous.memory if previous is not None else {}
    memory: dict[_Key, Declared] = {}
    declarations = []
    for placed, surroundings in _surrounded(parsed, imported(parsed, importer)):
        key = (placed.digest, placed.problems, surroundings)
        declared = memory.get(key) or known.get(key)
        try:
            declared = declared or check_declaration(placed.node, placed.problems, surroundings)
            memory[key] = declared
        except Exception as error:
            declared = _faulty(placed.node, error)
        declarations.append(declared)
    return FileModel(tuple(declarations), _outside(parsed), memory)


def _faulty(node: Declaration, error: Exception) -> Declared:
    """A declaration of which nothing is said but that a fault of ours keeps it from being understood."""
    name, kind = defined(node) or (None, DeclarationKind.IMPORT)
    text, span = (name.text, name.span) if name is not None else ("", Span(0, 0))
    return Declared(text, kind, None, (span,), (fault(error, Site(0)),))


def _surrounded(parsed: Parsed, imports: dict[str, Imported]) -> Iterator[tuple[Placed, Surroundings]]:
    """Each declaration with what it may know of the others."""
    brought = _brought(imports)
    own = [each for placed in parsed.file.declarations if (each := defined(placed.node)) is not None]
    kinds = dict(brought) | {name.text: kind for name, kind in reversed(own)}
    taken = dict.fromkeys(brought, TakenBy.IMPORT)
    for placed in parsed.file.declarations:
        node = placed.node
        relevant = tuple((name, kinds[name]) for name in dict.fromkeys(mentioned(node)) if name in kinds)
        name = own_name[0].text if (own_name := defined(node)) is not None else None
        problem = _import_problem(node, imports) if isinstance(node, ImportDecl) else None
        yield placed, Surroundings(relevant, taken.get(name) if name is not None else None, problem)
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
