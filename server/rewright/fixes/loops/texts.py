"""The texts of a transform and of what it transforms: read as a file of their own, before and after a change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from rewright.fixes.edited import edited
from rewright.fixes.loops.question import SUBJECT
from rewright.model.file import check_file
from rewright.model.nest import Nest, TiledTransformation, Transformation
from rewright.syntax import nodes
from rewright.syntax.nodes import LoopsDecl, Placed, TransformDecl
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Edit

Asked = Nest | Transformation | TiledTransformation


class ReadLoops(Struct, frozen=True):
    """A declaration as it is read: its text, its node and its sites, and those of the first nest that it transforms."""

    text: Text
    node: LoopsDecl | TransformDecl
    sites: tuple[Span, ...]
    root_text: Text
    root: LoopsDecl
    value: Asked


def read(texts: tuple[str, ...]) -> ReadLoops | None:
    """The last of these declarations; None if it has errors."""
    parsed = parse(Text.of("", "\n".join(texts)))
    declared = check_file(parsed, lambda path: None).declarations
    placed = parsed.file.declarations
    if len(declared) != len(texts):
        return None
    value = declared[-1].value
    match placed[0].node, placed[-1].node:
        case LoopsDecl() as root, LoopsDecl() | TransformDecl() as node if isinstance(value, Asked):
            sites = declared[-1].sites
            return ReadLoops(Text.of(SUBJECT, texts[-1]), node, sites, Text.of("root", texts[0]), root, value)
        case _:
            return None


def changed(texts: tuple[str, ...], edits: Iterable[Edit]) -> tuple[str, ...]:
    """The texts after a change of the last one."""
    return (*texts[:-1], edited({SUBJECT: texts[-1]}, edits)[SUBJECT])


def chain(placed: Sequence[Placed], subject: Placed) -> tuple[Placed, ...]:
    """The declarations that a transform rests on, the loop nest first, and itself; empty if one is not in the file."""
    named = {each.node.head.name.text: each for each in placed if _is_loops(each) and each.node.head.name is not None}
    found = [subject]
    while isinstance(found[0].node, nodes.TransformDecl):
        target = found[0].node.target
        before = named.get(target.text) if target is not None else None
        if before is None or before in found:
            return ()
        found.insert(0, before)
    return tuple(found)


def _is_loops(placed: Placed) -> bool:
    return isinstance(placed.node, LoopsDecl | TransformDecl)
