"""RW113: import cannot be used."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    match facts["problem"]:
        case "cycle":
            return f"`{facts['path']}` imports this file in turn"
        case "foreign":
            return f"`{facts['path']}` is not a `.rw` file"
        case "many":
            return f"`{facts['path']}` is not followed: it is one import too many, or leads to too many files"
        case "clash":
            return f"`{facts['path']}` brings `{facts['name']}`, which an earlier import brings, too"
        case _:
            return f"cannot read `{facts['path']}`"


CODE = Code(
    code="RW113",
    title="import cannot be used",
    message=_message,
    page="""
`import "other.rw"` brings the names of another file, by a path relative to this one. The file must be a `.rw` file,
readable, inside the workspace, and must not import this one in turn; two imports must not bring the same name. A file
may import 100 others, and 500 are followed in all.

```rw
import "nowhere.rw"      // there is no such file
```

**What to do.** Correct the path, or move what both files need into a third one.
""",
)
