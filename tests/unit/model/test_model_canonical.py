"""The canonical form of a rule depends on what the rule means: not on names, comments or white space."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from model_texts import model, rule, rule_text

from rewright.model.canonical import canonical
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict.codec import decode, encode

ROOT = Path(__file__).parents[3]
LIBRARY = sorted((ROOT / "rules").glob("*/*.rw"))

BODY = "\n".join(
    (
        "dynamic_update_slice(slice(X, min(s, c), e, p) + elem(c), pad(Y, z, A: (low = s)), s)",
        "  => select(P, X, clamp(z, reduce(max, D, d, init = z), 2))",
        "where some A: n == 1 or not (s <= e), c > 0 and z != 0, true",
        "assume forall i on A: X[i] < Y[i]",
        "check over f32",
        "example { A = 2; n = [2, 5]; c = 3; z = 0.5; X = iota; Y = [1, 2] }",
    )
)

NAMES = (
    "r",
    "T",
    "A",
    "B",
    "I",
    "J",
    "d",
    "n",
    "s",
    "e",
    "p",
    "m",
    "k",
    "h",
    "w",
    "c",
    "z",
    "X",
    "Y",
    "D",
    "M",
    "P",
    "i",
)


def rules_of(text: str) -> list[Rule]:
    file = check_file(parse(Text.of("x.rw", text)), lambda path: None)
    return [declared.value for declared in file.declarations if isinstance(declared.value, Rule)]


def canonical_text(text: str) -> str:
    (value,) = rules_of(text)
    return encode(canonical(value)[0])


def renamed(text: str) -> str:
    """The text with every declared name replaced by a longer one."""
    return re.sub(r"\b(" + "|".join(NAMES) + r")\b", lambda match: f"{match[1]}_other_é", text)


def test_renaming_changes_nothing() -> None:
    text = rule_text(BODY)
    assert renamed(text) != text
    assert canonical_text(renamed(text)) == canonical_text(text)


def test_comments_and_white_space_change_nothing() -> None:
    text = rule_text(BODY)
    commented = "// first\n/// documented\n@budget(3)\n" + text.replace("\n", "   // said\n\n").replace(" + ", "\t+   ")
    assert canonical_text(commented) == canonical_text(text)


def test_what_is_only_declared_for_people_changes_nothing() -> None:
    text = rule_text(BODY)
    assert canonical_text('@source("there")\n@expect(refuted)\n' + text) == canonical_text(text)


CHANGES = [
    ("slice(X,", "slice(Y,"),
    ("min(s, c)", "max(s, c)"),
    ("z, A: (low = s)", "z, A: (high = s)"),
    ("reduce(max", "reduce(min"),
    ("some A", "every A"),
    ("s <= e", "e <= s"),
    ("z != 0", "z != 1"),
    ("X[i] < Y[i]", "Y[i] < X[i]"),
    ("over f32", "over f64"),
    ("n = [2, 5]", "n = [2, 6]"),
    ("=> select", "<=> select"),
    ("axes A, B", "axes A+, B"),
    ("axes I ~ J", "axes I, J"),
    ("<T: num>", "<T: real>"),
    ("tensor P: pred[A: n]", "tensor P: pred[A: s]"),
]


@pytest.mark.parametrize(("old", "new"), CHANGES, ids=[new for _, new in CHANGES])
def test_a_change_of_meaning_changes_it(old: str, new: str) -> None:
    text = rule_text(BODY).replace("map h, w on I", "map h on I\n  map w on J")
    assert old in text
    assert canonical_text(text.replace(old, new)) != canonical_text(text)


def test_the_names_lead_back() -> None:
    (value,) = rules_of(rule_text(BODY))
    numbered, names = canonical(value)
    assert numbered.name == "⟨0⟩"
    assert names[0] == "r"
    assert set(names) <= set(NAMES)
    restored = re.sub(r"⟨(\d+)⟩", lambda match: names[int(match[1])], encode(numbered))
    assert decode(Rule, restored) == value


def test_a_question_is_renumbered_as_a_whole() -> None:
    (value,) = rules_of(rule_text(BODY))
    numbered, names = canonical(RuleQuestion(value, value.domains[0], "=>"))
    ((parameter, kind),) = numbered.domain
    assert (names[int(parameter.strip("⟨⟩"))], kind) == ("T", "int")
    assert parameter == numbered.rule.type_parameters[0].name


def test_plain_texts_are_not_taken_for_names() -> None:
    value = rule("X + 2 => X")
    numbered, names = canonical(value)
    assert "2" not in names
    assert "add" not in names
    assert numbered.left.operator == "add"  # type: ignore[union-attr]


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_every_rule_of_the_library_goes_over_the_wire(path: Path) -> None:
    values = rules_of(path.read_text(encoding="utf-8"))
    for value in values:
        assert decode(Rule, encode(value)) == value
        numbered, _ = canonical(value)
        assert decode(Rule, encode(numbered)) == numbered


def test_the_feature_rule_goes_over_the_wire() -> None:
    (value,) = rules_of(rule_text(BODY))
    assert decode(Rule, encode(value)) == value
    assert value.examples
    assert value.assumptions


def test_the_library_has_no_errors() -> None:
    for path in LIBRARY:
        for declared in model(path.read_text(encoding="utf-8")).declarations:
            assert not declared.findings, (path.name, declared.name, declared.findings)
