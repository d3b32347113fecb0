"""RW321: a kernel is wrong unless something holds that is not stated."""

from rewright.report.codes import Code, related, sentence
from rewright.report.phrases import unstated
from rewright.verdict import Role
from rewright.verdict.diagnostics.kernels import WrongUnless


def _message(diagnosis: WrongUnless) -> str:
    if diagnosis.conditions:
        broken = " or ".join(f"`{each.broken}`" for each in diagnosis.conditions)
        return f"wrong if {broken}: {sentence(diagnosis.found)}"
    return f"seen only{unstated(diagnosis.chosen).removeprefix(',')}: {sentence(diagnosis.found)}"


CODE = Code(
    code="RW321",
    title="wrong unless a condition holds",
    message=_message,
    related={Role.SECOND: lambda diagnosis: related(diagnosis.found, Role.SECOND)},
    page="""
Something goes wrong at sizes, parameters or contents that were chosen: neither the text nor you said that they occur.
So it refutes nothing. Rewright looks for what must hold to exclude it, and runs the kernel again where it does. If
nothing goes wrong there, the kernel is *checked, provided that* the condition holds.

```rw
kernel scaled<N>(x: in f32[N], y: out f32[N]) {
  launch grid((N + 31) / 32), block(32)
  y[block.x * 32 + thread.x] = 2.0 * x[block.x * 32 + thread.x]      // wrong if N % 32 != 0
}
```

The message says which condition is broken, then what happened at a counterexample, which was replayed. Where no
condition was found, the kernel is unknown, and the message names the values that were chosen.

**What to do.** If the condition always holds, state it: `requires N % 32 == 0` in the declaration or the launch
comment. The quick fix does so. If it need not hold, mend the kernel. With `--strict` a conditional kernel is not as
expected. With `forall n` in the launch comment, or `@forall(N)` above the declaration, no size of this name is chosen:
what goes wrong at any is an error.
""",
)
