"""RW423: a number that its type does not hold."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import NumberNotHeld


def _message(diagnosis: NumberNotHeld) -> str:
    becomes = "infinity" if diagnosis.becomes is None else diagnosis.becomes
    return f"`{diagnosis.element}` does not hold {diagnosis.number}: it becomes {becomes}"


CODE = Code(
    code="RW423",
    title="a number that its type does not hold",
    message=_message,
    page="""
A number that is known, such as the count of a mean, is computed in an element type that does not hold it: an integer
wraps around, a float rounds, or becomes infinite. A mean divided by it is wrong.

It is a warning of its own. A refinement speaks of real numbers, and its verdict stays what it is.

**What to do.** Compute the number in a wider type.
""",
)
