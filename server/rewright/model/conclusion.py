"""The end of every check of a declaration: its head, its attributes and the notes taken, as one value.

Must not know what a declaration of any kind contains.
"""

from __future__ import annotations

from rewright.model.check_attributes import Attributes
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.model.notes import Notes
from rewright.syntax.nodes import Head


def concluded(notes: Notes, head: Head, written: Attributes, kind: DeclarationKind) -> Declared:
    """The declaration with this head, still without a value."""
    return Declared(
        name=head.name.text if head.name is not None else "",
        kind=kind,
        value=None,
        sites=notes.sites(),
        findings=notes.findings(),
        unsupported=tuple(notes.unsupported),
        expectations=tuple(written.expectations),
        budget=written.budget,
        source=written.source,
        doc=head.doc,
        symbols=notes.symbols(),
        operators=notes.operators(),
    )
