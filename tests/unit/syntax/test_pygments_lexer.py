"""`rw` text in the colours of Pygments: nothing of it is lost, and every capture of the query has a token type."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pygments.token import Token
from tree_sitter_rewright import HIGHLIGHTS_QUERY
from tree_sitter_rewright.pygments_lexer import TOKENS, RewrightLexer

PAGES = sorted((Path(__file__).parents[3] / "docs").rglob("*.md"))
BLOCKS = [
    block for page in PAGES for block in re.findall(r"^```rw.*?\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)
]


def test_every_capture_has_a_token_type() -> None:
    assert {name for name in re.findall(r"@([\w.]+)", HIGHLIGHTS_QUERY) if "." in name or name in TOKENS} == set(TOKENS)


def test_words_names_and_numbers_are_distinguished() -> None:
    text = "rule r<T: num> {\n  where n == 1 // one\n}\n"
    found = {written: kind for _, kind, written in RewrightLexer().get_tokens_unprocessed(text)}
    assert found["rule"] is found["where"] is Token.Keyword
    assert (found["n"], found["1"], found["// one"]) == (Token.Name, Token.Literal.Number, Token.Comment.Single)


@pytest.mark.parametrize("text", [*BLOCKS, "", "rule é {\n  x =", "\0 }}} 1. \u0301", '"'])
def test_nothing_is_lost(text: str) -> None:
    places = 0
    for place, _, written in RewrightLexer().get_tokens_unprocessed(text):
        assert (place, bool(written)) == (places, True)
        places += len(written)
    assert places == len(text)
