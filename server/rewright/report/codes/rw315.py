"""RW315: a barrier that whole warps skip, since they have left the kernel."""

from rewright.report.codes import Code
from rewright.report.phrases import interval, thread, whole
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import BarrierAfterExit


def _message(diagnosis: BarrierAfterExit) -> str:
    skips = f"which the warp of {thread(diagnosis.other)} skips, having left the kernel {interval(diagnosis.interval)}"
    return f"early exit: {whole(diagnosis.who)} passes this barrier, {skips}"


CODE = Code(
    code="RW315",
    title="barrier after a warp has left",
    message=_message,
    related={Role.SECOND: lambda diagnosis: f"{thread(diagnosis.other)} leaves here"},
    page="""
Some warps pass a barrier of the whole block after all threads of other warps have left the kernel by `return`. Hardware
does not wait for warps that have left, and much code relies on it, but the CUDA C++ Programming Guide does not promise
it. So this is a warning: the barrier opens for the threads that remain, and the check goes on. What a thread did before
it left is not ordered with what others do after the barrier.

```rw
kernel upper(x: in f32[64], y: out f32[32]) {
  launch block(64)
  shared buf: f32[32]
  if thread.x >= 32 { return }           // the second warp leaves
  buf[thread.x] = x[thread.x]
  barrier()
  y[thread.x] = buf[31 - thread.x]
}
```

If only part of a warp has left, the others wait forever on some hardware: that is RW303, an error.

**What to do.** Guard what follows instead of leaving, so that every thread passes the barrier.
""",
)
