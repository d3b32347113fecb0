"""RW208: an example that is no input of its rule."""

from rewright.report.codes import Code

CODE = Code(
    code="RW208",
    title="the example is no input",
    message=lambda _: "no input of the rule was found that fits this example, so it was not replayed",
    page="""
An `example { … }` pins values of an instance that is replayed on every save. Values that are not pinned are chosen
so that the preconditions hold and the left side is valid; for this example no such choice was found.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]

  slice(X, 1, n) => slice(X, 1, n)

  example { A = 1; n = [0] }     // a slice from 1 of nothing is not valid
}
```

**What to do.** Correct the example, or remove values that it need not pin.
""",
)
