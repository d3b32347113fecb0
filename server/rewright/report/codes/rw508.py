"""RW508: what a checked transform did not execute."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.loops import NeverRan


def _message(diagnosis: NeverRan) -> str:
    return "this never ran at these sizes: the verdict says nothing of it"


CODE = Code(
    code="RW508",
    title="a part of a transform was not run",
    message=_message,
    page="""
A transform that is not affine is run at some sizes, and *checked* says what was seen there. This statement, or this
branch, was executed at none of them. Nothing is known of it; an editor shows it greyed.

```c
void f(int N, double A[N], double B[N]) {
  int i = 0;
  while (i < N) { A[i] = B[i]; ++i; }
  if (N > 900)
    A[0] = B[1];                         // never run: all sizes were smaller
}
```

**What to do.** Give sizes at which it runs, `at N = 1000`, in a `.rw` file that names the transform. Or remove it.
""",
)
