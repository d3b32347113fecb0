"""RW310: a construct of a kernel that is not checked."""

from rewright.report.codes import Code

CODE = Code(
    code="RW310",
    title="not checked",
    message=lambda facts: f"not checked: {facts['reason']}",
    page="""
The kernel uses a construct that this version does not check, or its run exceeds the budget. Or something was found that
may be wrong or not: it depends on fences and atomics by which threads synchronise, on what atomics return to several
blocks, or on the last places of functions of floats. The kernel is unknown for that reason, and nothing is
claimed about it.

```rw
kernel forever(y: out s32[64]) {
  launch block(64)
  while true { y[thread.x] = 1 }         // never ends
}
```

**What to do.** If the budget ran out, allow more with `@budget(3)` above the declaration, or give smaller sizes.
Otherwise the message says what is not handled, at its place.
""",
)
