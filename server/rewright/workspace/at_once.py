"""Fixes that are known as soon as a verdict is: no search, no question. Must not know how they are written."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from rewright.fixes.pinning import pinning
from rewright.fixes.preconditions.edits import RuleText
from rewright.fixes.undecided import next_steps
from rewright.model.rule import Rule, RuleQuestion
from rewright.report.document import Result
from rewright.verdict import Edit, Fix, RuleWitness
from rewright.workspace.editor import Workspace

log = logging.getLogger(__name__)


def pinned(workspace: Workspace, path: str, name: str) -> Edit | None:
    """The edit that pins the counterexample of a rule as an `example` of it; None if there is nothing to pin."""
    for written, result in _named(workspace, path, name):
        answer = result.leading.answer if result.leading is not None else None
        if answer is not None and isinstance(answer.witness, RuleWitness):
            return pinning(written, answer.witness)
    return None


def numpy_program(workspace: Workspace, path: str, name: str) -> str | None:
    """The counterexample of a rule as a program in NumPy; None if it has none, or one that is not written so."""
    for written, result in _named(workspace, path, name):
        answer = result.leading.answer if result.leading is not None else None
        if (
            answer is None
            or not isinstance(answer.witness, RuleWitness)
            or not isinstance(written.declared.value, Rule)
        ):
            return None
        try:
            return _program(written, answer.witness, written.declared.value)
        except Exception:  # it takes one way to copy from the panel, and nothing else
            log.exception("the counterexample of `%s` is not written as a program", name)
    return None


def _program(written: RuleText, witness: RuleWitness, rule: Rule) -> str | None:
    # These read NumPy, which a server that shows no counterexample does not need.
    from rewright.fixes.programs.rule_program import NoProgram, rule_program

    asked = (RuleQuestion(rule, domain, "=>" if witness.direction == "=>" else "<=") for domain in rule.domains)
    question = next((each for each in asked if each.domain_text == witness.domain), None)
    texts = {
        site: written.text.slice(span.shifted(written.placed.start)) for site, span in enumerate(written.declared.sites)
    }
    try:
        return None if question is None else rule_program(question, witness, texts)
    except NoProgram as error:
        log.info("the counterexample of `%s` is not written as a program: %s", rule.name, error)
        return None


def for_unknown(workspace: Workspace, path: str, name: str) -> tuple[Fix, ...]:
    """What may be written when a declaration stays unknown."""
    return tuple(fix for written, result in _named(workspace, path, name) for fix in next_steps(written, result))


def _named(workspace: Workspace, path: str, name: str) -> Iterator[tuple[RuleText, Result]]:
    """The first declaration with a name, as it is written and with what is known of it."""
    parsed, model, file = workspace.parsed(path), workspace.model(path), workspace.file(path)
    result = next((each for each in file.results if each.name == name), None) if file is not None else None
    if parsed is None or model is None or result is None:
        return
    pairs = zip(parsed.file.declarations, model.declarations, strict=True)
    yield from [(RuleText(parsed.text, placed, each), result) for placed, each in pairs if each.name == name][:1]
