"""A barrier taken out of a branch: after it, before it, or between its two parts."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from rewright.fixes.kernels.tree import (
    ParsedText,
    after,
    before,
    indentation_of,
    is_statement,
    newline,
    removed,
    siblings,
    stands_alone,
    statements_around,
)
from rewright.syntax.text import Span
from rewright.verdict import Edit


def hoists(source: ParsedText, place: Span) -> list[tuple[Edit, ...]]:
    """The edits that take the barrier at a place out of the branches around it, inner ones first."""
    around = statements_around(source, place)
    if not around:
        return []
    barrier, *outer = around
    found: list[tuple[Edit, ...]] = []
    for branch in (statement for statement in outer if statement.type == "if_statement"):
        found += _out_of(source, barrier, branch)
    return found


def _out_of(source: ParsedText, barrier: Node, branch: Node) -> Iterator[tuple[Edit, ...]]:
    """The barrier and those of the same text directly in other branches of this `if`, as one."""
    text = source.text(barrier)
    same = [barrier, *(each for each in _directly_in(source, branch) if source.text(each) == text and each != barrier)]
    beside = siblings(source, barrier)
    last = beside[-1] == barrier
    for together in (same, [barrier]) if len(same) > 1 else (same,):
        gone = tuple(_gone(source, each) for each in together)
        moved_after, moved_before = (*gone, *after(source, branch, text)), (*gone, *before(source, branch, text))
        yield from (moved_after, moved_before) if last else (moved_before, moved_after) if beside[0] == barrier else ()
        if not last and beside[0] != barrier and _is_simple(source, barrier, branch):
            others = tuple(_gone(source, each) for each in together if each != barrier)
            yield (_split(source, barrier, branch), *others)
        yield from () if last or beside[0] == barrier else (moved_after, moved_before)


def _directly_in(source: ParsedText, branch: Node) -> Iterator[Node]:
    """The statements of all ways of an `if`, `else if` included."""
    for child in branch.children:
        if child.type in source.dialect.holders:
            yield from (each for each in child.children if is_statement(source, each))
        elif is_statement(source, child) and child.type != "if_statement":
            yield child
        elif child.type in {"else_clause", "if_statement"}:
            yield from _directly_in(source, child)


def _gone(source: ParsedText, barrier: Node) -> Edit:
    """The barrier removed, or an empty block in its place where a statement has to stand."""
    if barrier.parent is not None and barrier.parent.type in source.dialect.holders:
        return removed(source, barrier)
    return source.replaced(barrier.start_byte, barrier.end_byte, "{}")


def _is_simple(source: ParsedText, barrier: Node, branch: Node) -> bool:
    """Whether the barrier stands directly in the block after the condition."""
    then = branch.child_by_field_name("consequence") or branch.child_by_field_name("then")
    return then is not None and barrier.parent == then


def _split(source: ParsedText, barrier: Node, branch: Node) -> Edit:
    """The branch ended before the barrier, and begun again after it."""
    then = barrier.parent
    assert then is not None
    head = source.data[branch.start_byte : then.start_byte].decode().rstrip()
    if not stands_alone(source, barrier):
        beside = siblings(source, barrier)
        at = beside.index(barrier)
        end = source.dialect.end
        text = f" }}{end} {source.text(barrier)}{end} {head} {{ "
        return source.replaced(beside[at - 1].end_byte, beside[at + 1].start_byte, text)
    outer = indentation_of(source, branch)
    line = newline(source)
    moved_before = source.data[: barrier.start_byte].rstrip(b" \t")
    text = f"{outer}}}{line}{outer}{source.text(barrier)}{line}{outer}{head} {{"
    return source.replaced(len(moved_before), barrier.end_byte, text)
