"""Each rewrite of the catalogue is a rule of the library; what it states otherwise has a reason.

Run with `-s`, the differences are printed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from catalogue_differences import IN_PLACE, Rewrite, Stated, differences, in_place, stated_rules

LIBRARY = Path(__file__).parents[3] / "rules" / "xla"

NUMBERS: dict[str, Iterable[int | str]] = {
    "add": range(1, 5),
    "broadcast": range(1, 9),
    "clamp": range(1, 4),
    "compare": range(1, 7),
    "concat": range(1, 8),
    "conv": (0, 1, "02", 3),
    "divmod": range(1, 9),
    "dot": range(1, 7),
    "dyslice": range(1, 7),
    "dyupslice": range(1, 5),
    "generalize": range(1, 2),
    "iota": range(1, 2),
    "logical": range(1, 12),
    "max": range(1, 3),
    "mul": range(1, 11),
    "not": range(1, 3),
    "pad": range(1, 5),
    "reduce": range(1, 9),
    "relabel": range(1, 3),
    "reverse": range(1, 5),
    "select": range(1, 5),
    "slice": range(1, 14),
    "sub": range(3),
}
IDS = [f"{family}/{number}" for family, numbers in NUMBERS.items() for number in numbers]


@pytest.fixture(scope="module")
def catalogue() -> dict[str, Rewrite]:
    return {key: Rewrite(**table) for key, table in tomllib.loads((LIBRARY / "catalogue.toml").read_text()).items()}


@pytest.fixture(scope="module")
def library() -> dict[tuple[str, str], Stated]:
    files = sorted(LIBRARY.glob("*.rw"))
    return {(file.name, each.rule.name): each for file in files for each in stated_rules(file.read_text())}


def unexplained(rewrite: Rewrite, stated: Stated) -> set[str]:
    """Differences without a reason, reasons without a difference, what is not in place though told so, unused names."""
    found = set(differences(rewrite, stated))
    wrong = {
        key for key, reason in rewrite.because.items() if reason.startswith(IN_PLACE) != in_place(rewrite, stated, key)
    }
    unused = {name for name in rewrite.names if not any(re.search(rf"\b{name}\b", each) for each in rewrite.where)}
    return (found ^ set(rewrite.because)) | wrong | unused


def text_of(rewrite: Rewrite) -> str:
    """The declaration of its rule, without what stands above it."""
    text = (LIBRARY / rewrite.file).read_text()
    start = text.index(f"rule {rewrite.rule}<" if f"rule {rewrite.rule}<" in text else f"rule {rewrite.rule} ")
    return text[start : text.index("\n}\n", start) + 3]


def test_every_rewrite_is_one_rule_and_no_rule_is_two(
    catalogue: dict[str, Rewrite], library: dict[tuple[str, str], Stated]
) -> None:
    assert len(IDS) == 121
    assert sorted(catalogue) == sorted(IDS)
    named = {key: (rewrite.file, rewrite.rule) for key, rewrite in catalogue.items()}
    said = [
        (stated.source.removeprefix("TensorRight: ").split(";")[0], place)
        for place, stated in library.items()
        if stated.source.startswith("TensorRight: ")
    ]
    assert sorted(said) == sorted(named.items())


def test_every_difference_has_a_reason_and_every_reason_a_difference(
    catalogue: dict[str, Rewrite], library: dict[tuple[str, str], Stated]
) -> None:
    wrong = {}
    for key, rewrite in catalogue.items():
        stated = library[rewrite.file, rewrite.rule]
        for each in differences(rewrite, stated):
            print(f"{key:13} {each}  -- {rewrite.because.get(each, 'no reason')}")
        wrong[key] = unexplained(rewrite, stated)
    assert not {key: found for key, found in wrong.items() if found}


@pytest.mark.parametrize(
    ("key", "said", "instead", "missed"),
    [
        ("slice/5", "<T: any>", "<T: num>", "types"),
        ("slice/5", "axes A", "axes A+", "class R"),
        ("iota/1", "axis d", "axes C ~ D\n  axis d", "class C"),
        ("broadcast/3", "axes I ~ J", "axes I ~ J ~ K", "class R"),
        ("slice/10", "where d_limit <= first", "", "R: e <= a"),
        ("slice/10", "d_limit <= first", "d_limit < first", "R: e <= a"),
        ("slice/10", "d_limit <= first", "d_limit <= first, n > 0", "n > 0"),
        (
            "clamp/1",
            "=> clamp(low, X, high)",
            "=> clamp(low, X, high)\n  assume forall i on A: X[i] < low[i]",
            "assume",
        ),
        ("slice/11", "d_start - first", "d_start - 1 * first", "R: s2 := s - a"),
    ],
)
def test_a_rule_that_differs_without_a_reason_is_reported(
    key: str, said: str, instead: str, missed: str, catalogue: dict[str, Rewrite]
) -> None:
    rewrite = catalogue[key]
    declaration = text_of(rewrite)
    assert said in declaration
    (before,), (after,) = stated_rules(declaration), stated_rules(declaration.replace(said, instead))
    assert not unexplained(rewrite, before)
    assert any(found.startswith(missed) for found in unexplained(rewrite, after))


def test_a_reason_without_a_difference_is_reported(
    catalogue: dict[str, Rewrite], library: dict[tuple[str, str], Stated]
) -> None:
    rewrite = replace(catalogue["slice/1"], because={"R: p == 1": "not needed"})
    assert unexplained(rewrite, library[rewrite.file, rewrite.rule]) == {"R: p == 1"}


def test_the_spelling_of_a_precondition_is_no_difference(catalogue: dict[str, Rewrite]) -> None:
    rewrite = catalogue["slice/10"]
    (stated,) = stated_rules(text_of(rewrite).replace("d_limit <= first", "every d: (first >= d_limit)"))
    assert not set(differences(rewrite, stated))
