"""RW003: a brace is not closed."""

from rewright.report.codes import Code

CODE = Code(
    code="RW003",
    title="a brace is not closed",
    message=lambda facts: f"the `{{` of {facts['what']} is not closed",
    page="""
A declaration or a block has no closing `}`. The next declaration is read all the same: the words that start a
declaration cannot stand inside another one.

```rw
rule open<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(reverse(X, A), A) => X

rule next<T: any> {        // `open` ends here at the latest
  axes A
  map n on A
  tensor X: T[A: n]
  X => X
}
```

**What to do.** Add the `}`.
""",
)
