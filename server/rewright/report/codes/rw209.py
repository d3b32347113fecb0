"""RW209: what the second solver said."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import SecondOpinion


def _message(diagnosis: SecondOpinion) -> str:
    asked = diagnosis.agreed + len(diagnosis.unanswered)
    lines = [f"second opinion: cvc5 gives the same answer to {diagnosis.agreed} of {asked} queries"]
    if diagnosis.is_unconfirmed:
        lines.append("not confirmed: cvc5 left open what would refute this proof")
    return "\n".join([*lines, *(f"not answered: {each}" for each in diagnosis.unanswered)])


CODE = Code(
    code="RW209",
    title="second opinion",
    message=_message,
    page="""
A second solver, cvc5, was asked about this rule, because the check was run with `--second-opinion`. This note says how
many of its answers were the same, and which queries it did not answer. The verdict does not change.

cvc5 is asked each query that the first solver answered. Of a proved rule, it is asked whether the rule as it was read
has a countermodel at small ranks, and whether it has an input. Of a rule that a solver refuted, it is asked whether
there is a countermodel at the ranks of the counterexample. A counterexample that was found by drawing inputs has been
replayed, and is not asked about. Each query has a limit of steps, not of time.

If cvc5 contradicted an answer, the verdict would be an internal error, [RW901](RW901.md). A proof is *not confirmed* if
cvc5 left open whether some small input refutes it. Such proofs are listed in the text, in the summary, and under
`second_opinion` in the summary of the JSON report. They stay proved: the first solver or normal forms decided them.

**What to do.** Nothing.
""",
)
