"""RW304: an access out of bounds."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import of_block


def _message(facts: Facts) -> str:
    done = "reads" if facts["first"] == "read" else "writes"
    return (
        f"out of bounds: thread {facts['first_thread']}{of_block(facts)} {done} `{facts['array']}[{facts['address']}]`,"
        f" the size is [{facts['extents']}]"
    )


CODE = Code(
    code="RW304",
    title="out of bounds",
    message=_message,
    page="""
A thread reads or writes outside an array, in some dimension of it.

```rw
kernel shifted(x: in f32[64], y: out f32[64]) {
  launch block(64)
  y[thread.x] = x[thread.x + 1]          // thread 63 reads `x[64]`
}
```

**What to do.** Guard the access (`if (i < n)`), or correct the index or the size of the array. If the index comes
from data, state what is known of the data with `requires`.
""",
)
