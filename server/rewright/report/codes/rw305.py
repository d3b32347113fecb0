"""RW305: something is read that was never written."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import element, interval, of_block, thread


def _message(facts: Facts) -> str:
    return f"uninitialised: {thread(facts)}{of_block(facts)} {_does(facts)} {interval(facts)}"


def _does(facts: Facts) -> str:
    """What a thread does: the end of a function that gives no value there is a variable called `f()`."""
    variable = facts["variable"]
    if variable.endswith("()"):
        function = f"`{variable[:-2]}`" if variable[:-2] else "a lambda"
        return f"comes to the end of {function}, which returns no value there"
    if variable:
        return f"reads the variable `{variable}`, before it was set"
    if "array" not in facts:
        return "reads a value, before it was set"
    return f"reads {element(facts)}, to which nothing was written"


CODE = Code(
    code="RW305",
    title="uninitialised read",
    message=_message,
    page="""
A thread reads a variable that it has not set, or an element of a shared or local array, or of an output, to which
nothing was written: its value is whatever was there before. Or it comes to the end of a function that is to return a
value, without one.

```rw
kernel half_filled(x: in f32[64], y: out f32[64]) {
  launch block(64)
  shared buf: f32[64]
  if thread.x < 32 { buf[thread.x] = x[thread.x] }
  barrier()
  y[thread.x] = buf[thread.x]            // the upper half was never written
}
```

A variable may be copied or returned before it is set; it counts once a branch, an address or global memory depends on
it, or shared or local memory that is read, and is told where it was first read. One that is declared in a loop without
a value is unset in every pass. Whatever is computed from such a value is not reported again.

**What to do.** Write every element that is read, or set the variable where it is declared. Give every way
through a function a `return`.
""",
)
