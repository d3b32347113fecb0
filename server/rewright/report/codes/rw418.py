"""RW418: a lemma is an assumption."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import LemmaAssumed


def _message(diagnosis: LemmaAssumed) -> str:
    return f"an assumption about {diagnosis.operators}, which nothing proves"


CODE = Code(
    code="RW418",
    title="a lemma is an assumption",
    message=_message,
    page="""
Of an operator that is declared by its shapes alone nothing is known, so nothing proves a lemma about it. The lemma is
taken as it is written: whoever wrote it answers for it. Each refinement that is proved by it says so: it assumes lemma
`norm_rows`, which nothing proves.

```rw
operator norm(x: f32[t, d], w: f32[d]) -> f32[t, d]

lemma norm_rows(x: f32[s, d], y: f32[t, d], w: f32[d]) {
  norm(concatenate(x, y, 0), w) => concatenate(norm(x, w), norm(y, w), 0)
}
```

**What to do.** Nothing, if it is true of the kernel. Where the kernel is a formula of known operators, the lemma that
says so is worth more than many others.
""",
)
