"""RW132: a `compile_commands.json` that cannot be used."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.sources import UnusableCommands


def _message(diagnosis: UnusableCommands) -> str:
    return f"`compile_commands.json` is not used: {diagnosis.reason}"


CODE = Code(
    code="RW132",
    title="compile_commands.json cannot be used",
    message=_message,
    page="""
The nearest `compile_commands.json` of a `.cu` file is no list of commands, has more than 16 MiB, or says nothing that
can be read about this file. The message says why. The file is read as if there were none: without the include folders
and macros of the build.

It must be a list of objects with `file`, `directory`, and `arguments` or `command`:

```json
[
  {
    "directory": "/project/build",
    "file": "../src/scale.cu",
    "arguments": ["nvcc", "-I../include", "-DTILE=32", "-c", "../src/scale.cu"]
  }
]
```

**What to do.** Let the build write it anew (`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`), or state include folders and
macros in [rewright.toml](../reference/settings.md).
""",
)
