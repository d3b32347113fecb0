"""RW901: an internal error."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.internal import InternalError


def _message(told: InternalError) -> str:
    lines = [line.strip() for line in told.detail.splitlines() if line.strip()]
    wrong = lines[-1] if lines else "no more is known"
    return "\n".join((f"internal error, nothing is claimed: {wrong}", *(told.question or "").splitlines()))


CODE = Code(
    code="RW901",
    title="internal error",
    message=_message,
    page="""
The checker failed at this place: a step of its own raised an exception, a worker died twice on the same declaration, a
counterexample that should be exact did not replay, what was proved fails on a small input when it is replayed, or with
`--second-opinion` the two solvers disagree. Nothing is claimed about the declaration; if it cannot be said which one it
was, about the file. All others are answered, and `rewright check` exits with 2.

**What to do.** Run `rewright check FILE --only NAME --no-cache` and report the output together with the file. For a
disagreement run it with `--second-opinion`: the output has what each solver said, and the question as each was asked it
in SMT-LIB.
""",
)
