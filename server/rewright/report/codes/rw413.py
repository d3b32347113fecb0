"""RW413: wrong ranks."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import AxisTwice, NoSuchCoordinate, TwoSenders

WrongRanks = AxisTwice | TwoSenders | NoSuchCoordinate


def _message(diagnosis: WrongRanks) -> str:
    match diagnosis:
        case AxisTwice(axis=axis):
            return f"mesh axis `{axis}` is used twice"
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
the same one.

```rw
graph shifted(X: f32[t]) -> Y on mesh(sp = 2) {
  Y = collective_permute(X, over = sp, pairs = [(0, 1), (1, 1)])
}
```

**What to do.** Correct the axis or the rank. Ranks along an axis count from 0.
""",
)
