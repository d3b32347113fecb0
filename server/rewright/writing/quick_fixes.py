"""What mends a declaration that is wrong in a name or a word: another name, or the declaration that is missing.

Invariant: what is offered was checked: with it the finding is gone, and the declaration has fewer errors. Must not know
how fixes are shown, nor what is proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from typing import Final

from msgspec import Struct

from rewright.model.check_kernel.calls import KNOWN
from rewright.model.declared import Declared, SymbolKind
from rewright.model.operator_table import OPERATOR_NAMES, operator_named
from rewright.model.types import CONCRETE, CONSTRAINTS
from rewright.syntax import nodes
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, Severity, Site
from rewright.verdict.diagnostics.names import (
    GroupWithoutRole,
    NoRewrite,
    UnknownAttribute,
    UnknownElementType,
    UnknownName,
    UnknownOperator,
    UnknownOperatorAttribute,
)
from rewright.verdict.diagnostics.syntax import SomethingMissing, UnexpectedText
from rewright.writing.alone import WORD, Change, changed, checked
from rewright.writing.words import ATTRIBUTES

MOST_TRIED: Final = 24
"""Changes that are tried for one finding: each takes a check of the declaration, about a millisecond."""

MOST_OFFERED: Final = 5

LONGEST: Final = 8 << 10
"""Bytes of the longest declaration that is mended: each try reads and checks it again."""

_ARROWS: Final = re.compile(rb'//[^\r\n]*|"(?:[^"\\\r\n]|\\[^\r\n])*"?|==?>?|<?->|<=+>|:=|~>')


class QuickFix(Struct, frozen=True):
    """A titled change of a file, which was checked; `sure` if it is the only one that is likely meant."""

    title: str
    changes: tuple[Change, ...]
    sure: bool


def quick_fixes(text: Text, placed: Placed, declared: Declared, finding: Finding) -> list[QuickFix]:
    """What mends a finding of a declaration, the likeliest first."""
    data = text.data[placed.start : placed.span.end]
    before = checked(data) if len(data) <= LONGEST else None
    if before is None or not isinstance(finding.place, Site):
        return []
    site = declared.sites[finding.place.number]
    tried = islice(_candidates(data, placed, declared, (finding, site)), MOST_TRIED)
    found = (
        QuickFix(title, tuple((span.shifted(placed.start), new) for span, new in changes), sure)
        for title, changes, sure in tried
        if _helps(before, checked(changed(data, changes)), finding)
    )
    return list(islice(found, MOST_OFFERED))


def _candidates(
    data: bytes, placed: Placed, declared: Declared, at: tuple[Finding, Span]
) -> Iterator[tuple[str, list[Change], bool]]:
    finding, site = at
    match finding.diagnosis:
        case UnknownName(what="declaration"):
            return
        case UnknownName(name=name, what=what):
            names = [symbol.name for symbol in declared.symbols]
            types = CONCRETE if what == "element type" else ()
            yield from _others(data, name, (*names, *types))
            yield from _declaring(data, placed, declared, name)
        case UnknownOperator(name=name):
            functions = (symbol.name for symbol in declared.symbols if symbol.kind is SymbolKind.FUNCTION)
            known = KNOWN if isinstance(placed.node, nodes.KernelDecl) else OPERATOR_NAMES
            yield from _others(data, name, (*functions, *sorted(known)))
        case UnknownOperatorAttribute(operator=operator, attribute=attribute):
            row = operator_named(operator)
            accepted = [each.name for each in row.attributes] if row is not None else []
            yield from _in_place(site, attribute, (*accepted, "contract", "batch", "feature", "output", "init"))
        case UnknownAttribute(attribute=attribute):
            for name in _near(attribute, ATTRIBUTES):
                yield f"Change to `@{name}`", _renamed(data[: site.end], attribute, name), True
        case UnknownElementType(name=name):
            yield from _others(data, name, (*CONCRETE, *CONSTRAINTS))
        case GroupWithoutRole(given=given):
            yield from _roles(data, site, given)
        case NoRewrite() | SomethingMissing() | UnexpectedText() if isinstance(placed.node, nodes.RuleDecl):
            yield from _arrows(data)
        case _:
            return


def _near(name: str, known: Iterable[str]) -> list[str]:
    """The names that are spelled most alike, those first that differ in case only."""
    names = list(dict.fromkeys(known))
    same = [each for each in names if each.lower() == name.lower() and each != name]
    return list(dict.fromkeys((*same, *get_close_matches(name, names, n=3))))


def _others(data: bytes, name: str, known: Iterable[str]) -> Iterator[tuple[str, list[Change], bool]]:
    near = _near(name, known)
    for at, other in enumerate(near):
        yield f"Change `{name}` to `{other}`", _renamed(data, name, other), at == 0


def _in_place(site: Span, name: str, known: Iterable[str]) -> Iterator[tuple[str, list[Change], bool]]:
    for at, other in enumerate(_near(name, known)):
        yield f"Change `{name}` to `{other}`", [(Span(site.start, site.start + len(name.encode())), other)], at == 0


def _renamed(data: bytes, name: str, other: str) -> list[Change]:
    spans = (Span(*match.span()) for match in WORD.finditer(data) if match[0] == name.encode())
    return [(span, other) for span in spans]


def _declaring(data: bytes, placed: Placed, declared: Declared, name: str) -> Iterator[tuple[str, list[Change], bool]]:
    """The declarations that the name may lack, on a line of its own before the first item that needs it."""
    node = placed.node
    if not isinstance(node, nodes.RuleDecl) or not node.items:
        return
    declaring = (nodes.Axes, nodes.AxisItem, nodes.MapItem, nodes.IntItem, nodes.ScalarItem)
    early = [item.span for item in node.items if isinstance(item, nodes.Axes | nodes.AxisItem)]
    late = [item.span for item in node.items if isinstance(item, declaring)]
    first = node.items[0].span.start
    groups = [symbol.name for symbol in declared.symbols if symbol.kind in (SymbolKind.GROUP, SymbolKind.AXIS)]
    types = [parameter.name.text for parameter in node.type_parameters]
    for word in ("axes", "axis"):
        yield f"Declare `{word} {name}`", [_line(data, early, first, f"{word} {name}")], word == "axes"
    for group in groups:
        item = f"map {name} on {group}"
        yield f"Declare `{item}`", [_line(data, late, first, item)], len(groups) == 1
    yield f"Declare `int {name}`", [_line(data, late, first, f"int {name}")], False
    for type_ in types:
        item = f"scalar {name}: {type_}"
        yield f"Declare `{item}`", [_line(data, late, first, item)], False
    if not types and node.head.name is not None and not data[node.head.name.span.end :].startswith(b"<"):
        at = node.head.name.span.end
        for constraint in ("any", "num"):
            yield f"Declare `{name}: {constraint}`", [(Span(at, at), f"<{name}: {constraint}>")], constraint == "any"


def _line(data: bytes, after: list[Span], first: int, item: str) -> Change:
    """An item on a line of its own: after the last of some, else before the first of all."""
    line_end = "\r\n" if b"\r\n" in data else "\n"
    if after:
        end = max(span.end for span in after)
        indented = b"\n" in data[:end]
        return Span(end, end), f"{line_end}  {item}" if indented else f"; {item}"
    return Span(first, first), f"{item}{line_end}  " if b"\n" in data[:first] else f"{item}; "


def _roles(data: bytes, operand: Span, given: str) -> Iterator[tuple[str, list[Change], bool]]:
    """The roles that a group of an operand can be given at the end of its call."""
    depth = 0
    for at in range(operand.end, len(data)):
        depth += (data[at : at + 1] in b"([") - (data[at : at + 1] in b")]")
        if depth < 0:
            for role in re.findall(r"`([^`]+)`", given):
                yield f"Add `{role}`", [(Span(at, at), f", {role}")], False
            return


def _arrows(data: bytes) -> Iterator[tuple[str, list[Change], bool]]:
    """What was written for the arrow of a rewrite."""
    for match in _ARROWS.finditer(data):
        if match[0][:1] not in (b"/", b'"') and match[0] not in (b"=>", b"<=>"):
            arrow = "<=>" if match[0][:1] == b"<" else "=>"
            yield f"Write `{arrow}` for `{match[0].decode()}`", [(Span(*match.span()), arrow)], True


def _helps(before: Declared, after: Declared | None, finding: Finding) -> bool:
    if after is None or any(each.diagnosis == finding.diagnosis for each in after.findings):
        return False
    return _errors(after) < _errors(before)


def _errors(declared: Declared) -> int:
    return sum(each.severity is Severity.ERROR for each in declared.findings)
