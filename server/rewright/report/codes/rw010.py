"""RW010: a text that is too long to be read."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.syntax import TextTooLong


def _message(diagnosis: TextTooLong) -> str:
    return f"nothing is checked here: {diagnosis.what} {diagnosis.reason}"


CODE = Code(
    code="RW010",
    title="text too long",
    message=_message,
    page="""
A file, or one declaration in it, is longer than its limit. The message names the limit, which exists because the editor
reads a text on every change. If a file is too long, nothing in it is checked, and `rewright check` exits with 2. If
only one declaration is too long, the others are checked, and it exits with 1.

**What to do.** Split the file. Put generated parts, such as tables, into files of their own.
""",
)
