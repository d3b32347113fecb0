"""Generated loops in our own syntax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from rewright.fixes.generating.statements import at_iterators, names_in, right_side
from rewright.loops.generation.written import (
    WrittenBody,
    WrittenGuard,
    WrittenLoop,
    WrittenName,
    WrittenStatement,
    put_in,
)
from rewright.model.index import Name
from rewright.model.nest import AffineExpression, ElementAccess, NestStatement
from rewright.model.nest_text import access_text, condition_text, expression_text
from rewright.syntax.formatting import formatted
from rewright.syntax.text import Text

WIDTH = 110
"""Characters of a line with several loops."""


class OwnStatements:
    """The statements of a nest, as they are written in their declaration and can be written at other iterators."""

    def __init__(
        self,
        written: Sequence[tuple[NestStatement, str, tuple[Name, ...]]],
        known: frozenset[str],
    ) -> None:
        """Takes each statement with its text and its iterators; `known` are the names that mean the same anywhere."""
        self._written = written
        self._known = known

    def text(self, at: WrittenStatement) -> str:
        """A statement, with its label."""
        statement, text, iterators = self._written[at.number]
        values = dict(zip(iterators, at.iterators, strict=True))
        if names_in(text) <= self._known | set(iterators):
            made = at_iterators(text, {name: expression_text(value) for name, value in values.items()})
        else:
            reads = [_accessed(each, values) for each in statement.reads]
            made = f"{_accessed(statement.write, values)} = {right_side(statement, reads)}"
        return f"{statement.label}: {made}" if statement.label else made


def _accessed(access: ElementAccess, values: Mapping[Name, AffineExpression]) -> str:
    subscripts = tuple(put_in(each, values) for each in access.subscripts)
    text = access_text(ElementAccess(access.array, subscripts, access.site))
    return text if access.array is not None else f"({text})"


def transform_text(name: str, of: str, body: WrittenBody, statements: OwnStatements) -> str:
    """The declaration of a transform, in the layout of our syntax."""
    lines = [f"transform {name} of {of} {{", *_lines(body, statements, 1), "}"]
    return formatted(Text.of("", "\n".join(lines) + "\n")).rstrip("\n")


def _lines(body: WrittenBody, statements: OwnStatements, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for item in body:
        match item:
            case WrittenStatement():
                yield indent + statements.text(item)
            case WrittenLoop():
                heads, inner = _heads(item, len(indent))
                word = "parallel for" if item.parallel is not None else "for"
                yield f"{indent}{word} {', '.join(heads)} {{"
                yield from _lines(inner, statements, depth + 1)
                yield f"{indent}}}"
            case WrittenGuard(condition=condition, then=then, otherwise=otherwise):
                yield f"{indent}if {condition_text(condition)} {{"
                yield from _lines(then, statements, depth + 1)
                if otherwise:
                    yield f"{indent}}} else {{"
                    yield from _lines(otherwise, statements, depth + 1)
                yield f"{indent}}}"
            case WrittenName(name=name, value=value):
                yield f"{indent}let {name} = {expression_text(value)}"
            case _:
                assert_never(item)


def _heads(loop: WrittenLoop, indent: int) -> tuple[list[str], WrittenBody]:
    """The loops that stand directly in one another, as many as fit on a line, and the body of the last."""
    heads, current = [_head(loop)], loop
    while len(current.body) == 1 and isinstance(inner := current.body[0], WrittenLoop):
        if current.parallel is not None or inner.parallel is not None:
            break
        if indent + sum(len(each) + 2 for each in (*heads, _head(inner))) > WIDTH:
            break
        heads.append(_head(inner))
        current = inner
    return heads, current.body


def _head(loop: WrittenLoop) -> str:
    step = f" step {loop.step}" if loop.step != 1 else ""
    return f"{loop.iterator} in {expression_text(loop.low)}..{expression_text(loop.high)}{step}"
