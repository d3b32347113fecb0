"""What is declared in a loop nest while it is checked: parameters, arrays, and the names of the loops around."""

from __future__ import annotations

from difflib import get_close_matches

from msgspec import Struct, field

from rewright.model.declared import SymbolKind
from rewright.model.index import Name
from rewright.model.nest import AffineExpression, AffineVariable, NestArray
from rewright.model.notes import Notes
from rewright.syntax import nodes
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import CannotStandHere, NameTaken, TakenBy, UnknownName

BUILT_IN = frozenset({"min", "max"})


class NestScope(Struct):
    """The state of checking one nest. `integers` are parameters, iterators and `let`s that stand for a number here.

    `places` are where names of this declaration are declared; those of the specification of a transform have none.
    """

    notes: Notes
    integers: dict[str, AffineExpression] = field(default_factory=dict)
    arrays: dict[str, NestArray] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)

    def declare(self, name: nodes.Name, kind: SymbolKind, detail: str) -> bool:
        """Enters a name; whether it is new here."""
        known = name.text in self.integers or name.text in self.arrays
        taken = TakenBy.DECLARATION if known else TakenBy.BUILT_IN if name.text in BUILT_IN else None
        if taken is not None:
            self.notes.error(NameTaken(name.text, taken), name.span)
            return False
        self.places[name.text] = name.span
        self.notes.define(name, kind, detail)
        return True

    def parameter(self, written: nodes.Parameter) -> bool:
        """Enters the name of a parameter, which has no value yet; whether it is new here."""
        name = written.name
        if written.type is not None or written.value is not None or written.mode is not None:
            self.notes.error(CannotStandHere("a type or a value", f"the name `{name.text}` alone"), written.span)
        return self.declare(name, SymbolKind.PARAMETER, f"parameter {name.text}")

    def iterate(self, name: nodes.Name, detail: str) -> bool:
        """Enters the iterator of a loop; whether it is new here."""
        if not self.declare(name, SymbolKind.VARIABLE, detail):
            return False
        self.integers[name.text] = AffineVariable(Name(name.text))
        return True

    def forget(self, name: str) -> None:
        """Leaves the scope of an iterator or a `let`."""
        self.integers.pop(name, None)
        self.places.pop(name, None)

    def used(self, name: nodes.Name) -> None:
        """Notes that a declared name stands here."""
        if name.text in self.places:
            self.notes.use(self.places[name.text], name.span)

    def unknown(self, what: str, name: nodes.Name) -> None:
        """Notes that a name is not declared."""
        nearest = get_close_matches(name.text, [*self.integers, *self.arrays], n=1)
        self.notes.undeclared(UnknownName(what, name.text, nearest[0] if nearest else None), name)
