"""RW304: an access out of bounds."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import does, element, of_block, thread


def _message(facts: Facts) -> str:
    who = f"out of bounds: {thread(facts)}{of_block(facts)}"
    if not facts["array"]:
        return f"{who} {does(facts)} through a pointer that leads into no array"
    if not facts["extents"]:
        return f"{who} {does(facts)} {element(facts)}, before the start of the array"
    if "end" in facts:
        reached = f"{facts['width']} bytes at {element(facts)}, from byte {facts['offset']} on"
        return f"{who} {does(facts)} {reached}; the array ends at byte {facts['end']}"
    return f"{who} {does(facts)} {element(facts)}, the size is [{facts['extents']}]"


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

An access of several bytes may begin inside the array and end behind it; the message then names the bytes.

Where nothing says how large an array is (a pointer parameter of a `.cu` file without a size in its launch comment),
only accesses before its start are found, and the coverage says so.

**What to do.** Guard the access (`if (i < n)`), or correct the index or the size of the array; quick fixes do the
first, and the last for shared arrays. If the index comes from data, state what is known of the data with `requires`.
""",
)
