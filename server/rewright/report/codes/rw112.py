"""RW112: not one rewrite."""

from rewright.report.codes import Code
from rewright.verdict import Role

CODE = Code(
    code="RW112",
    title="not one rewrite",
    message=lambda facts: (
        "a rule needs a rewrite, `left => right`"
        if facts["count"] == "0"
        else "a rule has one rewrite, this is another"
    ),
    related={Role.FIRST: lambda facts: "the first rewrite is here"},
    page="""
A rule or lemma says one thing: `left => right`, or `left <=> right` for both directions.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
                                        // no rewrite
}
```

**What to do.** Write the rewrite; put further ones into rules of their own.
""",
)
