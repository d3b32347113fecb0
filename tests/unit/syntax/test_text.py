"""Byte offsets against an editor's positions."""

from __future__ import annotations

import pytest

from rewright.syntax.text import Position, PositionEncoding, Span, Text


def of(text: str) -> Text:
    return Text.of("file:///a.rw", text)


@pytest.mark.parametrize(
    ("text", "offset", "line", "character"),
    [
        ("", 0, 0, 0),
        ("ab\ncd", 3, 1, 0),
        ("ab\r\ncd", 4, 1, 0),
        ("ab\rcd", 3, 1, 0),
        ("a\n\r\n\rb", 5, 3, 0),
        ("é = 1", 3, 0, 2),
        ("𝔸 = 1", 5, 0, 3),
        ("e\u0301x", 3, 0, 2),
        ("a\u2028b", 4, 0, 2),
    ],
)
def test_positions_count_lines_and_utf16_units(text: str, offset: int, line: int, character: int) -> None:
    assert of(text).position(offset) == Position(line, character)
    assert of(text).offset(Position(line, character)) == offset


def test_an_offset_inside_a_line_end_means_the_end_of_the_line() -> None:
    assert of("ab\r\ncd").position(3) == Position(0, 2)


def test_an_offset_inside_a_character_means_its_start() -> None:
    assert of("a𝔸b").position(3) == Position(0, 1)


def test_positions_outside_the_text_are_brought_back() -> None:
    text = of("ab\ncd\n")
    assert text.offset(Position(0, 99)) == 2
    assert text.offset(Position(9, 0)) == 6
    assert text.offset(Position(-1, 5)) == 0
    assert text.offset(Position(1, -1)) == 3
    assert text.position(99) == Position(2, 0)


def test_half_of_a_surrogate_pair_is_no_character() -> None:
    assert of("a𝔸b").offset(Position(0, 2)) == 1


@pytest.mark.parametrize(
    ("encoding", "character"), [(PositionEncoding.UTF8, 4), (PositionEncoding.UTF16, 2), (PositionEncoding.UTF32, 1)]
)
def test_columns_in_the_units_of_the_client(encoding: PositionEncoding, character: int) -> None:
    text = of("𝔸b")
    assert text.position(4, encoding) == Position(0, character)
    assert text.offset(Position(0, character), encoding) == 4


def test_a_lone_surrogate_keeps_the_columns() -> None:
    text = of("\ud800b")
    assert text.text == "\ufffdb"
    assert text.position(3) == Position(0, 1)


def test_bytes_that_are_no_utf8_become_text() -> None:
    assert Text.of_bytes("u", b"a\xffb").text == "a\ufffdb"
    assert Text.of_bytes("u", b"\xef\xbb\xbfab").text == "ab"


def test_digest_and_slices() -> None:
    text = of("rule é")
    assert text.slice(Span(5, 7)) == "é"
    assert text.digest == of("rule é").digest != of("rule e").digest
    assert of("a\r\nb").line(0) == "a"
