"""Edits that add a precondition to a rule, in the style of its file.

Owns where the text goes: behind the conditions of the last `where`, else in an item of its own before the closing
brace, in the place of a hole where there is one. Must not know whether the changed rule is proved.
"""

from __future__ import annotations

from collections.abc import Iterable

from rewright.model.declared import Declared
from rewright.model.formula import Formula, Truth
from rewright.model.rule import Rule, holes
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


def is_open(text: Text, placed: Placed, declared: Declared) -> bool:
    """Whether nothing but holes keeps a rule from being decided, of a kind that can be filled."""
    if hole_of(text, placed, declared) is not None:
        return True
    return isinstance(declared.value, Rule) and 0 < len(holes(declared.value)) == len(declared.unsupported)


def title(suggestion: Suggestion) -> str:
    """What a fix is called."""
    if not suggestion.of:
        return f"Fill in {', '.join(f'`{part}`' for part in suggestion.parts)}"
    return f"Add `where {', '.join(suggestion.parts)}` (keeps {suggestion.kept} of {suggestion.of} small inputs)"


def edits(text: Text, placed: Placed, declared: Declared, suggestion: Suggestion) -> tuple[Edit, ...]:
    """The changes of a file's text that fill holes or add a precondition; none if there is no closing brace yet."""
    if isinstance(declared.value, Rule) and holes(declared.value):
        spans = [placed.absolute(declared.sites[each.site]) for each in declared.unsupported]
        return tuple(
            _replacing(text, span, _fitting(text, span, part))
            for span, part in zip(spans, suggestion.parts, strict=True)
        )
    added = ", ".join(suggestion.parts)
    hole = hole_of(text, placed, declared)
    if hole is not None:
        return (_replacing(text, hole, added),)
    found = _precondition(text, placed, added)
    return () if found is None else (found,)


def _fitting(text: Text, span: Span, part: str) -> str:
    """The expression, in parentheses where it is a part of another one."""
    before, after = text.data[: span.start].rstrip()[-1:], text.data[span.end :].lstrip()[:1]
    alone = before in (b"(", b",", b"=") and after in (b")", b",")
    return part if alone or part.isidentifier() else f"({part})"


def _precondition(text: Text, placed: Placed, added: str) -> Edit | None:
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


def edited(text: Text, changes: Iterable[Edit]) -> Text:
    """The text after edits of it that do not overlap."""
    data = text.data
    places = ((each.place, each.text) for each in changes if isinstance(each.place, InSource))
    for place, added in sorted(places, key=lambda pair: -pair[0].start):
        data = data[: place.start] + added.encode() + data[place.end :]
    return Text.of(text.uri, data.decode())
