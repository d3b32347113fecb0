"""Loops that are skewed so that they can be tiled as a wrong transform tiles them.

Owns which tiles a transform has, and the texts that take its place. Must not know whether they are right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rewright.fixes.generating.answering import written_transform
from rewright.fixes.generating.question import DeclaredLoops, SourceLoops, TransformRequest, WrittenTransform
from rewright.fixes.loops.candidates import LoopsChange, edit
from rewright.fixes.loops.texts import ReadLoops
from rewright.frontends.nests import NestSource
from rewright.frontends.table import nest_language_of
from rewright.model.nest import Nest, Transformation, loops_of
from rewright.syntax.nodes import TransformDecl
from rewright.syntax.text import Span
from rewright.verdict import Edit, InSource

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

KIND = "skew"
"""Tried where nothing else mends a transform but other loops, which take its tiles apart."""


def skewed(asked: ReadLoops, texts: tuple[str, ...], budget: Budget) -> Iterator[LoopsChange]:
    """A declaration in our own syntax with other loops; `texts` are those of what it transforms, then its own."""
    node = asked.node
    if not isinstance(node, TransformDecl) or not isinstance(asked.value, Transformation) or node.head.name is None:
        return
    loops = DeclaredLoops(texts[:-1], ())
    for sizes, made in _written(loops, asked.value.transformed, node.head.name.text, budget):
        whole = Span(node.head.word.span.start, len(asked.text.data))
        yield LoopsChange(KIND, _title(sizes), (edit(whole, made.text.strip()),))


def skewed_source(
    loops: SourceLoops, value: Transformation, at: tuple[int, int], budget: Budget
) -> Iterator[LoopsChange]:
    """A transform in a source with other loops in the place of those at these bytes."""
    language = nest_language_of(loops.path)
    assert language is not None, loops.path
    texts = {each.path: each.text for each in loops.sources}
    outline = language.front_end().outline(NestSource(loops.path, texts, loops.preset))
    of = next((each.of for each in outline.nests if each.name == loops.nest), None)
    if of is None:
        return
    specification = SourceLoops(loops.path, of, loops.sources, loops.preset)
    for sizes, made in _written(specification, value.transformed, None, budget):
        inside = made.text[made.text.index("{") + 1 : made.text.rindex("}")].strip()
        yield LoopsChange(KIND, _title(sizes), (Edit(InSource(loops.path, *at), inside),))


def _written(
    loops: DeclaredLoops | SourceLoops, transformed: Nest, name: str | None, budget: Budget
) -> Iterator[tuple[tuple[int, ...], WrittenTransform]]:
    sizes = tuple(each.step for each in loops_of(transformed.body) if each.step > 1)
    # Of one size for all loops more are tiled; several name those of the outermost.
    for tiles in (sizes[:1],) if len(set(sizes)) == 1 else (sizes, sizes[:1]):
        if tiles:
            schedule = f"skew; tile({', '.join(map(str, tiles))})"
            found = written_transform(TransformRequest(loops, schedule, name), budget)
            if isinstance(found, WrittenTransform):
                yield tiles, found


def _title(sizes: tuple[int, ...]) -> str:
    return f"Skew the loops so that they can be tiled by {', '.join(map(str, dict.fromkeys(sizes)))}"
