"""RW901: an internal error."""

from rewright.report.codes import Code, Facts


def _lines(facts: Facts) -> list[str]:
    """The question that went wrong, where there is one."""
    return facts.get("text", "").splitlines()


CODE = Code(
    code="RW901",
    title="internal error",
    message=lambda facts: "\n".join(
        (f"internal error, nothing is claimed: {facts['detail'].splitlines()[-1].strip()}", *_lines(facts))
    ),
    page="""
The checker failed: a worker died twice on the same declaration, a counterexample that should be exact did not replay,
or with `--second-opinion` the two solvers disagree. Nothing is claimed about the declaration.

**What to do.** Run `rewright check FILE --only NAME --no-cache` and report the output together with the file. For a
disagreement run it with `--second-opinion`: the output has what each solver said, and the question as each was asked it
in SMT-LIB.
""",
)
