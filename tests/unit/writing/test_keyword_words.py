"""Words of the language, where they stand and what they mean."""

from __future__ import annotations

import pytest

from rewright.writing.words import explained, word_around


@pytest.mark.parametrize(
    ("text", "at", "word"),
    [
        ("rule ä {\n  axes Ö // where\n}", "axes", "axes"),
        ("rule ä {\n  axes Ö // where\n}", "Ö", "Ö"),
        ("rule ä {\n  axes Ö // where\n}", "where", ""),
        ('import "rule"', "rule", ""),
        ("  where", "  ", ""),
    ],
)
def test_a_word_is_found_by_an_offset_of_its_bytes(text: str, at: str, word: str) -> None:
    data = text.encode()
    assert word_around(data, data.index(at.encode()) + 1) == word


def test_a_word_means_what_it_does_in_its_declaration() -> None:
    assert explained("assume", "rule") != explained("assume", "kernel")
    assert explained("unheard", "rule") is None
