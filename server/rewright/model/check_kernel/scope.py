"""The names of one kernel: sizes and parameters, shared arrays, variables in blocks of statements.

Invariants: no name hides another; a name may be declared again once the block that declared it has ended, and then
stands for something new, so every name of the program is made unique. A name whose own declaration is wrong has an
entry without a meaning, so that its uses are not reported as well. Must not know expressions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches

from msgspec import Struct

from rewright.model.body import Array, Local
from rewright.model.declared import SymbolKind
from rewright.model.index import Name as Symbol
from rewright.model.notes import Notes
from rewright.model.operator_table import BUILT_IN_NAMES, OPERATOR_NAMES
from rewright.model.simt.types import Coordinate, Scalar
from rewright.syntax.nodes import Name
from rewright.syntax.text import Span
from rewright.verdict import Place, Site
from rewright.verdict.diagnostics.names import NameTaken, TakenBy, UnknownName

TRIPLES = (Coordinate.THREAD, Coordinate.BLOCK, Coordinate.BLOCK_DIM, Coordinate.GRID_DIM)
"""The coordinates that have an x, y and z; the others stand for themselves where nothing is declared so."""

TAKEN = OPERATOR_NAMES | BUILT_IN_NAMES | {coordinate.value for coordinate in TRIPLES} | {"barrier"}
"""Names that a kernel with a body may not declare."""

TAKEN_FROM_SOURCE = frozenset({"true", "false"})
"""Names that a kernel `from` a source may not declare: there `min` is what the source says it is."""


class KernelEntry(Struct, frozen=True):
    """A declared name; `meaning` is None where its declaration is wrong."""

    definition: Span
    kind: SymbolKind
    meaning: Local | Array | None


class KernelScope:
    """The names in sight at one point of a kernel, and the variables declared so far."""

    def __init__(self, notes: Notes, taken: frozenset[str] = TAKEN) -> None:
        self.notes = notes
        self._taken = taken
        self.uniforms: list[Local] = []
        self.locals: list[Local] = []
        self.arrays: list[Array] = []
        self.values: dict[Symbol, int] = {}
        self._blocks: list[dict[str, KernelEntry]] = [{}]
        self._used: set[str] = set()
        self._loops = 0

    def place(self, span: Span) -> Place:
        """The site of a span."""
        return Site(self.notes.site(span))

    def declare(self, name: Name, kind: SymbolKind, scalar: Scalar | None) -> Local | None:
        """Enters a scalar; None, with its reason noted, if its name is taken or it has no type."""
        local = Local(self.unique(name.text), scalar) if scalar is not None else None
        detail = name.text if scalar is None else f"{name.text}: {scalar}"
        entered = self._enter(name, KernelEntry(name.span, kind, local), detail)
        return local if entered else None

    def declare_array(self, name: Name, kind: SymbolKind, array: Array | None) -> None:
        """Enters an array."""
        detail = name.text if array is None else f"{name.text}: {array.type} array of rank {len(array.extents)}"
        if self._enter(name, KernelEntry(name.span, kind, array), detail) and array is not None:
            self.arrays.append(array)

    def uniform(self, name: Name, kind: SymbolKind, scalar: Scalar | None) -> Local | None:
        """Enters a size or a scalar parameter, the same for all threads."""
        local = self.declare(name, kind, scalar)
        if local is not None:
            self.uniforms.append(local)
        return local

    def variable(self, name: Name, kind: SymbolKind, scalar: Scalar | None) -> Local | None:
        """Enters a variable of each thread."""
        local = self.declare(name, kind, scalar)
        if local is not None:
            self.locals.append(local)
        return local

    def temporary(self, scalar: Scalar) -> Local:
        """A variable that the text does not name."""
        local = Local(self.unique("value"), scalar)
        self.locals.append(local)
        return local

    def look_up(self, name: Name) -> KernelEntry | None:
        """The entry of a name, its use noted; None, reported, if it is not declared."""
        for block in reversed(self._blocks):
            if name.text in block:
                entry = block[name.text]
                self.notes.use(entry.definition, name.span)
                return entry
        known = [known for block in self._blocks for known in block]
        nearest = get_close_matches(name.text, known, n=1)
        self.notes.undeclared(UnknownName("name", name.text, nearest[0] if nearest else None), name)
        return None

    def is_declared(self, text: str) -> bool:
        """Whether a name is in sight."""
        return any(text in block for block in self._blocks)

    @contextmanager
    def block(self) -> Iterator[None]:
        """A block of statements, whose names end with it."""
        self._blocks.append({})
        yield
        self._blocks.pop()

    @contextmanager
    def loop(self) -> Iterator[None]:
        """The body of a loop, which may be left."""
        self._loops += 1
        yield
        self._loops -= 1

    @property
    def in_loop(self) -> bool:
        """Whether a loop is around."""
        return self._loops > 0

    def unique(self, text: str) -> Symbol:
        """A name that nothing else in the program has."""
        name, number = text, 1
        while name in self._used:
            number += 1
            name = f"{text}'{number}"
        self._used.add(name)
        return Symbol(name)

    def _enter(self, name: Name, entry: KernelEntry, detail: str) -> bool:
        if name.text in self._taken:
            self.notes.error(NameTaken(name.text, TakenBy.BUILT_IN), name.span)
            return False
        for block in self._blocks:
            if name.text in block:
                first = block[name.text].definition
                self.notes.error(NameTaken(name.text, TakenBy.DECLARATION), name.span, first=first)
                return False
        self._blocks[-1][name.text] = entry
        self.notes.define(name, entry.kind, detail)
        return True
