"""The notes taken while one declaration is checked: sites, findings, unsupported parts, symbols and their uses.

Invariant: a site is numbered when its span is first spoken of, so numbers follow the order of checking, which depends
on what the text says and not on comments or white space. Must not know what the findings mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rewright.model.declared import OperatorUse, Symbol, SymbolKind, Unsupported
from rewright.syntax.nodes import Head, Name
from rewright.syntax.text import Span
from rewright.verdict import Finding, Related, Role, Severity, Site
from rewright.verdict.diagnostics.untyped import Untyped


@dataclass(slots=True)
class _Noted:
    """A symbol while its uses are still being found."""

    name: str
    kind: SymbolKind
    definition: Span
    detail: str
    uses: dict[Span, None] = field(default_factory=dict)


class Notes:
    """Everything that checking one declaration has to tell, in the order in which it was found."""

    def __init__(self, first: Span) -> None:
        self._numbers: dict[Span, int] = {first: 0}
        self._noted: dict[Span, _Noted] = {}
        self._operators: dict[Span, OperatorUse] = {}
        self.findings: list[Finding] = []
        self.unsupported: list[Unsupported] = []

    def site(self, span: Span) -> int:
        """The number of the site with this span, a new one if it was not spoken of before."""
        return self._numbers.setdefault(span, len(self._numbers))

    def sites(self) -> tuple[Span, ...]:
        """The spans of all sites, by number."""
        return tuple(self._numbers)

    def error(self, code: str, span: Span, **arguments: str) -> None:
        """Notes an error at a place."""
        told = Untyped(code, tuple(arguments.items()))
        self.findings.append(Finding(told, Severity.ERROR, Site(self.site(span))))

    def error_with(self, code: str, span: Span, related: tuple[str, Span], **arguments: str) -> None:
        """Notes an error that needs a second place; `related` is its role and span."""
        role, other = related
        second = Related(Role(role), Site(self.site(other)))
        told = Untyped(code, tuple(arguments.items()))
        self.findings.append(Finding(told, Severity.ERROR, Site(self.site(span)), (second,)))

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
