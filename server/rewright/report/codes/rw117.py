"""RW117: cannot stand here."""

from rewright.report.codes import Code, Facts

CODE: Code[Facts] = Code(
    code="RW117",
    title="cannot stand here",
    message=lambda facts: f"{facts['what']} cannot stand here, expected {facts['wanted']}",
    page="""
The expression is well formed, but means nothing at this place: a list where an index is expected, a fraction as a
size, a tensor in a `where` (its contents are constrained by `assume forall i on A: …`).

```rw
rule r<T: num> {
  axes A
  map n on A
  tensor X: T[A: n]

  X => X

  where X > 0                           // write `assume forall i on A: X[i] > 0`
}
```

**What to do.** Write what the message expects.
""",
)
