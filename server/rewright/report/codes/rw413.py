"""RW413: wrong ranks."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import (
    AxisTwice,
    AxisWithoutSize,
    MeshOfCallDiffers,
    NoSuchCoordinate,
    TwoSenders,
    WrongWithRanks,
)

WrongRanks = AxisTwice | AxisWithoutSize | WrongWithRanks | MeshOfCallDiffers | TwoSenders | NoSuchCoordinate


def _message(diagnosis: WrongRanks) -> str:
    match diagnosis:
        case AxisTwice(axis=axis):
            return f"mesh axis `{axis}` is used twice"
        case AxisWithoutSize(axis=axis, graph=graph):
            return f"mesh axis `{axis}` of `{graph}` has any size; say which ones are meant, as in `at {axis} = 2, 4`"
        case WrongWithRanks(axis=axis, size=size, graph=graph):
            return f"`{graph}` has errors where `{axis}` = {size}"
        case MeshOfCallDiffers(graph=graph, axis=axis, here=here):
            return f"`{graph}` is on a mesh with `{axis}`, here it is {f'`{here}`' if here else 'on none of that name'}"
        case TwoSenders(receiver=receiver):
            return f"two ranks send to rank {receiver}"
        case NoSuchCoordinate(axis=axis, size=size, coordinate=coordinate):
            return f"mesh axis `{axis}` has {size} ranks, from 0; there is no rank {coordinate}"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW413",
    title="wrong ranks",
    message=_message,
    page="""
A mesh axis is used twice where it can be used once, or a collective names a rank that is not there, or two that send to
the same one. Or a refinement does not say how many ranks there are along an axis of any size, or it says a number with
which the graph is wrong. Or a graph is called that is on a mesh with an axis that is not there, or longer or shorter.

```rw
graph shifted(X: f32[t]) -> Y on mesh(sp = 2) {
  Y = collective_permute(X, over = sp, pairs = [(0, 1), (1, 1)])
}
```

**What to do.** Correct the axis or the rank. Ranks along an axis count from 0.
""",
)
