"""RW113: import cannot be used."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    if facts["problem"] == "cycle":
        return f"`{facts['path']}` imports this file in turn"
    return f"cannot read `{facts['path']}`"


CODE = Code(
    code="RW113",
    title="import cannot be used",
    message=_message,
    page="""
`import "other.rw"` brings the names of another file, by a path relative to this one. The file must be readable,
inside the workspace or the library, and must not import this one in turn.

**What to do.** Correct the path, or move what both files need into a third one.
""",
)
