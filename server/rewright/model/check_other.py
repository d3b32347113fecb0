"""The kinds of declarations whose contents this version does not check: equivalences and lifts.

Owns what is said of them: that the kind is not supported yet, and that the declarations they refer to exist. Must not
know what they mean.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rewright.model.check_attributes import attributes, check_quantified
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.notes import Notes, notes_for
from rewright.model.surroundings import Surroundings
from rewright.syntax.nodes import (
    EquivalentDecl,
    Head,
    LiftDecl,
    Name,
)
from rewright.verdict.diagnostics.names import AnotherKind, UnknownName

Other = EquivalentDecl | LiftDecl

_COMPARABLE = (DeclarationKind.KERNEL, DeclarationKind.GRAPH, DeclarationKind.LIFT)


def check_other(node: Other, surroundings: Surroundings) -> Declared:
    """A declaration of a kind that is not decided, with its references checked."""
    notes = notes_for(node.head)
    match node:
        case EquivalentDecl(left=left, right=right):
            _references(notes, (left, right), _COMPARABLE, surroundings)
            return _declared(notes, node.head, DeclarationKind.EQUIVALENCE, _joined(left, "~", right))
        case LiftDecl(head=head):
            return _declared(notes, head, DeclarationKind.LIFT, _text(head.name))


def _references(
    notes: Notes, names: Sequence[Name | None], accepted: Sequence[DeclarationKind], surroundings: Surroundings
) -> None:
    for name in names:
        if name is None:
            continue
        kind = surroundings.kind(name.text)
        if kind is None:
            notes.undeclared(UnknownName("declaration", name.text, None), name)
        elif kind not in accepted:
            expected = " or ".join(f"a {each.value}" for each in accepted)
            notes.error(AnotherKind(name.text, f"a {kind.value}", expected, ""), name.span)


def _declared(notes: Notes, head: Head, kind: DeclarationKind, name: str) -> Declared:
    written = attributes(notes, head.attributes)
    check_quantified(notes, written, [])
    notes.unknown("not supported yet", head.word.span)
    if head.name is not None:
        notes.define(head.name, SymbolKind.DECLARATION, f"{head.word.text} {head.name.text}")
    return replace(concluded(notes, head, written, kind), name=name)


def _joined(left: Name | None, word: str, right: Name | None) -> str:
    return f"{_text(left)} {word} {_text(right)}"


def _text(name: Name | None) -> str:
    return name.text if name is not None else ""
