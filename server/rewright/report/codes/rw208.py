"""RW208: an example that was not replayed."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import ExampleNotReplayed


def _message(diagnosis: ExampleNotReplayed) -> str:
    return f"the example was not replayed: {diagnosis.reason}"


CODE = Code(
    code="RW208",
    title="example not replayed",
    message=_message,
    page="""
The `example { … }` was not replayed, so it confirms nothing. An example pins some values of an input. The others are
chosen so that the preconditions hold and the left side is valid. The message says what went wrong:

* no such choice was found;
* the example asks for a machine type, or for a tensor of more than a million elements;
* two numbers without an exact value, powers of e, are too close to each other to be told apart.

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
