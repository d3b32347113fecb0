"""RW010: a text that is too long to be read."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import TextTooLong


def _message(told: TextTooLong) -> str:
    return f"nothing is checked here: {told.what} {told.reason}"


CODE = Code(
    code="RW010",
    title="text is too long",
    message=_message,
    page="""
Every change of a text is read at once, so a text and each of its declarations have a limit, which the message names. In
a text that is longer nothing is checked, and `rewright check` exits with 2; if only one declaration is, the others are
checked, and it exits with 1.

**What to do.** Divide the file. What a generator wrote, a table for instance, can stand in a file of its own.
""",
)
