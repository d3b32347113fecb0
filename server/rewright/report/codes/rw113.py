"""RW113: import cannot be used."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import ImportClash, ImportFault, UnusableImport


def _message(diagnosis: UnusableImport | ImportClash) -> str:
    match diagnosis:
        case UnusableImport(path=path, fault=fault):
            return _unusable(path, fault)
        case ImportClash(path=path, name=name):
            return f"`{path}` imports `{name}`, which an earlier import already provides"
        case _:
            assert_never(diagnosis)


def _unusable(path: str, fault: ImportFault) -> str:
    match fault:
        case ImportFault.MISSING:
            return f"cannot read `{path}`"
        case ImportFault.FOREIGN:
            return f"`{path}` is not a `.rw` file"
        case ImportFault.CYCLE:
            return f"`{path}` imports this file in turn"
        case ImportFault.MANY:
            return f"`{path}` is not imported: there are too many imports, or they lead to too many files"
        case _:
            assert_never(fault)


CODE = Code(
    code="RW113",
    title="import cannot be used",
    message=_message,
    page="""
`import "other.rw"` does not bring the names of that file. The file must exist at this path relative to the importing
file, be a readable `.rw` file inside the workspace, and not import this one in turn. Two imports must not bring the
same name. A file may import 100 others, and 500 are followed in all.

```rw
import "nowhere.rw"      // there is no such file
```

**What to do.** Correct the path. If two files need each other, move what both need into a third one.
""",
)
