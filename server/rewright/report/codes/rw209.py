"""RW209: what the second solver said."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import SecondOpinion


def _message(told: SecondOpinion) -> str:
    lines = [f"second opinion: cvc5 gave {told.agreed} of {told.agreed + len(told.unanswered)} answers, too"]
    if told.is_unconfirmed:
        lines.append("not confirmed: it left open what would refute this proof")
    return "\n".join([*lines, *(f"not answered: {each}" for each in told.unanswered)])


CODE = Code(
    code="RW209",
    title="a second opinion",
    message=_message,
    page="""
With `--second-opinion` what was decided about a rule is asked again of a second solver, cvc5: each query that the first
one answered; of a proved rule, whether it has a countermodel at small ranks as it was read, and whether it has an
input; of one that a solver refuted, whether it has a countermodel at the ranks of the counterexample (one that was
found by drawing inputs has replayed, and is not asked again). Each query has two seconds.
This note says how many answers were the same, and which queries cvc5 did not answer. Had it contradicted one, the
verdict would be an internal error, [RW901](RW901.md). A proof of which cvc5 left open whether some small input refutes
it is listed as *not confirmed*, in the text, in the summary and under `second_opinion` in the JSON report's summary.

The verdict is not changed: what the second solver leaves open was decided by the first one, or by normal forms.
""",
)
