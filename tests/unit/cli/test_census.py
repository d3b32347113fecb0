"""Rewrites of XLA's simplifier, all of a census: the rule of each, or why there is none, and the page that says so.

That the rules named are proved, and those named as wrong refuted, is tested with the rest of the library.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from census_table import REASONS, RULES, Row, coverage_page, of_the_pass, read_census
from library_list import PROVED_RULES, WRONG, WRONG_RULES

PAGE = RULES.parent / "docs" / "xla-coverage.md"
CENSUS = re.compile(r"XLA census: (\w+(?:, \w+)*) \((\w+(?: \w+(?:, \w+)*)?)[,:)]")
"""A source: the ids of rows, and the handler or the rows that are generalised."""

ROWS = {
    **{"ABS": 1, "ADD": 12, "AND": 5, "BCV": 5, "BIT": 5, "BRO": 13, "CAT": 7, "CLP": 2, "CMP": 23, "CND": 1, "CNV": 8},
    **{"COL": 4, "CON": 4, "CPX": 5, "CPY": 8, "CUS": 2, "CVT": 6, "DIV": 14, "DOT": 13, "DSL": 10, "DUS": 5, "EXP": 1},
    **{"GAT": 6, "IOT": 1, "LOG": 4, "MAP": 3, "MAX": 9, "MIN": 7, "MUL": 15, "NEG": 1, "NOT": 1, "OBR": 1, "OR": 4},
    **{"PAD": 5, "POW": 7, "RED": 18, "REM": 5, "REV": 5, "RPR": 1, "RSH": 12, "RSQ": 2, "RWI": 9, "SCA": 2, "SEL": 12},
    **{"SLI": 16, "SOR": 2, "SQR": 2, "SUB": 6, "TRA": 11, "TUP": 1, "XOR": 3},
}
"""How many rows a handler has, by its short name."""
TWICE = {"DOT3": ("DOT3a", "DOT3b"), "DOT9": ("DOT9a", "DOT9b"), "LOG2": ("LOG2a", "LOG2b")}

STATED = 261
SAME = 30
"""How many rows at least are stated, and how many of these at most are the same expression on both sides."""


@pytest.fixture(scope="module")
def census() -> dict[str, Row]:
    return read_census()


def declarations(file: Path) -> dict[str, str]:
    """What stands above each rule of a file, by the rule's name."""
    parts = re.split(r"^rule (\w+)", file.read_text(), flags=re.MULTILINE)
    return {name: above.rsplit("\n\n", 1)[-1] for above, name in zip(parts[::2], parts[1::2], strict=False)}


def sources(folder: str) -> dict[str, tuple[str, str, str]]:
    """By the id of a row: the file, the rule that cites it, and the handler that it names."""
    cited = [
        (row, (file.stem, name, handler))
        for file in sorted((RULES / folder).glob("*.rw"))
        for name, above in declarations(file).items()
        for rows, handler in CENSUS.findall(above)
        for row in rows.split(", ")
    ]
    assert len(dict(cited)) == len(cited), "a row is cited twice"
    return dict(cited)


def test_all_rows_of_the_census_are_there(census: dict[str, Row]) -> None:
    counted = [f"{name}{number}" for name, count in ROWS.items() for number in range(1, count + 1)]
    ids = [row for key in counted for row in TWICE.get(key, (key,))]
    assert len(ids) == 328
    assert sorted(of_the_pass(census)) == sorted(ids)


def test_each_row_says_something_and_is_stated_or_says_why_not(census: dict[str, Row]) -> None:
    assert len({row.says for row in census.values()}) == len(census)
    assert all(row.says and all(row.because.values()) for row in census.values())
    for key, row in census.items():
        assert (row.rule is None) == (row.file is None) == (not row.verdicts) == (row.not_yet is not None), key
        assert row.rules or not (row.same or row.wrong), key
    assert {row.not_yet for row in census.values()} - {None} <= set(REASONS)


def test_most_rows_are_stated(census: dict[str, Row]) -> None:
    stated = [row for row in of_the_pass(census).values() if row.rules]
    assert len(stated) >= STATED
    assert sum(row.same for row in stated) <= SAME


def test_each_row_is_one_rule_that_is_proved_and_no_rule_cites_another(census: dict[str, Row]) -> None:
    named = {key: (Path(str(row.file)).stem, row.rule, row.handler) for key, row in census.items() if row.rules}
    assert sources("xla") == named
    assert {row.rule for row in census.values() if row.rules} <= set(PROVED_RULES)


def test_other_reducers_stand_in_the_same_file_and_are_proved(census: dict[str, Row]) -> None:
    for row in census.values():
        found = declarations(RULES / "xla" / row.file) if row.file else {}
        for name in row.rules:
            assert name in PROVED_RULES
            assert "@expect" not in found[name]


def test_what_the_pass_does_wrong_is_refuted_and_its_story_names_what_is_right(census: dict[str, Row]) -> None:
    wrong = {key: row for key, row in census.items() if row.wrong}
    cited = {key: (f"{stem}/{name}", handler) for key, (stem, name, handler) in sources("known-wrong").items()}
    assert cited == {key: (row.wrong, row.handler) for key, row in wrong.items()}
    assert len(wrong) >= 10
    for row in wrong.values():
        stem, name = str(row.wrong).split("/")
        story = declarations(RULES / "known-wrong" / f"{stem}.rw")[name].replace("\n///", "")
        assert name in WRONG[stem]
        assert name in WRONG_RULES
        named = re.findall(r"`(\w+)`", story)
        assert set(row.rules) & set(named), name


def test_generalisations_are_of_rows_that_the_census_has(census: dict[str, Row]) -> None:
    """Their ids are those of handlers, whether the rows themselves are stated or not."""
    for row, (_, _, handler) in sources("xla").items():
        assert (row not in of_the_pass(census)) == handler.startswith("generalises "), row
        if handler.startswith("generalises "):
            assert set(handler[12:].split(", ")) <= set(of_the_pass(census)), row


def test_the_page_is_that_of_the_table(census: dict[str, Row]) -> None:
    if os.environ.get("REWRIGHT_UPDATE"):
        PAGE.write_text(coverage_page(census), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == coverage_page(census)
