"""Rewrites with reductions of XLA's simplifier, by the row of the census that tells of them.

That the rules named are proved, and those named as wrong refuted, is tested with the rest of the library.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from library_list import PROVED_RULES, WRONG, WRONG_RULES

RULES = Path(__file__).parents[3] / "rules"
CENSUS = re.compile(r"XLA census: (\w+) \((\w+(?: \w+(?:, \w+)*)?)[,:)]")
"""A source: the id of a row, and the handler or the rows that are generalised."""


@dataclass(frozen=True, slots=True)
class Row:
    """One table of the manifest."""

    handler: str
    says: str
    rule: str
    file: str
    also: list[str] = field(default_factory=list)
    wrong: str | None = None
    because: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def census() -> dict[str, Row]:
    tables = tomllib.loads((RULES / "xla" / "census.toml").read_text())
    return {key: Row(**table) for key, table in tables.items()}


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
        for row, handler in CENSUS.findall(above)
    ]
    assert len(dict(cited)) == len(cited), "a row is cited twice"
    return dict(cited)


def test_there_are_many_rows_and_each_says_something(census: dict[str, Row]) -> None:
    assert len(census) >= 45
    assert len({row.says for row in census.values()}) == len(census)
    assert all(row.says and all(row.because.values()) for row in census.values())


def test_each_row_is_one_rule_that_is_proved_and_no_rule_cites_another(census: dict[str, Row]) -> None:
    named = {key: (Path(row.file).stem, row.rule, row.handler) for key, row in census.items()}
    assert sources("xla") == named
    assert {row.rule for row in census.values()} <= set(PROVED_RULES)


def test_other_reducers_stand_in_the_same_file_and_are_proved(census: dict[str, Row]) -> None:
    for row in census.values():
        found = declarations(RULES / "xla" / row.file)
        for name in (row.rule, *row.also):
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
        assert {row.rule, *row.also} & set(named), name


def test_generalisations_are_of_rows_that_the_census_has() -> None:
    """Their ids are those of handlers, whether the rows themselves are stated or not."""
    for row, (_, _, handler) in sources("xla").items():
        assert row.startswith("G") == handler.startswith("generalises "), row
        if row.startswith("G"):
            assert all(re.fullmatch(r"[A-Z]{3}\d+[ab]?", each) for each in handler[12:].split(", ")), row
