"""An early `return` before a barrier taken away: what follows is guarded, and every thread comes to the barrier."""

from __future__ import annotations

from tree_sitter import Node

from rewright.fixes.kernels.tree import CUDA, ParsedText, is_statement, removed, siblings, statements_around
from rewright.syntax.text import Span
from rewright.verdict import Edit

_DECLARE = frozenset({"declaration", "let_item", "var_item", "shared_item"})


def guarded_instead(source: ParsedText, barrier: Span) -> list[tuple[Edit, ...]]:
    """The edits that replace early `return`s before a barrier by guards of the statements after them, one by one."""
    around = statements_around(source, barrier)
    if not around:
        return []
    beside = siblings(source, around[-1])
    word = source.text(around[0]).partition("(")[0]
    found = []
    for at, statement in enumerate(beside[: beside.index(around[-1])]):
        condition = _left_on(source, statement)
        if condition is not None:
            following = [
                each for each in beside[at + 1 :] if each.type not in _DECLARE and word not in source.text(each)
            ]
            guards = (_guarded(source, each, condition) for each in following)
            found.append((removed(source, statement), *guards))
    return found


def _left_on(source: ParsedText, statement: Node) -> str | None:
    """The condition of an `if` that does nothing but return, without parentheses around it."""
    if statement.type != "if_statement" or len(statement.children_by_field_name("alternative")) > 0:
        return None
    then = statement.child_by_field_name("consequence") or statement.child_by_field_name("then")
    condition = statement.child_by_field_name("condition")
    if then is None or condition is None or statement.child_by_field_name("otherwise") is not None:
        return None
    inside = [child for child in then.children if is_statement(source, child)] or [then]
    text = source.text(condition)
    if [each.type for each in inside] != ["return_statement"]:
        return None
    return text[1:-1] if condition.type == "condition_clause" else text


def _guarded(source: ParsedText, statement: Node, condition: str) -> Edit:
    text = source.text(statement)
    guarded = f"if (!({condition})) {text}" if source.dialect is CUDA else f"if not ({condition}) {{ {text} }}"
    return source.replaced(statement.start_byte, statement.end_byte, guarded)
