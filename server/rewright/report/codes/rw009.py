"""RW009: nesting deeper than is read."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import NestedTooDeeply


def _message(diagnosis: NestedTooDeeply) -> str:
    return f"nested too deeply: the limit is {diagnosis.limit} levels"


CODE = Code(
    code="RW009",
    title="nested too deeply",
    message=_message,
    page="""
An expression or a block is nested more than 100 levels deep. It was not read, and its declaration is not checked.

**What to do.** Name parts of the expression with `let`.
""",
)
