"""RW208: an example that was not replayed."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import ExampleNotReplayed


def _message(told: ExampleNotReplayed) -> str:
    return f"the example was not replayed: {told.reason}"


CODE = Code(
    code="RW208",
    title="the example was not replayed",
    message=_message,
    page="""
An `example { … }` pins values of an instance that is replayed on every save. Values that are not pinned are chosen
so that the preconditions hold and the left side is valid. For this example no such choice was found, or what it asks
for is not evaluated: a machine type, or a tensor of more than a million elements; or two numbers that have no exact
value, powers of e, are too close to each other to be told apart. The message says which.

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
