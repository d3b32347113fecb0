"""The lemmas that a refinement may be proved by: what `using` names."""

from __future__ import annotations

from msgspec.structs import replace

from rewright.model.declaration_kind import DeclarationKind
from rewright.model.graph import GraphLemma
from rewright.model.notes import Notes
from rewright.model.surroundings import Surroundings
from rewright.syntax import nodes
from rewright.syntax.nodes import RefineDecl
from rewright.verdict.diagnostics.names import AnotherKind, NameTaken, TakenBy, UnknownName


def used_lemmas(notes: Notes, node: RefineDecl, surroundings: Surroundings) -> tuple[GraphLemma, ...]:
    """The lemmas that the refinement names; what is wrong with a name is noted."""
    found: dict[str, GraphLemma | None] = {}
    for item in node.items:
        for name in item.names if isinstance(item, nodes.Using) else ():
            if name.text in found:
                notes.error(NameTaken(name.text, TakenBy.DECLARATION), name.span)
            else:
                found[name.text] = _lemma(notes, name, surroundings)
    return tuple(each for each in found.values() if each is not None)


def _lemma(notes: Notes, name: nodes.Name, surroundings: Surroundings) -> GraphLemma | None:
    kind, declared = surroundings.kind(name.text), surroundings.neighbour(name.text)
    value = declared.value if declared is not None else None
    if kind is None:
        notes.undeclared(UnknownName("lemma", name.text, None), name)
    elif isinstance(value, GraphLemma):
        return replace(value, site=notes.site(name.span))
    elif kind is DeclarationKind.LEMMA and declared is not None and (declared.has_errors or declared.unsupported):
        reason = declared.unsupported[0].reason if declared.unsupported else "it has errors"
        notes.unknown(f"`{name.text}` is not understood: {reason}", name.span)
    else:
        found = "a lemma of rules" if kind is DeclarationKind.LEMMA else f"a {kind.value}"
        notes.error(AnotherKind(name.text, found, "a lemma with inputs, as in `lemma name(x: f32[n])`", ""), name.span)
    return None
