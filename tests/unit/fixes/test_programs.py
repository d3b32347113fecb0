"""Counterexamples as programs in NumPy: each is run, and both of its sides are what the replay says."""

from __future__ import annotations

import contextlib
import io
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from rewright.fixes.programs.rule_program import NoProgram, rule_program
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.replay.example import any_input
from rewright.replay.outcomes import Fails, Holds, Undecided
from rewright.replay.rule import replay
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Failure, RuleWitness, TensorValue

OPERATORS = Path(__file__).parents[3] / "docs" / "operators.md"
"""The page on which each operator has a rule that is true and one that is false."""

NOT_IN_NUMPY = {"there is no NumPy for a convolution", "there is no NumPy for a declared monoid"}

TURNED = """\
rule turned<T: int> {
  axis d
  map n on d
  tensor X: T[d: n]
  X + 1 => reverse(X, d) + 1
  where n >= 2
}
"""


def questions(source: str) -> Iterator[tuple[RuleQuestion, dict[int, str]]]:
    """The questions of all rules of a text from the left to the right, with what stands at their sites."""
    text = Text.of("a.rw", source)
    parsed = parse(text)
    model = check_file(parsed, lambda _: None)
    for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
        if isinstance(declared.value, Rule) and not declared.has_errors:
            texts = {site: text.slice(span.shifted(placed.start)) for site, span in enumerate(declared.sites)}
            yield from ((RuleQuestion(declared.value, domain, "=>"), texts) for domain in declared.value.domains)


def witness_of(question: RuleQuestion) -> RuleWitness | None:
    """An input as if it were a counterexample, with what the replay says of it; None if both sides have no value."""
    try:
        instance = any_input(question)
        outcome = replay(question, instance) if instance is not None else None
    except NotReplayable:
        return None
    rule, steps = question.rule, outcome.steps if isinstance(outcome, Holds | Fails | Undecided) else ()
    if instance is None or not {("left", rule.left.site), ("right", rule.right.site)} <= {
        (s.side, s.site) for s in steps
    }:
        return None
    return RuleWitness(Failure.VALUE, question.domain_text, "=>", instance, (), "", "", steps, True)


def test_every_operator_of_the_table_comes_to_what_the_replay_says() -> None:
    blocks = re.findall(r"^```rw\n(.*?)^```", OPERATORS.read_text(encoding="utf-8"), re.S | re.M)
    ran, refused = 0, set()
    for question, texts in (each for block in blocks for each in questions(block)):
        witness = witness_of(question)
        if witness is None:
            continue
        try:
            made = run(rule_program(question, witness, texts))
        except NoProgram as error:
            refused.add(str(error))
            continue
        ran += 1
        for side in ("left", "right"):
            value = [step.value for step in witness.steps if step.side == side][-1]
            assert is_that(made[side], value), (question.rule.name, side, made[side], value)
    assert ran > 120
    assert refused <= NOT_IN_NUMPY


def run(program: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        exec(program, names)
    return names


def is_that(array: np.ndarray[Any, Any], value: TensorValue) -> bool:
    pairs = zip(array.ravel().tolist(), value.data, strict=True)
    return array.shape == value.shape and all(is_element(one, text) for one, text in pairs)


def is_element(one: Any, text: str) -> bool:
    """Whether an element of NumPy is the one of the replay, rounded; one that is not defined may be anything."""
    if text in ("undefined", "undecided"):
        return True
    if text in ("true", "false"):
        return bool(one) == (text == "true")
    try:
        return math.isclose(
            float(one),
            float(text) if "inf" in text else float(Fraction(text.removeprefix("≈"))),
            rel_tol=1e-6,
            abs_tol=1e-9,
        )
    except ValueError:
        return str(one) == text


def test_a_program_prints_both_sides_and_where_they_differ(tmp_path: Path) -> None:
    ((question, texts),) = questions(TURNED)
    witness = witness_of(question)
    assert witness is not None
    (tmp_path / "program.py").write_text(rule_program(question, witness, texts))
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py"], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    shown = re.fullmatch(r"left:\n\[(.*)\]\nright:\n\[(.*)\]\n((?:they differ at .*\n)+)", done.stdout)
    assert shown is not None, done.stdout
    left, right = shown[1].split(), shown[2].split()
    assert left == right[::-1] and left != right
    assert f"they differ at [0] left {left[0]} right {right[0]}" in shown[3]


def test_what_differs_in_neither_value_nor_shape_is_not_written() -> None:
    ((question, texts),) = questions(TURNED)
    witness = witness_of(question)
    assert witness is not None
    with pytest.raises(NoProgram, match="neither in a value"):
        rule_program(question, replace(witness, fails=Failure.VALIDITY), texts)
