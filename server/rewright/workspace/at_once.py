"""Fixes that are known as soon as a verdict is: no search, no question. Must not know how they are written."""

from __future__ import annotations

from collections.abc import Iterator

from rewright.fixes.pinning import pinning
from rewright.fixes.preconditions.edits import RuleText
from rewright.fixes.undecided import next_steps
from rewright.report.document import Result
from rewright.verdict import Edit, Fix, RuleWitness
from rewright.workspace.editor import Workspace


def pinned(workspace: Workspace, path: str, name: str) -> Edit | None:
    """The edit that pins the counterexample of a rule as an `example` of it; None if there is nothing to pin."""
    for written, result in _named(workspace, path, name):
        answer = result.leading.answer if result.leading is not None else None
        if answer is not None and isinstance(answer.witness, RuleWitness):
            return pinning(written, answer.witness)
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
