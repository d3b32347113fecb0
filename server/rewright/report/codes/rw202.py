"""RW202: the two sides have different shapes."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    ranks = f"ranks {facts['ranks']}" if facts["ranks"] else ""
    given = ", ".join(filter(None, [ranks, facts["values"]]))
    return f"the left side has shape {facts['left']}, the right side {facts['right']}" + (
        f" ({given})" if given else ""
    )


CODE = Code(
    code="RW202",
    title="the shapes differ",
    message=_message,
    page="""
The rule is refuted: there is an input that satisfies the preconditions and makes the left side valid, and the two
sides have different shapes. Shapes must be equal also when the result is empty.

**What to do.** Correct the sizes that the right side computes, or exclude the input with a `where`.
""",
)
