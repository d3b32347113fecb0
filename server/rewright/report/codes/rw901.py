"""RW901: an internal error."""

from rewright.report.codes import Code

CODE = Code(
    code="RW901",
    title="internal error",
    message=lambda facts: f"internal error, nothing is claimed: {facts['detail'].splitlines()[-1].strip()}",
    page="""
The checker failed: a worker died twice on the same declaration, or a counterexample that should be exact did not
replay. Nothing is claimed about the declaration.

**What to do.** Run `rewright check FILE --only NAME --no-cache` and report the output together with the file.
""",
)
