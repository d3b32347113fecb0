"""The relation found, stated: what is written is formatted, and is proved again, for the whole library."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rewright.checks.refinement import answer_all
from rewright.fixes.graphs.texts import members_of
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.rules.decision import Budget
from rewright.syntax.formatting import formatted
from rewright.syntax.nodes import Placed, RefineDecl
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict
from rewright.writing.stating import stating, unstated

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs"
BUDGET = Budget(steps=2_000_000, seconds=2.0)
FILES = ("steps", "mlp", "parallel", "expected", "related")


@cache
def declared(text: str) -> list[tuple[Placed, Declared]]:
    parsed = parse(Text.of("test.rw", text))
    return list(zip(parsed.file.declarations, check_file(parsed, lambda path: None).declarations, strict=True))


@pytest.mark.parametrize("file", FILES)
def test_what_is_stated_of_the_library_is_proved(file: str) -> None:
    text = (LIBRARY / f"{file}.rw").read_text(encoding="utf-8")
    seen = 0
    for placed, each in declared(text):
        members = members_of(each)
        if not members or each.expectations:
            continue
        assert isinstance(placed.node, RefineDecl)
        found = answer_all(members, BUDGET)
        missing = unstated(placed.node, dict(found.placed))
        assert found.verdict is Verdict.PROVED
        if not missing:
            continue
        made = stating(Text.of("", text).slice(placed.span), missing)
        assert made is not None and formatted(Text.of("", made)) == f"{made}\n"
        span = placed.span
        after = text.encode()[: span.start].decode() + made + text.encode()[span.end :].decode()
        again = next(new for other, new in declared(after) if other.start == placed.start)
        stated = members_of(again)
        assert len(stated[0].expected) == len(members[0].expected) + len(missing)
        assert answer_all(stated, BUDGET).verdict is Verdict.PROVED, made
        seen += 1
    assert seen or file != "steps"


@pytest.mark.parametrize(
    ("written", "made"),
    [
        ("refine a of b", "refine a of b {\n  expect y: replicate\n}"),
        ("refine a of b at tp = 2, 4\n", "refine a of b at tp = 2, 4 {\n  expect y: replicate\n}"),
        ("refine a of b {}", "refine a of b {\n  expect y: replicate\n}"),
        (
            "refine a of b {\n  x: shard(0, tp)  // rows\n}",
            "refine a of b {\n  x: shard(0, tp)  // rows\n  expect y: replicate\n}",
        ),
        (
            "refine a of b { x: shard(0, tp) }",
            "refine a of b { x: shard(0, tp)\n  expect y: replicate\n}",
        ),
        ("refine a of b {\n  x: shard(0, tp)", None),
    ],
)
def test_it_is_written_where_it_belongs(written: str, made: str | None) -> None:
    assert stating(written, {"y": "replicate"}) == made


def test_what_is_expected_already_is_not_stated_again() -> None:
    text = "refine a of b {\n  expect y: replicate\n  expect z = w\n}\n"
    ((placed, _),) = declared(text)
    assert isinstance(placed.node, RefineDecl)
    assert unstated(placed.node, {"y": "replicate", "z": "replicate", "v": "shard(0, tp)"}) == {"v": "shard(0, tp)"}
