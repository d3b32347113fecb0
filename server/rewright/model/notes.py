"""The notes taken while one declaration is checked: sites, findings, unsupported parts, symbols and their uses.

Invariant: a site is numbered when its span is first spoken of, so numbers follow the order of checking, which depends
on what the text says and not on comments or white space. Must not know what the findings mean.
"""

from __future__ import annotations

from msgspec import Struct, field

from rewright.model.declared import OperatorUse, Symbol, SymbolKind, Unsupported
from rewright.syntax.nodes import Head, Name
from rewright.syntax.text import Span
from rewright.verdict import Diagnosis, Finding, Related, Role, Severity, Site


class _Noted(Struct):
    """A symbol while its uses are still being found."""

    name: str
    kind: SymbolKind
    definition: Span
    detail: str
    uses: dict[Span, None] = field(default_factory=dict)


class Notes:
    """Everything that checking one declaration has to tell, in the order in which it was found.

    `step` is the step of a loop that is gone through, where findings have to name it.
    """

    def __init__(self, first: Span) -> None:
        self._numbers: dict[Span, int] = {first: 0}
        self._noted: dict[Span, _Noted] = {}
        self._operators: dict[Span, OperatorUse] = {}
        self._errors: list[Finding] = []
        self._undeclared: dict[str, tuple[int, Span]] = {}
        self._noted_errors = 0
        self._hints: list[Finding] = []
        self.step: str | None = None
        self.unsupported: list[Unsupported] = []

    def site(self, span: Span) -> int:
        """The number of the site with this span, a new one if it was not spoken of before."""
        return self._numbers.setdefault(span, len(self._numbers))

    def sites(self) -> tuple[Span, ...]:
        """The spans of all sites, by number."""
        return tuple(self._numbers)

    def error(self, diagnosis: Diagnosis, span: Span, first: Span | None = None) -> None:
        """Notes an error at a place; `first` is the earlier of two places, where it needs both."""
        self._noted_errors += 1
        self._errors.append(self._finding(diagnosis, Severity.ERROR, (span, first)))

    def undeclared(self, diagnosis: Diagnosis, name: Name) -> None:
        """Notes that a name is not declared: one error for all its uses, at the first of them in the text."""
        place, first = self._undeclared.get(name.text, (len(self._errors), None))
        if first is None:
            self.error(diagnosis, name.span)
        else:
            self._noted_errors += 1
            if name.span >= first:
                return
            self._errors[place] = self._finding(diagnosis, Severity.ERROR, (name.span, None))
        self._undeclared[name.text] = place, name.span

    def hint(self, diagnosis: Diagnosis, span: Span) -> None:
        """Notes what could be written otherwise; the declaration is as right as it was."""
        self._hints.append(self._finding(diagnosis, Severity.HINT, (span, None)))

    @property
    def errors(self) -> int:
        """How many errors were noted, each use of a name that is not declared among them."""
        return self._noted_errors

    @property
    def has_errors(self) -> bool:
        """Whether the declaration is invalid by now."""
        return bool(self._errors)

    def findings(self) -> tuple[Finding, ...]:
        """What is to be reported, errors first, each kind in the order in which it was found."""
        return (*self._errors, *self._hints)

    def _finding(self, diagnosis: Diagnosis, severity: Severity, places: tuple[Span, Span | None]) -> Finding:
        span, first = places
        related = () if first is None else (Related(Role.FIRST, Site(self.site(first))),)
        return Finding(diagnosis, severity, Site(self.site(span)), related, step=self.step)

    def not_supported(self, what: str, span: Span) -> None:
        """Notes a part that is understood but not decided in this version."""
        self.unknown(f"{what} is not supported yet", span)

    def unknown(self, reason: str, span: Span) -> None:
        """Notes a reason why the declaration stays unknown."""
        self.unsupported.append(Unsupported(reason, self.site(span)))

    def define(self, name: Name, kind: SymbolKind, detail: str) -> None:
        """Notes a declared name."""
        self._noted.setdefault(name.span, _Noted(name.text, kind, name.span, detail))

    def use(self, definition: Span, span: Span) -> None:
        """Notes that the name declared at `definition` stands at `span`."""
        noted = self._noted.get(definition)
        if noted is not None and span != definition:
            noted.uses.setdefault(span)

    def use_operator(self, span: Span, operator: str) -> None:
        """Notes an operator's name where it is called."""
        self._operators.setdefault(span, OperatorUse(span, operator))

    def symbols(self) -> tuple[Symbol, ...]:
        """The declared names with their uses, in the order of declaration."""
        return tuple(
            Symbol(each.name, each.kind, each.definition, tuple(sorted(each.uses)), each.detail)
            for each in self._noted.values()
        )

    def operators(self) -> tuple[OperatorUse, ...]:
        """The operator names that are called."""
        return tuple(self._operators.values())


def notes_for(head: Head) -> Notes:
    """Empty notes for the declaration with this head; site 0 is its name."""
    return Notes(head.name.span if head.name is not None else head.word.span)
