"""Owns the step from text to typed nodes and syntax errors, and what of it survives an edit.

Invariant: parsing never fails, and `parse` is a function of the text alone; a previous result only saves work. A piece
whose text is unchanged is the same object as before, wherever it moved.
It must not know names.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from operator import attrgetter, itemgetter

from msgspec import Struct, field
from tree_sitter import Node, Tree

from rewright.syntax.change import change_between
from rewright.syntax.cut import Head, PieceStarts, cut, cut_after
from rewright.syntax.errors import DEEPEST, problems, with_misused_word
from rewright.syntax.nodes import Declaration, File, Placed, Problem
from rewright.syntax.places import first_line
from rewright.syntax.read_declarations import declaration, is_declaration
from rewright.syntax.text import Span, Text
from rewright.syntax.tree import preorder, tree_of
from rewright.verdict import internal_error
from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.diagnostics.syntax import TextTooLong

LONGEST = 1 << 20
"""Bytes of the longest text that is read: a change is answered within about a second, whatever the text is."""

MOST = 5000
"""Declarations of the largest text that is read."""

LONGEST_PIECE = 64 << 10
"""Bytes of the longest declaration that is read; a single one is read again with every change in it."""


class TextPiece(Struct, frozen=True, eq=False):
    """A stretch of text that is read by itself: a declaration and what trails it, or text before the first one.

    `outside` are the problems outside the declaration. All spans count from the start of the piece, which is the start
    of its declaration.
    """

    source: bytes
    tree: Tree
    declaration: Declaration | None
    digest: str
    problems: tuple[Problem, ...]
    outside: tuple[Problem, ...]


class Parsed(Struct, frozen=True):
    """A text with what was read in it.

    `problems` are all syntax errors of the file, `outside` those outside any declaration, both with spans of the file.
    `heads` are the lines that begin declarations.
    """

    text: Text
    pieces: tuple[tuple[int, TextPiece], ...]
    file: File
    problems: tuple[Problem, ...]
    outside: tuple[Problem, ...]
    heads: tuple[Head, ...] = ()

    @property
    def is_faulty(self) -> bool:
        """Whether a fault of ours kept a piece from being read."""
        return any(isinstance(problem.diagnosis, InternalError) for problem in self.outside)


_Pieces = tuple[tuple[int, TextPiece], ...]


def parse(text: Text, previous: Parsed | None = None) -> Parsed:
    """Returns what is read in the text, taking over the pieces that the previous text had too."""
    if len(text.data) > LONGEST:
        return _unread(text, f"has {_size(len(text.data))}, more than the {_size(LONGEST)} that are read")
    kept = _kept(text, previous)
    places = (*kept.cut.starts(), kept.cut.end(text.data))
    read = islice(_pieces(text.data, places, kept.known), MOST + 1) if len(kept.cut.heads) <= MOST else ()
    others = (*read, *kept.below)
    pieces = (*kept.above, *others)
    if len(kept.cut.heads) > MOST or len(pieces) > MOST:
        return _unread(text, f"has more than the {MOST:,} declarations that are read")
    moved = [
        Placed(start, piece.digest, piece.declaration, piece.problems) for start, piece in others if piece.declaration
    ]
    placed = (*kept.placed, *moved)
    outside = tuple([_moved(problem, start) for start, piece in pieces for problem in piece.outside])
    inside = [_moved(problem, item.start) for item in placed for problem in item.problems]
    ordered = sorted((*inside, *outside), key=lambda problem: problem.span)
    return Parsed(text, pieces, File(placed), tuple(ordered), outside, kept.cut.heads)


class _Kept(Struct, frozen=True):
    """What of a text is as it was before: the pieces `above` what may be others, and those `below` it at their places.

    `placed` are the declarations of the pieces above; `known` the pieces of before that may be others now, by text.
    """

    cut: PieceStarts
    above: _Pieces = ()
    placed: tuple[Placed, ...] = ()
    below: _Pieces = ()
    known: Mapping[bytes, TextPiece] = field(default_factory=dict)


def _kept(text: Text, previous: Parsed | None) -> _Kept:
    """How a text is cut, and what of it was read before; one with a fault of ours is read anew."""
    if previous is None or not previous.pieces or previous.is_faulty:
        return _Kept(cut(text.data))
    change = change_between(previous.text.data, text.data)
    made = cut_after(previous.heads, text.data, change)
    pieces, placed = previous.pieces, previous.file.declarations
    first = bisect_left(pieces, made.begin, key=itemgetter(0))
    end = made.end(text.data) - change.by
    last = bisect_left(pieces, end, key=itemgetter(0)) if made.below else len(pieces)
    by = change.by
    below = tuple([(start + by, piece) for start, piece in pieces[last:]])
    between = {piece.source: piece for _, piece in pieces[first:last]}
    return _Kept(
        made, pieces[:first], placed[: bisect_left(placed, made.begin, key=attrgetter("start"))], below, between
    )


def _unread(text: Text, reason: str) -> Parsed:
    """A text of which nothing is read."""
    end = text.line_starts[1] if len(text.line_starts) > 1 else len(text.data)
    problem = _too_long("the text", reason, Span(0, min(end, 80)))
    return Parsed(text, (), File(()), (problem,), (problem,))


def _too_long(what: str, reason: str, span: Span) -> Problem:
    return Problem(TextTooLong(what, reason), span)


def _pieces(data: bytes, places: tuple[int, ...], known: Mapping[bytes, TextPiece]) -> Iterator[tuple[int, TextPiece]]:
    """The pieces between these places."""
    for start, end in pairwise(places):
        source = data[start:end]
        try:
            pieces = list(_read(source, start, known))
        except Exception as error:
            pieces = [(start, _faulty(source, error))]
        yield from pieces


def _faulty(source: bytes, error: Exception) -> TextPiece:
    """A piece of which nothing is said but that a fault of ours keeps it from being read."""
    begin = len(source) - len(source.lstrip())
    end = begin + len(source[begin:].partition(b"\n")[0])
    problem = Problem(internal_error(error), Span(begin, end))
    return TextPiece(source, tree_of(b""), None, hashlib.sha256(source).hexdigest(), (), (problem,))


def _read(source: bytes, start: int, known: Mapping[bytes, TextPiece]) -> Iterator[tuple[int, TextPiece]]:
    """Reads a piece, or cuts it where declarations start in the middle of its lines and reads the parts."""
    piece = known.get(source)
    if piece is not None:
        yield start, piece
        return
    tree = tree_of(source)
    inner = _inner_cuts(tree, source)
    if not inner:
        yield start, _piece(source, tree)
    for begin, end in pairwise((0, *inner, len(source)) if inner else ()):
        yield from _read(source[begin:end], start + begin, known)


def _inner_cuts(tree: Tree, source: bytes) -> tuple[int, ...]:
    """Where further declarations start after a `}` or `;`; one that starts elsewhere is a word misused."""
    starts = (node.start_byte for node in tree.root_node.children if is_declaration(node) and node.start_byte > 0)
    return tuple(start for start in starts if source[:start].rstrip()[-1:] in (b"}", b";"))


def _piece(source: bytes, tree: Tree) -> TextPiece:
    root = tree.root_node
    declared = [node for node in root.children if is_declaration(node)]
    first, others = next(iter(declared), None), declared[1:]
    end = len(source) if first is None else _end(first, source)
    long = end > LONGEST_PIECE and (first is not None or root.has_error)  # comments may be as long as they are
    found = (_long_piece(first or root, source, end),) if long else problems(root, source)
    if others and not long:
        found = with_misused_word(found, others[0], source)
    if first is None:
        node = None
    elif found:
        node = _header(first, source, end) if long else _readable(first, source, end)
    else:  # then nothing is nested too deeply
        node = declaration(first, end)
    end = 0 if node is None else node.span.end
    return TextPiece(
        source,
        tree,
        node,
        _digest(source, first, end),
        tuple(problem for problem in found if problem.span.start < end),
        tuple(problem for problem in found if problem.span.start >= end),
    )


def _long_piece(node: Node, source: bytes, end: int) -> Problem:
    what = "the text" if node.parent is None else "the declaration"
    reason = f"has {_size(end)}, more than the {_size(LONGEST_PIECE)} that are read"
    return _too_long(what, reason, first_line(node, source))


def _end(node: Node, source: bytes) -> int:
    """Where the declaration ends: at its brace, or where the text ends that follows what is open, comments aside."""
    if source[node.end_byte - 1 : node.end_byte] == b"}":
        return node.end_byte
    following = node.parent.children if node.parent else [node]
    last = max(child.end_byte for child in following if child.type not in ("comment", "doc_comment"))
    return len(source[:last].rstrip())


def _readable(node: Node, source: bytes, end: int) -> Declaration | None:
    """The declaration, without its body if that is nested too deeply to be read."""
    if all(depth < DEEPEST for _, depth in preorder(node, DEEPEST)):
        return declaration(node, end)
    return _header(node, source, end)


def _header(node: Node, source: bytes, end: int) -> Declaration | None:
    """The declaration without its body, None where it has none or the rest is too much, too."""
    body = node.child_by_field_name("body")
    if body is None or body.start_byte > LONGEST_PIECE:
        return None
    header = source[: body.start_byte]
    found = (child for child in tree_of(header).root_node.children if is_declaration(child))
    return next((_readable(child, header, end) for child in found), None)


def _digest(source: bytes, node: Node | None, end: int) -> str:
    """Of the declaration's own text where that is whole, else of all that its reading may depend on."""
    ends = source[end - 1 : end] == b"}" or (node is not None and node.child_by_field_name("body") is None)
    whole = node is not None and ends and not (node.parent or node).has_error
    return hashlib.sha256(source[:end] if whole else source).hexdigest()


def _size(size: int) -> str:
    """A number of bytes as it is shown, rounded up: what is above a limit does not look like it."""
    tenths = -((-10 * size) >> 20)
    return f"{tenths / 10:.1f} MiB".replace(".0 ", " ") if size >= 1 << 20 else f"{-(-size // 1024)} KiB"


def _moved(problem: Problem, by: int) -> Problem:
    return Problem(problem.diagnosis, problem.span.shifted(by))
