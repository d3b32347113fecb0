"""RW301: two threads race within a block."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import of_block


def _message(facts: Facts) -> str:
    element = f"{facts['array']}[{facts['address']}]"
    both = facts["first"] == facts["second"]
    first = f"thread {facts['first_thread']}"
    second = f"thread {facts['second_thread']}"
    verbs = {"read": "read", "write": "written"}
    told = (
        f"`{element}` is {verbs[facts['first']]} by {first} and by {second}"
        if both
        else f"`{element}` is {verbs[facts['first']]} by {first} and {verbs[facts['second']]} by {second}"
    )
    return f"data race: {told}{of_block(facts)} with no barrier between (barrier interval {facts['interval']})"


def _second(facts: Facts) -> str:
    return f"thread {facts['second_thread']} {facts['second']}s `{facts['array']}[{facts['address']}]` here"


CODE = Code(
    code="RW301",
    title="data race",
    message=_message,
    related={"second": _second},
    page="""
Two threads of one block access the same element, at least one of them writes, and no barrier stands between: which
one comes first is not determined, and the result with it.

```rw
kernel reversed(x: in f32[256], y: out f32[256]) {
  launch block(256)
  shared buf: f32[256]
  buf[thread.x] = x[thread.x]
  y[thread.x] = buf[255 - thread.x]      // may be read before it is written
}
```

The message names the element, the two threads, and the barrier interval: how many barriers of the whole block come
before. Both accesses are underlined. The race was replayed: the two threads were run to the two accesses without a
barrier between.

**What to do.** Put a barrier (`barrier()`, `__syncthreads()`) that all threads of the block reach between the two
accesses.
""",
)
