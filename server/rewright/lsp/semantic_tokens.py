"""Words of a file as semantic tokens: what the grammar says of each, made precise by what a name stands for.

Invariant: tokens are in order and on one line each, encoded as the protocol wants them: each relative to the one
before. Must not know which part of a file an editor shows.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.client import Client
from rewright.lsp.positions import position_of
from rewright.model.declared import SymbolKind
from rewright.model.file import FileModel
from rewright.syntax import Parsed, tokens
from rewright.syntax.text import Span

CAPTURES = {
    "attribute": "decorator",
    "comment": "comment",
    "comment.documentation": "comment",
    "function": "function",
    "function.definition": "function",
    "keyword": "keyword",
    "keyword.control": "keyword",
    "keyword.modifier": "keyword",
    "keyword.operator": "keyword",
    "namespace": "namespace",
    "number": "number",
    "operator": "operator",
    "property": "property",
    "string": "string",
    "type": "type",
    "type.parameter": "typeParameter",
    "variable": "variable",
    "variable.parameter": "parameter",
}
"""The token type of each capture of the highlight query; brackets and delimiters are left to the editor."""

KINDS = {
    SymbolKind.DECLARATION: "function",
    SymbolKind.TYPE: "typeParameter",
    SymbolKind.GROUP: "namespace",
    SymbolKind.AXIS: "namespace",
    SymbolKind.MAP: "parameter",
    SymbolKind.INTEGER: "parameter",
    SymbolKind.SCALAR: "parameter",
    SymbolKind.TENSOR: "variable",
    SymbolKind.FUNCTION: "function",
    SymbolKind.MONOID: "function",
    SymbolKind.LET: "variable",
    SymbolKind.BOUND: "variable",
    SymbolKind.SIZE: "typeParameter",
    SymbolKind.PARAMETER: "parameter",
    SymbolKind.VARIABLE: "variable",
    SymbolKind.SHARED: "variable",
}
"""The token type of each kind of name; indices (maps, integers) and tensors look different."""

DEFINED = "declaration"
CONSTANT = "readonly"
READONLY = frozenset({SymbolKind.LET, SymbolKind.BOUND})

TYPES = tuple(dict.fromkeys([*CAPTURES.values(), *KINDS.values()]))
MODIFIERS = (DEFINED, CONSTANT)
LEGEND = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))

Look = tuple[int, int]
"""The number of a token type, and a set of modifiers as bits."""


def encoded(parsed: Parsed, model: FileModel, within: Span, client: Client) -> list[int]:
    """The tokens of the declarations that touch a span, as the protocol's numbers."""
    names = dict(_names(parsed, model, within))
    data: list[int] = []
    line, character = 0, 0
    for span, capture in _captures(parsed, within):
        look = names.get(span) or _look(capture)
        if look is None:
            continue
        start = position_of(parsed.text, span.start, client.encoding)
        end = position_of(parsed.text, span.end, client.encoding)
        same = start.line == line
        data += (start.line - line, start.character - character * same, end.character - start.character, *look)
        line, character = start.line, start.character
    return data


def _captures(parsed: Parsed, within: Span) -> Iterator[tuple[Span, str]]:
    for start, piece in tokens(parsed):
        if piece and start <= within.end and within.start <= start + piece[-1].span.end:
            yield from ((token.span.shifted(start), token.capture) for token in piece)


def _look(capture: str) -> Look | None:
    kind = CAPTURES.get(capture)
    return None if kind is None else (TYPES.index(kind), 0)


def _names(parsed: Parsed, model: FileModel, within: Span) -> Iterator[tuple[Span, Look]]:
    for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
        if placed.span.end < within.start or within.end < placed.span.start:
            continue
        for symbol in declared.symbols:
            kind = TYPES.index(KINDS[symbol.kind])
            constant = MODIFIERS.index(CONSTANT) + 1 if symbol.kind in READONLY else 0
            yield placed.absolute(symbol.definition), (kind, 1 << MODIFIERS.index(DEFINED) | constant)
            for use in symbol.uses:
                yield placed.absolute(use), (kind, constant)
