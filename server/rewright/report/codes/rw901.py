"""RW901: an internal error."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.internal import InternalError


def _message(diagnosis: InternalError) -> str:
    lines = [line.strip() for line in diagnosis.detail.splitlines() if line.strip()]
    wrong = lines[-1] if lines else "no more is known"
    return "\n".join((f"internal error, nothing is claimed: {wrong}", *(diagnosis.question or "").splitlines()))


CODE = Code(
    code="RW901",
    title="internal error",
    message=_message,
    page="""
Rewright failed at this place; your file need not be wrong. Nothing is claimed about the declaration, or about the file
if it is not known which declaration it was. All others are answered, and `rewright check` exits with 2. The message
says what happened:

* a step raised an exception, or a worker died twice on the same declaration;
* a counterexample that should be exact did not replay;
* a proof failed on a small input when it was replayed;
* with `--second-opinion`, the two solvers disagree.

**What to do.** Run `rewright check FILE --only NAME --no-cache` and report the output together with the file. For a
disagreement, run it with `--second-opinion`: the output has what each solver said, and the question as each was asked
it in SMT-LIB.
""",
)
