"""What may be written when a declaration stays unknown."""

from __future__ import annotations

import pytest

from rewright.fixes.edited import edited
from rewright.fixes.preconditions.edits import RuleText
from rewright.fixes.undecided import next_steps
from rewright.model.file import check_file
from rewright.report.document import Progress, QuestionState, Result, Sites
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import NOTHING, Answer, Diagnosis, Finding, Severity, Site, Verdict
from rewright.verdict.diagnostics.kernels import BudgetUsedUp
from rewright.verdict.diagnostics.rules import RuleNotDecided
from rewright.verdict.undecided import UnknownReason

RULE = "rule r {\n  int n\n  scalar v: int\n\n  v => v\n}\n"
WINDOWS = RULE.replace("\n", "\r\n")


def written(text: str, said: Diagnosis) -> list[str]:
    """The text after each of the fixes."""
    parsed = parse(Text.of("r.rw", f"// first\n{text}"))
    (placed,) = parsed.file.declarations
    (declared,) = check_file(parsed, lambda path: None).declarations
    answer = Answer(Verdict.UNKNOWN, NOTHING, reason="", findings=(Finding(said, Severity.WARNING, Site(0)),))
    asked = QuestionState("", "int", "=>", (Verdict.PROVED,), answer, Progress.UNCHECKED)
    name, sites = Span(0, 1), Sites(0, ())
    verdicts = (Verdict.UNKNOWN, (Verdict.PROVED,), False)
    result = Result("r.rw", "r", "rule", name, name, *verdicts, None, (asked,), sites, (), ())
    fixes = list(next_steps(RuleText(parsed.text, placed, declared), result))
    return [edited({"r.rw": parsed.text.text}, fix.edits)["r.rw"].removeprefix("// first\n") for fix in fixes]


def unknown(why: UnknownReason, fact: str = "") -> RuleNotDecided:
    return RuleNotDecided(why, "", "", "", (), (), fact)


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        (RULE, unknown(UnknownReason.STEPS), [f"@budget(3)\n{RULE}", f"@expect(unknown)\n{RULE}"]),
        (
            f"@budget(4)\n{RULE}",
            BudgetUsedUp("", can_be_raised=True),
            [f"@budget(12)\n{RULE}", f"@budget(4)\n@expect(unknown)\n{RULE}"],
        ),
        (f"@budget(1000)\n{RULE}", unknown(UnknownReason.STEPS), [f"@budget(1000)\n@expect(unknown)\n{RULE}"]),
        (RULE, BudgetUsedUp("", can_be_raised=False), [f"@expect(unknown)\n{RULE}"]),
        (
            RULE,
            unknown(UnknownReason.REDUCTIONS, "n != 1"),
            [RULE.replace("=> v\n", "=> v\n\n  where n != 1\n"), f"@expect(unknown)\n{RULE}"],
        ),
        (WINDOWS, unknown(UnknownReason.LAWS), [f"@expect(unknown)\r\n{WINDOWS}"]),
    ],
)
def test_what_may_help_is_written_where_it_belongs(text: str, said: Diagnosis, expected: list[str]) -> None:
    assert written(text, said) == expected
