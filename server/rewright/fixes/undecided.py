"""What may be written when a declaration stays unknown: the condition that was found, more steps, or that it is known.

Invariant: what is written reads back without an error. Whether it decides the declaration is told by the next check.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.fixes.edited import edited
from rewright.fixes.preconditions.edits import RuleText, precondition
from rewright.model.file import check_file
from rewright.report.document import Result
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Diagnosis, Edit, Fix, InSource, Verdict
from rewright.verdict.diagnostics.kernels import BudgetUsedUp
from rewright.verdict.diagnostics.rules import RuleNotDecided
from rewright.verdict.undecided import UnknownReason

MORE = 3
"""Times as many steps are offered."""

MOST = 1000
"""The largest budget that a declaration may have."""

OF_STEPS = frozenset({UnknownReason.STEPS, UnknownReason.NO_MODEL})
"""Reasons that more steps may remove."""


def next_steps(written: RuleText, result: Result) -> Iterator[Fix]:
    """What may be written to get a declaration decided, the likeliest first; last, that it is known to be unknown."""
    if result.verdict is not Verdict.UNKNOWN or result.as_expected:
        return
    said = [finding.diagnosis for each in result.questions if each.answer for finding in each.answer.findings]
    facts = dict.fromkeys(each.fact for each in said if isinstance(each, RuleNotDecided) and each.fact)
    fixes = [(f"Add `where {fact}`, under which the sums are equal", precondition(written, fact)) for fact in facts]
    if any(map(_wants_steps, said)):
        fixes += _budget(written)
    fixes.append(("Accept it: put `@expect(unknown)` above", _above(written, "@expect(unknown)")))
    for title, edit in fixes:
        if edit is not None and _reads(written, edit):
            yield Fix(title, (edit,))


def _wants_steps(said: Diagnosis) -> bool:
    match said:
        case RuleNotDecided(why=why):
            return why in OF_STEPS
        case BudgetUsedUp(can_be_raised=can_be_raised):
            return can_be_raised
        case _:
            return False


def _budget(written: RuleText) -> Iterator[tuple[str, Edit | None]]:
    """More steps than there are."""
    there = next(
        (each for each in written.placed.node.head.attributes if each.name and each.name.text == "budget"), None
    )
    raised = min(MORE * written.declared.budget, MOST)
    if raised == written.declared.budget:
        return
    title = f"Give it {raised} times the usual steps: `@budget({raised})`"
    if there is None:
        yield title, _above(written, f"@budget({raised})")
    else:
        span = written.placed.absolute(there.span)
        yield title, Edit(InSource(written.text.uri, span.start, span.end), f"@budget({raised})")


def _above(written: RuleText, attribute: str) -> Edit:
    """An attribute on a line of its own above the word of a declaration."""
    start = written.placed.absolute(written.placed.node.head.word.span).start
    newline = "\r\n" if b"\r\n" in written.text.data else "\n"
    return Edit(InSource(written.text.uri, start, start), f"{attribute}{newline}")


def _reads(written: RuleText, edit: Edit) -> bool:
    """Whether the changed declaration has no more errors than before."""
    data = written.text.data[written.placed.start : written.placed.span.end].decode()
    assert isinstance(edit.place, InSource)
    local = Span(edit.place.start, edit.place.end).shifted(-written.placed.start)
    moved = Edit(InSource("alone", local.start, local.end), edit.text)
    alone = parse(Text.of("alone", edited({"alone": data}, (moved,))["alone"]))
    found = check_file(alone, lambda path: None).declarations
    return len(found) == 1 and (written.declared.has_errors or not found[0].has_errors)
