"""RW417: a lemma of graphs does not hold."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import LemmaFails


def _message(diagnosis: LemmaFails) -> str:
    at = f" at {list(diagnosis.index)}" if diagnosis.index else ""
    return f"the lemma does not hold: the left side is {diagnosis.left}{at}, the right side {diagnosis.right}"


CODE = Code(
    code="RW417",
    title="a lemma of graphs does not hold",
    message=_message,
    page="""
There is an input on which the two sides of the lemma differ. It was run in exact arithmetic. A lemma in which an opaque
operator stands is refuted only if the sides differ whatever that operator computes. No refinement uses such a lemma.

```rw
lemma slices(x: f32[12]) {
  reshape(slice(slice(reshape(x, [6, 2]), 1, 0, 1), 0, 1, 3), [2]) => slice(x, 0, 1, 3)
}
```

**What to do.** Compare the sides at the input that is shown. With `@expect(refuted)` the lemma stays as an example of
what is wrong.
""",
)
