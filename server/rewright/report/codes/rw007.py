"""RW007: a number that ends in a dot."""

from rewright.report.codes import Code

CODE = Code(
    code="RW007",
    title="number ends in a dot",
    message=lambda facts: f"a number does not end in a dot, write `{facts['text']}.0` or `{facts['text']}`",
    page="""
A dot after a number would be confused with the range `0..n`.

```rw
rule r<T: real> {
  axes A
  map n on A
  tensor X: T[A: n]
  X => X + 0.
}
```

**What to do.** Write `1.0` for a fraction and `1` for an integer.
""",
)
