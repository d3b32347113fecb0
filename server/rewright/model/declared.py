"""What the model says of one declaration: its value, what is wrong with it, and what an editor shows of it.

Invariant: everything here is a function of the declaration's own text (and of the few surrounding names it mentions).
Places are site numbers into `sites`, and `sites` counts bytes from the declaration's start, so a declaration that only
moved in its file has the same `Declared`. Site 0 is the declaration's name, or its keyword where the name is missing.
Must not know where the declaration stands.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from rewright.model.declaration_kind import DeclarationKind
from rewright.syntax.text import Span
from rewright.verdict import Finding, has_errors

if TYPE_CHECKING:
    from rewright.model.value import Value


class SymbolKind(StrEnum):
    """What a name inside a declaration stands for, in words for a message."""

    DECLARATION = "declaration"
    TYPE = "element type"
    GROUP = "axis group"
    AXIS = "axis"
    MAP = "map"
    INTEGER = "integer"
    SCALAR = "scalar"
    TENSOR = "tensor"
    FUNCTION = "function"
    MONOID = "monoid"
    LET = "let"
    BOUND = "bound index"
    SIZE = "size"
    PARAMETER = "parameter"
    VARIABLE = "variable"
    SHARED = "shared array"


class Symbol(Struct, frozen=True):
    """A declared name: where it is declared and used; `detail` is its declaration on one line (`map n on A`)."""

    name: str
    kind: SymbolKind
    definition: Span
    uses: tuple[Span, ...]
    detail: str


class OperatorUse(Struct, frozen=True):
    """An operator's name where it is called; `operator` is its name in the operator table."""

    span: Span
    operator: str


class Expectation(Struct, frozen=True):
    """`@expect(refuted, over = f32, direction = "<=", code = RW203)`; None says that it speaks of all of them."""

    verdicts: tuple[str, ...]
    over: str | None = None
    direction: str | None = None
    code: str | None = None


class Unsupported(Struct, frozen=True):
    """Something that this version understands but does not decide; `reason` is the reason of the unknown verdict."""

    reason: str
    site: int


class Declared(Struct, frozen=True):
    """A declaration as the model understands it.

    `value` is None if there is an error, if something in it has no value yet (see `unsupported`), or for a kind that
    this version does not check. A declaration with `unsupported` entries is unknown for the first one's reason, even if
    it has a value. `types` gives for the site of each tensor expression its type as written (`T[A, d]`). `speaks_of`
    are the names of the other declarations that its answer may speak of.
    """

    name: str
    kind: DeclarationKind
    value: Value | None
    sites: tuple[Span, ...]
    findings: tuple[Finding, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    budget: int = 1
    source: str | None = None
    doc: str = ""
    symbols: tuple[Symbol, ...] = ()
    operators: tuple[OperatorUse, ...] = ()
    types: tuple[tuple[int, str], ...] = ()
    speaks_of: tuple[str, ...] = ()

    @property
    def has_errors(self) -> bool:
        """Whether the declaration is invalid: nothing is asked then."""
        return has_errors(self.findings)

    def symbol_at(self, offset: int) -> Symbol | None:
        """The symbol whose definition or use the offset (from the declaration's start) touches."""
        for symbol in self.symbols:
            if any(span.contains(offset) for span in (symbol.definition, *symbol.uses)):
                return symbol
        return None

    def operator_at(self, offset: int) -> OperatorUse | None:
        """The operator call whose name the offset (from the declaration's start) touches."""
        return next((use for use in self.operators if use.span.contains(offset)), None)


ACCEPTED = {
    DeclarationKind.RULE: ("proved",),
    DeclarationKind.LEMMA: ("proved", "conditional"),
    DeclarationKind.EQUIVALENCE: ("proved",),
    DeclarationKind.REFINEMENT: ("proved",),
    DeclarationKind.LOOPS: ("proved", "checked"),
    DeclarationKind.TRANSFORM: ("proved", "checked"),
}
"""The verdicts accepted where no `@expect` speaks, for the kinds that are listed."""

USUAL = ("proved", "checked", "conditional")
"""The verdicts accepted where no `@expect` speaks, for the other kinds."""

STRICT = ("proved", "checked")
"""What is accepted in their place where everything that is assumed has to be stated."""


def accepted(declared: Declared, domain: str, direction: str) -> Expectation:
    """What is expected of the question over `domain` in `direction` (both empty for kernels).

    The expectation that names the most of the question counts, the last of equals; without one, what its kind accepts.
    """
    fitting = [
        expectation
        for expectation in declared.expectations
        if expectation.over in {None, domain} and expectation.direction in {None, direction}
    ]
    if not fitting:
        return Expectation(ACCEPTED.get(declared.kind, USUAL))
    return max(reversed(fitting), key=_precision)


def accepted_overall(declared: Declared) -> tuple[str, ...]:
    """What is accepted for the declaration as a whole: of all its questions together, what any of them accepts."""
    general = [each.verdicts for each in declared.expectations if _precision(each) == 0]
    base = general[-1] if general else ACCEPTED.get(declared.kind, USUAL)
    special = [each.verdicts for each in declared.expectations if _precision(each) > 0]
    return tuple(dict.fromkeys(word for verdicts in (base, *special) for word in verdicts))


def _precision(expectation: Expectation) -> int:
    return (expectation.over is not None) + (expectation.direction is not None)
