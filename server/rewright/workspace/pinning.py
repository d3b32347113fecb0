"""The edit that pins what is known of a rule's counterexample in its file. Must not know how an example is written."""

from __future__ import annotations

from rewright.fixes.pinning import pinning
from rewright.fixes.preconditions.edits import RuleText
from rewright.verdict import Edit, RuleWitness
from rewright.workspace.editor import Workspace


def pinned(workspace: Workspace, path: str, name: str) -> Edit | None:
    """The edit that pins the counterexample of a rule as an `example` of it; None if there is nothing to pin."""
    parsed, model, file = workspace.parsed(path), workspace.model(path), workspace.file(path)
    result = next((each for each in file.results if each.name == name), None) if file is not None else None
    leading = result.leading if result is not None else None
    witness = leading.answer.witness if leading is not None and leading.answer is not None else None
    if parsed is None or model is None or not isinstance(witness, RuleWitness):
        return None
    pairs = zip(parsed.file.declarations, model.declarations, strict=True)
    rule = next((RuleText(parsed.text, placed, each) for placed, each in pairs if each.name == name), None)
    return pinning(rule, witness) if rule is not None else None
