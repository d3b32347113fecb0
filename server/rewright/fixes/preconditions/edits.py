"""Edits that add a precondition to a rule, in the style of its file.

Owns where the text goes: after the conditions of the last `where`, else in an item of its own before the closing
brace, in the place of a hole where there is one. Must not know whether the changed rule is proved.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.fixes.preconditions.question import RuleFix
from rewright.model.declared import Declared
from rewright.model.formula import Formula, Truth
from rewright.model.rule import Rule, holes
from rewright.syntax.nodes import Placed, RuleDecl, Where
from rewright.syntax.text import Span, Text
from rewright.verdict import Edit, InSource

HOLE = "?"


class RuleText(Struct, frozen=True):
    """A rule where it stands: the text of its file, its tree there, and what it says."""

    text: Text
    placed: Placed
    declared: Declared


def has_holes(rule: RuleText) -> bool:
    """Whether nothing but holes keeps a rule from being decided, of a kind that can be filled."""
    if hole_of(rule) is not None:
        return True
    declared = rule.declared
    return isinstance(declared.value, Rule) and 0 < len(holes(declared.value)) == len(declared.unsupported)


def hole_of(rule: RuleText) -> Span | None:
    """The hole that a rule has among its preconditions and nowhere else, None if there is none."""
    declared = rule.declared
    if not isinstance(declared.value, Rule) or not declared.unsupported:
        return None
    found = [part for part in declared.value.where if _is_hole(part, rule)]
    if len(found) != 1 or len(declared.unsupported) != 1:
        return None
    return rule.placed.absolute(declared.sites[found[0].site])


def _is_hole(part: Formula, rule: RuleText) -> bool:
    if not isinstance(part, Truth):
        return False
    return rule.text.slice(rule.placed.absolute(rule.declared.sites[part.site])) == HOLE


def title(fix: RuleFix) -> str:
    """What a fix is called."""
    if not fix.of:
        return f"Fill in {', '.join(f'`{part}`' for part in fix.parts)}"
    return f"Add `where {', '.join(fix.parts)}` (keeps {fix.kept} of {fix.of} small inputs)"


def edits(rule: RuleText, fix: RuleFix) -> tuple[Edit, ...]:
    """The changes of a file's text that fill holes or add a precondition; none if there is no closing brace yet."""
    text, declared = rule.text, rule.declared
    if isinstance(declared.value, Rule) and holes(declared.value):
        spans = [rule.placed.absolute(declared.sites[each.site]) for each in declared.unsupported]
        return tuple(
            _replacing(text, span, _fitting(text, span, part)) for span, part in zip(spans, fix.parts, strict=True)
        )
    added = ", ".join(fix.parts)
    hole = hole_of(rule)
    if hole is not None:
        return (_replacing(text, hole, added),)
    found = precondition(rule, added)
    return () if found is None else (found,)


def _fitting(text: Text, span: Span, part: str) -> str:
    """The expression, in parentheses where it is a part of another one."""
    before, after = text.data[: span.start].rstrip()[-1:], text.data[span.end :].lstrip()[:1]
    alone = before in (b"(", b",", b"=") and after in (b")", b",")
    return part if alone or part.isidentifier() else f"({part})"


def precondition(rule: RuleText, added: str) -> Edit | None:
    """The edit that adds a condition to a rule; None if there is no closing brace yet."""
    text, placed = rule.text, rule.placed
    items = placed.node.items if isinstance(placed.node, RuleDecl) else ()
    conditions = [placed.absolute(item.span) for item in items if isinstance(item, Where) and item.predicates]
    if conditions:
        return _replacing(text, Span(conditions[-1].end, conditions[-1].end), f", {added}")
    return new_item(text, placed.span, f"where {added}")


def new_item(text: Text, whole: Span, item: str) -> Edit | None:
    """An item after the last one of a declaration, on a line of its own where the items have theirs.

    None if there is no closing brace yet.
    """
    body = text.data[whole.start : whole.end]
    brace = body.rfind(b"}")
    if brace < 0:
        return None
    inside = body[:brace].rstrip()
    place = whole.start + len(inside)
    between = body[len(inside) : brace]
    if b"\n" not in between:
        return _replacing(text, Span(place, place), f"; {item}")
    newline = "\r\n" if b"\r\n" in between else "\n"
    return _replacing(text, Span(place, place), f"{newline}{newline}{_indentation(inside)}{item}")


def _indentation(inside: bytes) -> str:
    """The white space before the first item of a declaration."""
    lines = inside.decode().splitlines()[1:]
    first = next((line for line in lines if line.strip() and line[:1].isspace()), "  ")
    return first[: len(first) - len(first.lstrip())]


def _replacing(text: Text, span: Span, added: str) -> Edit:
    return Edit(InSource(text.uri, span.start, span.end), added)
