"""RW416: a loop that cannot be gone through."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import CarriedOtherwise, NameOfLoop, StepsNotKnown, TooManySteps

WrongLoop = StepsNotKnown | CarriedOtherwise | NameOfLoop | TooManySteps


def _message(diagnosis: WrongLoop) -> str:
    match diagnosis:
        case StepsNotKnown(bound=bound):
            return f"how many steps this has is not known: `{bound}` is no number"
        case CarriedOtherwise(name=name, before=before, after=after):
            return f"`{name}` has shape `{before}` before a step and `{after}` after it"
        case NameOfLoop(name=name):
            return f"`{name}` is known in a step of a loop only; what is to go on is assigned before the loop, too"
        case TooManySteps(statements=statements, nodes=nodes):
            return f"more than {statements} steps and statements in them, or more than {nodes} tensors"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW416",
    title="a loop that cannot be gone through",
    message=_message,
    page="""
A loop of a graph is gone through step by step while the graph is read. So its bounds are numbers, the sizes of mesh
axes, or steps of loops around it. A tensor from outside of the loop that a step assigns is carried on, and keeps its
shape. Other names are of one step.

```rw
graph total(X: f32[4 * n, k]) -> S {
  S = 0
  for i in 0..4 {
    S = S + reduce(add, slice(X, 0, i * n, (i + 1) * n), 0)
  }
}
```

**What to do.** Give the loop a known number of steps. Let what it carries begin in the shape that it is to have, such
as `S = broadcast(0, i: k)`. Assign what is read after the loop before it, too. If there are too many steps, look at
fewer.
""",
)
