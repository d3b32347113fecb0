"""RW304: an access out of bounds."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.report.phrases import acts, element
from rewright.verdict.diagnostics.kernels import BeforeTheStart, BeyondTheEnd, IndexOutside, NoArrayElement

OutOfBounds = NoArrayElement | BeforeTheStart | BeyondTheEnd | IndexOutside


def _message(diagnosis: OutOfBounds) -> str:
    return f"out of bounds: {acts(diagnosis.act)} {_where(diagnosis)}"


def _where(diagnosis: OutOfBounds) -> str:
    match diagnosis:
        case NoArrayElement():
            return "through a pointer that points into no array"
        case BeforeTheStart():
            return f"{element(diagnosis.element)}, before the start of the array"
        case BeyondTheEnd(width=width, offset=offset, end=end):
            reached = f"{width} bytes at {element(diagnosis.element)}, from byte {offset} on"
            return f"{reached}; the array ends at byte {end}"
        case IndexOutside(extents=extents):
            return f"{element(diagnosis.element)}, the size is [{', '.join(map(str, extents))}]"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW304",
    title="out of bounds",
    message=_message,
    page="""
A thread reads or writes outside an array, in some dimension of it. The kernel may crash, or change other data.

```rw
kernel shifted(x: in f32[64], y: out f32[64]) {
  launch block(64)
  y[thread.x] = x[thread.x + 1]          // thread 63 reads `x[64]`
}
```

An access of several bytes can begin inside the array and end beyond it. The message then names the bytes.

If nothing says how large an array is, only accesses before its start are found, and the coverage says so. This is so
for a pointer parameter of a `.cu` file without a size in its launch comment.

**What to do.** Guard the access (`if (i < n)`), or correct the index or the size of the array. Quick fixes add a guard,
or make a shared array larger. If the index comes from data, state what you know about the data with `requires`.
""",
)
