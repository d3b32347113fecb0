"""RW130: a source cannot be read."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.sources import UnreadableSource


def _message(diagnosis: UnreadableSource) -> str:
    return f"cannot read `{diagnosis.path}`: {diagnosis.reason}"


CODE = Code(
    code="RW130",
    title="source cannot be read",
    message=_message,
    page="""
A declaration names a source (`from "reduce.cu"::reduce`) that cannot be read, so the kernel cannot be checked. The path
is relative to the file that names it. It must lie inside the workspace: the nearest folder with a `rewright.toml` or a
`.git`.

```rw
kernel k(x: out f32[64]) from "nowhere.cu"::k {
  launch block(64)
}
```

**What to do.** Correct the path. An open, unsaved buffer counts as the file.
""",
)
