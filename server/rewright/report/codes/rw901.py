"""RW901: an internal error."""

from rewright.report.codes import Code, Facts


def _last(facts: Facts) -> str:
    """What went wrong, in a line: the last one of a traceback."""
    told = [line.strip() for line in facts["detail"].splitlines() if line.strip()]
    return told[-1] if told else "no more is known"


def _lines(facts: Facts) -> list[str]:
    """The question that went wrong, where there is one."""
    return facts.get("text", "").splitlines()


CODE = Code(
    code="RW901",
    title="internal error",
    message=lambda facts: "\n".join((f"internal error, nothing is claimed: {_last(facts)}", *_lines(facts))),
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
