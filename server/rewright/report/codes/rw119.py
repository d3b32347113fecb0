"""RW119: `let` that needs itself."""

from rewright.report.codes import Code, Facts

CODE: Code[Facts] = Code(
    code="RW119",
    title="`let` that needs itself",
    message=lambda facts: f"the `let` of `{facts['name']}` needs its own value",
    page="""
A `let` names an expression; it may use other `let`s, above or below it, but not itself.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  let a = b + 1
  let b = a + 1                         // `a` needs `b`, `b` needs `a`

  X => X
}
```

**What to do.** Break the cycle. An unknown value is declared by `map` or `int` and fixed by a `where`.
""",
)
