"""A source as a tree of statements: where one stands, what surrounds it, on which lines.

Owns what differs between the concrete trees of our own syntax and of CUDA, as a `Dialect`. Must not know why a text is
changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.cuda.reading.tree import parse
from rewright.syntax.text import Span
from rewright.syntax.tree import tree_of
from rewright.verdict import Edit, InSource


class Dialect(Struct, frozen=True):
    """How a language writes statements; `holders` are nodes whose children are statements, one after the other."""

    holders: frozenset[str]
    bodies: frozenset[str]
    functions: frozenset[str]
    barrier: str
    warp_barrier: str
    end: str


OWN = Dialect(
    holders=frozenset({"block", "body"}),
    bodies=frozenset(),
    functions=frozenset({"kernel_declaration"}),
    barrier="barrier()",
    warp_barrier="barrier(warp)",
    end=";",
)
CUDA = Dialect(
    holders=frozenset({"compound_statement", "case_statement"}),
    bodies=frozenset({"if_statement", "else_clause", "for_statement", "while_statement", "do_statement"}),
    functions=frozenset({"function_definition"}),
    barrier="__syncthreads();",
    warp_barrier="__syncwarp();",
    end="",
)

LOOPS = frozenset({"for_statement", "while_statement", "do_statement"})
_NO_STATEMENT = frozenset({"comment", "doc_comment", "condition_clause", "ERROR"})


class ParsedText(Struct, frozen=True):
    """A text with its tree. `path` is what places in it are said to be in, empty for a declaration's own text."""

    path: str
    data: bytes
    root: Node
    dialect: Dialect

    def node_at(self, span: Span) -> Node | None:
        """The largest node that covers exactly this, or the smallest that covers it."""
        found = self.root.descendant_for_byte_range(span.start, span.end)
        while found is not None and found.parent is not None and _spans(found.parent) == _spans(found):
            found = found.parent
        return found

    def text(self, node: Node) -> str:
        """The text of a node."""
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def replaced(self, start: int, end: int, text: str) -> Edit:
        """The edit that puts a text between two offsets."""
        return Edit(InSource(self.path, start, end), text)


def own(text: str) -> ParsedText:
    """A declaration in our own syntax."""
    data = text.encode()
    return ParsedText("", data, tree_of(data).root_node, OWN)


def cuda(path: str, text: str) -> ParsedText:
    """A source in CUDA."""
    data = text.encode()
    return ParsedText(path, data, parse(data), CUDA)


def _spans(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


# ------------------------------------------------------------------------------------------------- what surrounds what


def statements_around(source: ParsedText, span: Span) -> list[Node]:
    """The statements that a place is in, from the innermost out, all of one function."""
    return list(_outwards(source, source.node_at(span)))


def _outwards(source: ParsedText, node: Node | None) -> Iterator[Node]:
    while node is not None and node.type not in source.dialect.functions:
        if is_statement(source, node):
            yield node
        node = node.parent


def is_statement(source: ParsedText, node: Node) -> bool:
    """Whether a node is a statement: among others in a holder, or the body of a loop or branch without braces."""
    parent = node.parent
    if parent is None or not node.is_named or node.type in _NO_STATEMENT or node.type in source.dialect.holders:
        return False
    if parent.type in source.dialect.holders:
        return parent.type != "case_statement" or parent.child_by_field_name("value") != node
    if parent.type not in source.dialect.bodies:
        return False
    return (
        node in (parent.child_by_field_name(field) for field in ("body", "consequence")) or parent.type == "else_clause"
    )


def siblings(source: ParsedText, statement: Node) -> list[Node]:
    """The statements of the same holder, in order; the statement alone where it has none."""
    parent = statement.parent
    if parent is None or parent.type not in source.dialect.holders:
        return [statement]
    return [child for child in parent.children if is_statement(source, child)]


def function_of(source: ParsedText, span: Span) -> Node | None:
    """The function, or the declaration, that a place is in."""
    node = source.node_at(span)
    while node is not None and node.type not in source.dialect.functions:
        node = node.parent
    return node


def body_of(statement: Node) -> Node | None:
    """What a loop repeats."""
    return statement.child_by_field_name("body")


# ------------------------------------------------------------------------------------------------------------- edits


def before(source: ParsedText, statement: Node, added: str) -> tuple[Edit, ...]:
    """Puts a statement before another one: on a line of its own if that one begins its line."""
    if not _is_held(source, statement):
        return _braced(source, statement, f"{added} ", "")
    start = _line_start(source, statement.start_byte)
    indentation = source.data[start : statement.start_byte]
    if indentation.strip():
        return (source.replaced(statement.start_byte, statement.start_byte, f"{added}{source.dialect.end} "),)
    return (source.replaced(start, start, f"{indentation.decode()}{added}{newline(source)}"),)


def after(source: ParsedText, statement: Node, added: str) -> tuple[Edit, ...]:
    """Puts a statement after another one: on a line of its own if that one ends its line."""
    if not _is_held(source, statement):
        return _braced(source, statement, "", f" {added}")
    end = _line_end(source, statement.end_byte)
    rest = source.data[statement.end_byte : end].strip()
    if rest and not rest.startswith((b"//", b"/*")):
        separator = source.dialect.end
        return (source.replaced(statement.end_byte, statement.end_byte, f"{separator} {added}"),)
    return (source.replaced(end, end, f"{newline(source)}{indentation_of(source, statement)}{added}"),)


def at_end(source: ParsedText, body: Node, added: str) -> tuple[Edit, ...]:
    """Puts a statement at the end of a loop's body."""
    inside = [child for child in body.children if is_statement(source, child)]
    if body.type not in source.dialect.holders:
        return after(source, body, added)
    return after(source, inside[-1], added) if inside else ()


def removed(source: ParsedText, statement: Node) -> Edit:
    """Takes a statement away, with its line if nothing else is on it."""
    if stands_alone(source, statement):
        start, end = _line_start(source, statement.start_byte), _line_end(source, statement.end_byte)
        return source.replaced(start, min(end + len(newline(source)), len(source.data)), "")
    beside = siblings(source, statement)
    at = beside.index(statement)
    if at + 1 < len(beside):
        return source.replaced(statement.start_byte, beside[at + 1].start_byte, "")
    return source.replaced(beside[at - 1].end_byte if at else statement.start_byte, statement.end_byte, "")


def stands_alone(source: ParsedText, statement: Node) -> bool:
    """Whether nothing else is on the lines of a statement."""
    start, end = _line_start(source, statement.start_byte), _line_end(source, statement.end_byte)
    return not source.data[start : statement.start_byte].strip() and not source.data[statement.end_byte : end].strip()


def without(source: ParsedText, span: Span) -> tuple[Edit, ...]:
    """Takes the statement at a place away."""
    around = statements_around(source, span)
    if not around:
        return ()
    if not _is_held(source, around[0]):
        return (source.replaced(around[0].start_byte, around[0].end_byte, "{}"),)
    return (removed(source, around[0]),)


def indentation_of(source: ParsedText, statement: Node) -> str:
    """The white space at the start of the statement's line."""
    line = source.data[_line_start(source, statement.start_byte) : statement.start_byte]
    return line[: len(line) - len(line.lstrip())].decode()


def newline(source: ParsedText) -> str:
    """How lines of the source end."""
    return "\r\n" if b"\r\n" in source.data else "\n"


def zeros(source: ParsedText) -> tuple[str, ...]:
    """How a zero may be written, whatever its type."""
    return ("0",) if source.dialect is CUDA else ("0.0", "0")


def _is_held(source: ParsedText, statement: Node) -> bool:
    return statement.parent is not None and statement.parent.type in source.dialect.holders


def _braced(source: ParsedText, statement: Node, prefix: str, suffix: str) -> tuple[Edit, ...]:
    start, end = statement.start_byte, statement.end_byte
    return (source.replaced(start, start, f"{{ {prefix}"), source.replaced(end, end, f"{suffix} }}"))


def _line_start(source: ParsedText, at: int) -> int:
    return source.data.rfind(b"\n", 0, at) + 1


def _line_end(source: ParsedText, at: int) -> int:
    """Where the line ends, before its line break."""
    end = source.data.find(b"\n", at)
    end = len(source.data) if end < 0 else end
    return end - 1 if source.data[end - 1 : end] == b"\r" and end > at else end
