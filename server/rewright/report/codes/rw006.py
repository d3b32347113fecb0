"""RW006: a chained comparison."""

from rewright.report.codes import Code

CODE = Code(
    code="RW006",
    title="comparisons do not chain",
    message=lambda facts: f"comparisons do not chain, write `{facts['instead']}`",
    page="""
`0 <= a <= n` is not read as two comparisons.

**What to do.** Write both, separated by a comma: `0 <= a, a <= n`.
""",
)
