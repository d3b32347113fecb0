"""RW112: not exactly one rewrite."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict import Role
from rewright.verdict.diagnostics.names import AnotherRewrite, NoRewrite


def _message(diagnosis: NoRewrite | AnotherRewrite) -> str:
    match diagnosis:
        case NoRewrite():
            return "a rule needs a rewrite, `left => right`"
        case AnotherRewrite():
            return "a rule has one rewrite, this is a second one"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW112",
    title="not exactly one rewrite",
    message=_message,
    related={Role.FIRST: lambda diagnosis: "the first rewrite is here"},
    page="""
A rule or lemma has no rewrite, or more than one. It states exactly one: `left => right`, or `left <=> right` for both
directions.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
                                        // no rewrite
}
```

**What to do.** Write the rewrite. Put others into rules of their own.
""",
)
