"""Edits that add a precondition to a rule, in the style of its file.

Owns where the text goes: behind the conditions of the last `where`, else in an item of its own before the closing
brace, in the place of a hole where there is one. Must not know whether the changed rule is proved.
"""

from __future__ import annotations

from rewright.model.declared import Declared
from rewright.model.formula import Formula, Truth
from rewright.model.rule import Rule
from rewright.syntax.nodes import Placed, RuleDecl, Where
from rewright.syntax.text import Span, Text
from rewright.verdict import Edit, InSource, Suggestion

HOLE = "?"


def hole_of(text: Text, placed: Placed, declared: Declared) -> Span | None:
    """The hole that a rule has among its preconditions and nowhere else, None if there is none."""
    if not isinstance(declared.value, Rule) or not declared.unsupported:
        return None
    holes = [part for part in declared.value.where if _is_hole(part, text, placed, declared)]
    if len(holes) != 1 or len(declared.unsupported) != 1:
        return None
    return placed.absolute(declared.sites[holes[0].site])


def title(suggestion: Suggestion) -> str:
    """What a fix is called."""
    return f"Add `where {', '.join(suggestion.parts)}` (keeps {suggestion.kept} of {suggestion.of} small inputs)"


def edit(text: Text, placed: Placed, declared: Declared, suggestion: Suggestion) -> Edit | None:
    """The change of a file's text that adds a precondition; None where the rule has no closing brace yet."""
    added = ", ".join(suggestion.parts)
    hole = hole_of(text, placed, declared)
    if hole is not None:
        return _replacing(text, hole, added)
    items = placed.node.items if isinstance(placed.node, RuleDecl) else ()
    conditions = [placed.absolute(item.span) for item in items if isinstance(item, Where) and item.predicates]
    if conditions:
        return _replacing(text, Span(conditions[-1].end, conditions[-1].end), f", {added}")
    return _item(text, placed.span, added)


def _is_hole(part: Formula, text: Text, placed: Placed, declared: Declared) -> bool:
    return isinstance(part, Truth) and text.slice(placed.absolute(declared.sites[part.site])) == HOLE


def _item(text: Text, whole: Span, added: str) -> Edit | None:
    """A `where` behind the last item of a declaration, on a line of its own where the items have theirs."""
    body = text.data[whole.start : whole.end]
    brace = body.rfind(b"}")
    if brace < 0:
        return None
    inside = body[:brace].rstrip()
    place = whole.start + len(inside)
    between = body[len(inside) : brace]
    if b"\n" not in between:
        return _replacing(text, Span(place, place), f"; where {added}")
    newline = "\r\n" if b"\r\n" in between else "\n"
    return _replacing(text, Span(place, place), f"{newline}{newline}{_indentation(inside)}where {added}")


def _indentation(inside: bytes) -> str:
    """The white space before the first item of a declaration."""
    lines = inside.decode().splitlines()[1:]
    first = next((line for line in lines if line.strip() and line[:1].isspace()), "  ")
    return first[: len(first) - len(first.lstrip())]


def _replacing(text: Text, span: Span, added: str) -> Edit:
    return Edit(InSource(text.uri, span.start, span.end), added)


def edited(text: Text, change: Edit) -> Text:
    """The text after an edit of it."""
    place = change.place
    assert isinstance(place, InSource)
    return Text.of(text.uri, (text.data[: place.start] + change.text.encode() + text.data[place.end :]).decode())
