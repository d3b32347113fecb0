"""What a second solver said in a whole run, gathered from the notes on the answers."""

from __future__ import annotations

from msgspec import Struct

from rewright.report.document import Report
from rewright.verdict.diagnostics.rules import SecondOpinion


class Opinions(Struct, frozen=True):
    """How many answers were the same, and what was not answered: the declaration, the question, the query, and why.

    `unconfirmed` are the proofs, by declaration and question, of which something was not answered that would refute
    them.
    """

    agreed: int
    unanswered: tuple[str, ...]
    unconfirmed: tuple[str, ...]


def opinions(report: Report) -> Opinions | None:
    """What the second solver said of all answers of a report; None if it was not asked."""
    agreed, unanswered, unconfirmed, asked = 0, list[str](), list[str](), False
    for result in report.results():
        for question in result.questions:
            for finding in question.answer.findings if question.answer is not None else ():
                diagnosis = finding.diagnosis
                if isinstance(diagnosis, SecondOpinion):
                    asked = True
                    agreed += diagnosis.agreed
                    where = " ".join(part for part in (result.name, question.domain, question.direction) if part)
                    unanswered += (f"{where}: {line}" for line in diagnosis.unanswered)
                    unconfirmed += [where] if diagnosis.is_unconfirmed else []
    return Opinions(agreed, tuple(unanswered), tuple(unconfirmed)) if asked else None
