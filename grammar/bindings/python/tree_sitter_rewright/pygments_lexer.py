"""`rw` text in colour for Pygments, and so for the pages of the documentation.

Owns which of Pygments' token types each capture of `queries/highlights.scm` has. What is highlighted, and how, is said
there and in the grammar; this module has no list of words of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, _TokenType
from tree_sitter import Language, Parser, Query, QueryCursor

import tree_sitter_rewright

TOKENS: dict[str, _TokenType] = {
    "attribute": Name.Decorator,
    "comment": Comment.Single,
    "comment.documentation": String.Doc,
    "constant.builtin": Name.Constant,
    "function": Name.Function,
    "function.definition": Name.Class,
    "keyword": Keyword,
    "keyword.control": Keyword,
    "keyword.modifier": Keyword,
    "keyword.operator": Operator.Word,
    "label": Name.Label,
    "namespace": Name.Namespace,
    "number": Number,
    "operator": Operator,
    "property": Name.Attribute,
    "punctuation.bracket": Punctuation,
    "punctuation.delimiter": Punctuation,
    "string": String,
    "type": Keyword.Type,
    "type.parameter": Keyword.Type,
    "variable": Name,
    "variable.parameter": Name.Variable,
}


class RewrightLexer(Lexer):  # type: ignore[misc]  # Pygments has no types
    """Splits Rewright's language into the tokens of Pygments. The characters of all tokens together are the text."""

    name = "Rewright"
    aliases = ("rw", "rewright")
    filenames = ("*.rw",)

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Each token with the place of its first character."""
        place = 0
        for kind, written in _pieces(text.encode()):
            yield place, kind, written
            place += len(written)


def _pieces(source: bytes) -> Iterator[tuple[_TokenType, str]]:
    """The whole text, piece by piece: what the query captures, and what is between."""
    shown = 0
    for start, end, kind in _captured(source):
        if start >= shown:
            if start > shown:
                yield Text, source[shown:start].decode()
            yield kind, source[start:end].decode()
            shown = end
    if shown < len(source):
        yield Text, source[shown:].decode()


def _captured(source: bytes) -> list[tuple[int, int, _TokenType]]:
    """Start and end, in bytes, and token type of each node that the query captures; a later pattern wins."""
    language = Language(tree_sitter_rewright.language())
    query = Query(language, tree_sitter_rewright.HIGHLIGHTS_QUERY)
    matches = QueryCursor(query).matches(Parser(language).parse(source).root_node)
    found: dict[int, tuple[int, int, _TokenType]] = {}
    for _, captures in sorted(matches, key=lambda match: match[0]):
        for name, nodes in captures.items():
            found |= {node.start_byte: (node.start_byte, node.end_byte, TOKENS[name]) for node in nodes}
    return sorted(found.values(), key=lambda each: each[0])
