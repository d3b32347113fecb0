"""The kinds of words that a client is told of once, and by which number each is meant in semantic tokens."""

from __future__ import annotations

from lsprotocol import types

from rewright.model.declared import SymbolKind

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
