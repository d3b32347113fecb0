"""RW004: an attribute at a wrong place."""

from rewright.report.codes import Code

CODE = Code(
    code="RW004",
    title="attribute at a wrong place",
    message=lambda facts: f"`{facts['text']}` must stand on a line of its own above a declaration",
    page="""
Attributes such as `@expect(refuted)` stand on lines of their own before a declaration and nowhere else.

```rw
@expect(refuted)
rule wrong<T: any> {
}
```

**What to do.** Move it above the declaration that it speaks of.
""",
)
