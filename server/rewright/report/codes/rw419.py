"""RW419: a lemma is not used."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import LemmaNotUsed, NoOperatorSatisfies


def _message(diagnosis: LemmaNotUsed | NoOperatorSatisfies) -> str:
    match diagnosis:
        case LemmaNotUsed():
            return f"lemma `{diagnosis.lemma}` is not used: it is not proved"
        case NoOperatorSatisfies():
            return f"no operator satisfies lemma `{diagnosis.lemma}` beside the others that are used"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW419",
    title="a lemma is not used",
    message=_message,
    page="""
A lemma of known operators counts only if it is proved. One that is refuted, or of which it is not seen that it holds,
is not used. Lemmas of opaque operators are assumptions, but if they contradict each other, everything would follow: the
refinement is unknown then.

```rw
lemma halves(x: f32[n]) {
  x / 2 => x * 2
}

graph one(x: f32[n]) -> y {
  y = x + x
}

graph other(x: f32[n]) -> y on mesh(dp = 2) {
  y = 2 * x
}

refine other of one {
  using halves
}
```

**What to do.** Mend the lemma, or leave it out of `using`.
""",
)
