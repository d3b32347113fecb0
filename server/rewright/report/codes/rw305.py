"""RW305: something is read that was never written."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import element, interval, of_block, thread


def _message(facts: Facts) -> str:
    what = f"the variable `{facts['variable']}`" if facts["variable"] else element(facts)
    never = "before it was set" if facts["variable"] else "to which nothing was written"
    return f"uninitialised: {thread(facts)}{of_block(facts)} reads {what}, {never} {interval(facts)}"


CODE = Code(
    code="RW305",
    title="uninitialised read",
    message=_message,
    page="""
A thread reads a variable that it has not set, or an element of a shared or local array, or of an output, to which
nothing was written: its value is whatever was there before.

```rw
kernel half_filled(x: in f32[64], y: out f32[64]) {
  launch block(64)
  shared buf: f32[64]
  if thread.x < 32 { buf[thread.x] = x[thread.x] }
  barrier()
  y[thread.x] = buf[thread.x]            // the upper half was never written
}
```

Whatever is computed from such a value is not reported again.

**What to do.** Write every element that is read, or set the variable where it is declared.
""",
)
