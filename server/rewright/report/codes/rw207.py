"""RW207: only empty results satisfy the preconditions."""

from rewright.report.codes import Code

CODE = Code(
    code="RW207",
    title="only empty results",
    message=lambda _: "the rule was proved, but only inputs with an empty result satisfy the preconditions",
    page="""
The rule holds, but every input that satisfies the preconditions has an empty result, so no element was ever
compared. The verdict is not changed.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  slice(X, n, n) => slice(reverse(X, A), n, n)
}
```

**What to do.** If that is not what was meant, look for a precondition that forces a size to 0.
""",
)
