"""The declarations of a file as the model understands them, each checked once per change of what it depends on.

Invariant: a declaration is a function of its own text and of its surroundings; as long as neither changes, the very
same `Declared` is handed on, wherever the declaration moved. `declarations` is parallel to those of the parsed file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from rewright.model.check_declaration import check_declaration, defined, mentioned
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.model.imports import Imported, Importer, imported
from rewright.model.surroundings import ImportProblem, Neighbour, Surroundings
from rewright.syntax.nodes import (
    Declaration,
    GraphDecl,
    ImportDecl,
    LemmaDecl,
    LoopsDecl,
    OperatorDecl,
    Placed,
    Problem,
    TransformDecl,
)
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import Span
from rewright.verdict import Finding, InSource, Severity, Site, fault
from rewright.verdict.diagnostics.names import TakenBy

_Key = tuple[str, tuple[Problem, ...], Surroundings]
_Name = tuple[str, DeclarationKind]


class Elsewhere(Struct, frozen=True):
    """Where a declaration stands that others speak of: the URI of its file, its start there, the spans of its sites."""

    uri: str
    start: int
    sites: tuple[Span, ...]


class _Row(Struct, frozen=True):
    """A declaration, wherever it stands, with what it says of names, and what was made of it in its surroundings.

    `lasts` unless a fault of ours kept it from being understood. `alone`: nothing but names matters to it.
    """

    node: Declaration
    names: _Names
    key: _Key
    declared: Declared
    lasts: bool
    alone: bool


class _Names(Struct, frozen=True):
    """The top-level name that a declaration brings, with its kind, and those that it mentions."""

    brings: _Name | None
    mentions: tuple[str, ...]


class _Memory(Struct, frozen=True):
    """What a model was made of: what imports bring, the declarations in order, and what was made of the mentioned."""

    brought: Mapping[str, DeclarationKind] = field(default_factory=dict)
    rows: tuple[_Row, ...] = ()
    mentioned: Mapping[_Key, Declared] = field(default_factory=dict)


class FileModel(Struct, frozen=True):
    """The declarations of a file in order, and the findings outside any of them (as byte ranges of the file).

    `spoken_of` are the graphs and loop nests, of this file or imported, that declarations of it speak of, by name.
    """

    declarations: tuple[Declared, ...]
    findings: tuple[Finding, ...]
    spoken_of: Mapping[str, Elsewhere] = field(default_factory=dict)
    memory: _Memory = field(default_factory=_Memory)


def check_file(parsed: Parsed, importer: Importer, previous: FileModel | None = None) -> FileModel:
    """The model of a file; `importer` gives the files that it imports, `previous` only saves work."""
    imports = imported(parsed, importer)
    brought = _brought(imports)
    before = previous.memory if previous is not None else _Memory()
    kept = _kept(parsed, before, brought)
    around = _Around(parsed.text.uri, imports, brought, _usable(parsed, kept.names, imports), _Checking(kept.known))
    rows = tuple(_rows(parsed, kept, around))
    declarations = tuple([row.declared for row in rows])
    memory = _Memory(brought, rows, around.checking.memory)
    return FileModel(declarations, _outside(parsed), around.spoken_of, memory)


class _Kept(Struct, frozen=True):
    """What of a file is as it was: of each declaration its `row` of before, None if it is another, and its `names`.

    `same_names`: all declarations bring what they brought, in the same order. `known` is what was made of the others.
    """

    rows: tuple[_Row | None, ...]
    names: tuple[_Names, ...]
    same_names: bool
    known: Mapping[_Key, Declared]


def _kept(parsed: Parsed, before: _Memory, brought: Mapping[str, DeclarationKind]) -> _Kept:
    """What is as it was: the declarations that are the same from the start and from the end of the file on."""
    placed, rows = parsed.file.declarations, before.rows
    most = min(len(placed), len(rows))
    above = next((at for at in range(most) if placed[at].node is not rows[at].node), most)
    below = next((at for at in range(most - above) if placed[-1 - at].node is not rows[-1 - at].node), most - above)
    gone = rows[above : len(rows) - below]
    fresh = tuple(_names_of(each.node) for each in placed[above : len(placed) - below])
    ending = rows[len(rows) - below :]
    brings = [each.names.brings for each in gone if each.names.brings], [each.brings for each in fresh if each.brings]
    return _Kept(
        (*rows[:above], *[None] * len(fresh), *ending),
        (*[row.names for row in rows[:above]], *fresh, *[row.names for row in ending]),
        brought == before.brought and brings[0] == brings[1],
        {**before.mentioned, **{row.key: row.declared for row in gone if row.lasts}},
    )


def _names_of(node: Declaration) -> _Names:
    brings = defined(node)
    return _Names(None if brings is None else (brings[0].text, brings[1]), mentioned(node))


class _Checking(Struct):
    """Checks declarations, each once per change; `known` is what was checked before."""

    known: Mapping[_Key, Declared]
    memory: dict[_Key, Declared] = field(default_factory=dict)

    def declared(self, placed: Placed, surroundings: Surroundings) -> tuple[_Key, Declared, bool]:
        """A declaration in its surroundings under its key, and whether that lasts."""
        key = (placed.digest, placed.problems, surroundings)
        declared = self.memory.get(key) or self.known.get(key)
        try:
            declared = declared or check_declaration(placed.node, placed.problems, surroundings)
        except Exception as error:
            return key, _faulty(placed.node, error), False
        self.memory[key] = declared
        return key, declared, True


def _faulty(node: Declaration, error: Exception) -> Declared:
    """A declaration of which nothing is said but that a fault of ours keeps it from being understood."""
    name, kind = defined(node) or (None, DeclarationKind.IMPORT)
    text, span = (name.text, name.span) if name is not None else ("", Span(0, 0))
    return Declared(text, kind, None, (span,), (fault(error, Site(0)),))


class _Around(Struct):
    """What declarations of the file with this URI may know of each other, and of what its imports bring.

    `usable` are the graphs and loop nests, with the URIs of their files.
    """

    uri: str
    imports: Mapping[str, Imported]
    brought: Mapping[str, DeclarationKind]
    usable: Mapping[str, tuple[str, Placed]]
    checking: _Checking
    spoken_of: dict[str, Elsewhere] = field(default_factory=dict)

    def surroundings(
        self, placed: Placed, names: _Names, kinds: Mapping[str, DeclarationKind], taken: TakenBy | None
    ) -> Surroundings:
        """What a declaration may know, where the top-level names have these kinds, and its own is taken so."""
        if not names.mentions and not isinstance(placed.node, ImportDecl):
            return Surroundings((), taken)
        problem = _import_problem(placed.node, self.imports) if isinstance(placed.node, ImportDecl) else None
        mentions = tuple(name for name in dict.fromkeys(names.mentions) if name in kinds)
        usable = (each for each in mentions if kinds[each] in _NEIGHBOURS)
        above = (names.brings[0],) if names.brings is not None else ()
        return Surroundings(
            tuple((each, kinds[each]) for each in mentions), taken, problem, tuple(self._neighbours(usable, above))
        )

    def _neighbours(self, names: Iterable[str], above: tuple[str, ...]) -> Iterator[Neighbour]:
        """The graphs and loop nests among these names; `above` are those that mention them.

        One that leads back to itself is left out.
        """
        for name in names:
            if name in self.usable and name not in above:
                uri, placed = self.usable[name]
                taken = TakenBy.IMPORT if uri == self.uri and name in self.brought else None
                inner = tuple(self._neighbours(mentioned(placed.node), (*above, name)))
                kinds = tuple((each.name, each.declared.kind) for each in inner)
                kinds += tuple(self._left_out(mentioned(placed.node), (*above, name)))
                _, declared, _ = self.checking.declared(placed, Surroundings(kinds, taken, None, inner))
                self.spoken_of[name] = Elsewhere(uri, placed.start, declared.sites)
                digest = "".join((placed.digest, *(each.digest for each in inner)))
                yield Neighbour(name, digest, not declared.has_errors, declared)

    def _left_out(self, names: Iterable[str], above: tuple[str, ...]) -> Iterator[tuple[str, DeclarationKind]]:
        """Those that lead back to what mentions them: they are there, and nothing more is known of them."""
        for name in names:
            found = defined(self.usable[name][1].node) if name in self.usable and name in above else None
            if found is not None:
                yield name, found[1]


_USABLE = (GraphDecl, OperatorDecl, LemmaDecl, LoopsDecl, TransformDecl)
_NEIGHBOURS = (
    DeclarationKind.GRAPH,
    DeclarationKind.OPERATOR,
    DeclarationKind.LEMMA,
    DeclarationKind.LOOPS,
    DeclarationKind.TRANSFORM,
)


def _usable(parsed: Parsed, names: tuple[_Names, ...], imports: dict[str, Imported]) -> dict[str, tuple[str, Placed]]:
    """What can be mentioned: the first of a name counts, those of the file before imported ones."""
    files = [each.file for each in reversed(imports.values()) if each.file is not None]
    usable = {
        name[0].text: (file.text.uri, placed)
        for file in files
        for placed in reversed(file.file.declarations)
        if isinstance(placed.node, _USABLE) and (name := defined(placed.node)) is not None
    }
    own = zip(reversed(parsed.file.declarations), reversed(names), strict=True)
    for placed, named in own:
        if named.brings is not None and named.brings[1] in _NEIGHBOURS:
            usable[named.brings[0]] = parsed.text.uri, placed
    return usable


def _rows(parsed: Parsed, kept: _Kept, around: _Around) -> Iterator[_Row]:
    """The declarations, each made again only if what it may know of the others is something else than before."""
    brings = [each.brings for each in reversed(kept.names) if each.brings is not None]
    kinds = {**around.brought, **dict(brings)}
    taken = dict.fromkeys(around.brought, TakenBy.IMPORT)
    for placed, names, before in zip(parsed.file.declarations, kept.names, kept.rows, strict=True):
        if before is not None and before.lasts and before.alone and kept.same_names:
            yield before
        else:
            by = taken.get(names.brings[0]) if names.brings is not None else None
            surroundings = around.surroundings(placed, names, kinds, by)
            same = before is not None and before.lasts and before.key[2] == surroundings
            yield before if same and before is not None else _row(placed, names, surroundings, around.checking)
        if names.brings is not None:
            taken.setdefault(names.brings[0], TakenBy.DECLARATION)


def _row(placed: Placed, names: _Names, surroundings: Surroundings, checking: _Checking) -> _Row:
    key, declared, lasts = checking.declared(placed, surroundings)
    alone = not surroundings.neighbours and not isinstance(placed.node, ImportDecl)
    return _Row(placed.node, names, key, declared, lasts, alone)


def _brought(imports: dict[str, Imported]) -> dict[str, DeclarationKind]:
    """What all imports bring; of a name that several bring, what the first does."""
    return {name: kind for each in reversed(imports.values()) for name, kind in each.names}


def _import_problem(node: ImportDecl, imports: Mapping[str, Imported]) -> ImportProblem | None:
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
