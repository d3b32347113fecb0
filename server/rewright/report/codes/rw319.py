"""RW319: threads may hand over data by atomics."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.kernels import HandOver


def _message(diagnosis: HandOver) -> str:
    return f"not decided: {diagnosis.reason}"


CODE = Code(
    code="RW319",
    title="synchronisation by atomics",
    message=_message,
    page="""
Threads of this kernel may order their accesses by atomics: with a fence and a flag, by the number that an atomic gives
to each block, or by waiting for what another thread stores. Rewright does not follow this order. Where it matters, the
kernel is unknown.

```rw
kernel the_last_adds(count: inout s32[1], x: in f32[4], sum: out f32[1]) {
  launch grid(4), block(1)
  requires count[0] == 0
  if atomic_add(count[0], 1) == 3 { sum[0] = x[0] + x[1] + x[2] + x[3] }   // which block is the last is not followed
}
```

**What to do.** The kernel need not be wrong. Use a barrier where one suffices. Otherwise, check the parts of the kernel
before and after the hand-over as separate kernels.
""",
)
