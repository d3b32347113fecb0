"""Texts in C as tests read them: the regions, what a region comes to in our own syntax, and what is refused where."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from rewright.frontends.c.reading import outline, read
from rewright.frontends.nests import NestRequest, NestSource, ReadNest
from rewright.frontends.preset import NO_PRESET
from rewright.model.index import Name
from rewright.model.nest import Nest, NestGuard, NestItem, NestLoop, NestStatement
from rewright.model.nest_text import access_text, condition_text, expression_text
from rewright.report import codes
from rewright.verdict import Finding, InSource


def source(text: str) -> NestSource:
    """A text that includes nothing that is there."""
    return NestSource("a.c", {"a.c": textwrap.dedent(text)}, NO_PRESET)


def reading(text: str, entry: str = "f", specification: Nest | None = None) -> ReadNest:
    """A region of a text."""
    found = read(source(text), entry, NestRequest(Name(entry), specification), lambda place: place.start)
    assert found is not None, entry
    return found


def nest(text: str, entry: str = "f", specification: Nest | None = None) -> Nest:
    """A region of a text that is taken."""
    found = reading(text, entry, specification)
    assert found.nest is not None, said(text, found.findings)
    return found.nest


def said(text: str, findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    """Each finding with the text that it is about."""
    data = textwrap.dedent(text).encode()
    found = []
    for each in findings:
        assert isinstance(each.place, InSource)
        found.append(
            (codes.message(each).removeprefix("not decided: "), data[each.place.start : each.place.end].decode())
        )
    return found


def outside(text: str) -> list[tuple[str, str]]:
    """What is said of the pragmas of a text."""
    return said(text, outline(source(text)).findings)


def lines(items: tuple[NestItem, ...], indent: str = "") -> Iterator[str]:
    """The items as our own syntax has them; of a statement what it writes, its signature and what it reads."""
    for item in items:
        match item:
            case NestLoop(iterator=iterator, low=low, high=high, step=step):
                by = "" if step == 1 else f" step {step}"
                yield f"{indent}for {iterator} in {expression_text(low)}..{expression_text(high)}{by}"
                yield from lines(item.body, f"{indent}  ")
            case NestGuard(condition=condition, then=then, otherwise=otherwise):
                yield f"{indent}if {condition_text(condition)}"
                yield from lines(then, f"{indent}  ")
                if otherwise:
                    yield f"{indent}else"
                    yield from lines(otherwise, f"{indent}  ")
            case NestStatement(label=label, write=write, reads=reads, signature=signature):
                named = f"{label}: " if label else ""
                read = ", ".join(map(access_text, reads))
                yield f"{indent}{named}{access_text(write)} = {signature} of {read}".rstrip()


def body(text: str, entry: str = "f", specification: Nest | None = None) -> str:
    """A region of a text that is taken, line by line."""
    return "\n".join(lines(nest(text, entry, specification).body))
