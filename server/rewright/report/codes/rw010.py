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
The editor reads a text on every change, so a text and each of its declarations have a limit, which the message names.
If a text is too long, nothing in it is checked, and `rewright check` exits with 2. If only one declaration is too long,
the others are checked, and it exits with 1.

**What to do.** Divide the file. Put generated parts, such as tables, into files of their own.
""",
)
