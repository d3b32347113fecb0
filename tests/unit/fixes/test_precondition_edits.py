"""Edits that add a precondition or fill holes: where the text goes, and in which style."""

from __future__ import annotations

import pytest

from rewright.fixes.edited import edited
from rewright.fixes.preconditions.edits import RuleText, edits, has_holes, title
from rewright.fixes.preconditions.question import RuleFix
from rewright.model.file import check_file
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

FOUND = RuleFix(("n <= 1", "n >= 0"), 41, 96)
HEAD = "rule r<T: any> {\n\taxes A\n\tmap n on A\n\ttensor X: T[A: n]\n\treverse(X, A) => X"


def fixed(source: str, fix: RuleFix = FOUND) -> str:
    """The source with the fix applied to its first rule."""
    parsed = parse(Text.of("r.rw", source))
    declared, placed = check_file(parsed, lambda path: None).declarations[0], parsed.file.declarations[0]
    return edited({"r.rw": source}, edits(RuleText(parsed.text, placed, declared), fix))["r.rw"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{HEAD}\n}}\n", f"{HEAD}\n\n\twhere n <= 1, n >= 0\n}}\n"),
        (f"{HEAD}  // why\n\n}}\n", f"{HEAD}  // why\n\n\twhere n <= 1, n >= 0\n\n}}\n"),
        (f"{HEAD}\n\twhere (n == 1 or n == 2)\n}}\n", f"{HEAD}\n\twhere (n == 1 or n == 2), n <= 1, n >= 0\n}}\n"),
        (f"{HEAD}\n\twhere n > 1 // why\n}}\n", f"{HEAD}\n\twhere n > 1, n <= 1, n >= 0 // why\n}}\n"),
        (f"{HEAD}\n\twhere n > 1, ?\n}}\n", f"{HEAD}\n\twhere n > 1, n <= 1, n >= 0\n}}\n"),
        (f"{HEAD}\n}}\n".replace("\n", "\r\n"), f"{HEAD}\n\n\twhere n <= 1, n >= 0\n}}\n".replace("\n", "\r\n")),
        (
            "rule r<T: any> { axes A; map n on A; tensor X: T[A: n]; reverse(X, A) => X }\n",
            "rule r<T: any> { axes A; map n on A; tensor X: T[A: n]; reverse(X, A) => X; where n <= 1, n >= 0 }\n",
        ),
        (f"/// Größe\n{HEAD}\n}}\n", f"/// Größe\n{HEAD}\n\n\twhere n <= 1, n >= 0\n}}\n"),
    ],
)
def test_a_precondition_is_added_in_the_style_of_the_file(before: str, after: str) -> None:
    assert fixed(before) == after


@pytest.mark.parametrize(
    ("right", "filled"),
    [
        ("slice(X, ?)", "slice(X, n + 1)"),
        ("slice(X, start = ?, limit = n)", "slice(X, start = n + 1, limit = n)"),
        ("slice(X, 2 * ?)", "slice(X, 2 * (n + 1))"),
    ],
)
def test_a_hole_is_replaced(right: str, filled: str) -> None:
    source = f"{HEAD}\n}}\n".replace("=> X", f"=> {right}")
    assert fixed(source, RuleFix(("n + 1",), 0, 0)) == source.replace(right, filled)


@pytest.mark.parametrize(
    ("where", "expected"),
    [("where ?", True), ("where n == 1, ?", True), ("where not ?", False), ("where ?, ?", False), ("", False)],
)
def test_which_holes_can_be_filled(where: str, expected: bool) -> None:
    parsed = parse(Text.of("r.rw", f"{HEAD}\n\t{where}\n}}\n"))
    declared = check_file(parsed, lambda path: None).declarations[0]
    assert has_holes(RuleText(parsed.text, parsed.file.declarations[0], declared)) is expected


def test_titles() -> None:
    assert title(FOUND) == "Add `where n <= 1, n >= 0` (keeps 41 of 96 small inputs)"
    assert title(RuleFix(("a + b", "c"), 0, 0)) == "Fill in `a + b`, `c`"
