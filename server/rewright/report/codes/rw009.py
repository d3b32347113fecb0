"""RW009: nesting deeper than is read."""

from rewright.report.codes import Code

CODE = Code(
    code="RW009",
    title="nested too deeply",
    message=lambda facts: f"nested more than {facts['limit']} levels deep, which is not read",
    page="""
The expression or block is nested more deeply than any that a person writes. It was not read, and the declaration is
not checked.

**What to do.** Name parts with `let`.
""",
)
