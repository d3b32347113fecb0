"""RW305: something is read that was never written."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.report.phrases import element, interval, whole
from rewright.verdict.diagnostics.kernels import ReadOfUnset, ReadOfUnwritten


def _message(diagnosis: ReadOfUnwritten | ReadOfUnset) -> str:
    return f"uninitialised: {whole(diagnosis.who)} {_does(diagnosis)} {interval(diagnosis.interval)}"


def _does(diagnosis: ReadOfUnwritten | ReadOfUnset) -> str:
    match diagnosis:
        case ReadOfUnwritten():
            return f"reads {element(diagnosis.element)}, which was never written"
        case ReadOfUnset(variable=""):
            return "reads a value before it is set"
        case ReadOfUnset(variable="()"):
            return "reaches the end of a lambda without returning a value"
        case ReadOfUnset(variable=name) if name.endswith("()"):
            return f"reaches the end of `{name.removesuffix('()')}` without returning a value"
        case ReadOfUnset(variable=name):
            return f"reads the variable `{name}` before it is set"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW305",
    title="uninitialised read",
    message=_message,
    page="""
A thread uses a value that nothing has set: a variable, or an element of a shared or local array or of an output that
was never written. The value is whatever was there before. A function that must return a value, and ends without one, is
the same error.

```rw
kernel half_filled(x: in f32[64], y: out f32[64]) {
  launch block(64)
  shared buf: f32[64]
  if thread.x < 32 { buf[thread.x] = x[thread.x] }
  barrier()
  y[thread.x] = buf[thread.x]            // the upper half was never written
}
```

A variable or an element may be copied or returned before it is set, also as part of a struct. It is reported once a
branch, an address, an atomic or global memory depends on it. The place is where it was first read. A variable that is
declared in a loop without a value is unset in every iteration. What is computed from such a value is not reported
again.

**What to do.** Write every element that is read, or set the variable where it is declared. Let every path through a
function return a value.
""",
)
