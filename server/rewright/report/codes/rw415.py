"""RW415: a placement does not fit."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import InputOfOneGraph, PlacementDoesNotFit

WrongPlacement = InputOfOneGraph | PlacementDoesNotFit


def _message(diagnosis: WrongPlacement) -> str:
    match diagnosis:
        case InputOfOneGraph(name=name, graph=graph):
            return f"`{graph}` has no `{name}`"
        case PlacementDoesNotFit(name=name, expected=expected, given=given):
            return f"with this placement `{name}` is `{expected}` on each rank, not `{given}`"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW415",
    title="a placement does not fit",
    message=_message,
    page="""
The inputs of the two graphs correspond by their names, and so do the results that are expected. A placement says what
each rank holds: everything (`replicate`, also where nothing is said), a part along a dimension (`shard(dimension,
axis)`), or a summand (`partial(add, axis)`). The shapes of the distributed graph, which are those of one rank, must be
what the placement makes of the sequential ones.

```rw
graph double(X: f32[t]) -> Y {
  Y = X + X
}

graph double_sharded(X: f32[t/sp]) -> Y on mesh(sp = 2) {
  Y = X + X
}

refine double_sharded of double {        // `X: shard(t, sp)` is missing
}
```

**What to do.** Correct the placement, or the shape in the distributed graph.
""",
)
