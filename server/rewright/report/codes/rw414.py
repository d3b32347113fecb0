"""RW414: a result is missing."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import CallsItself, NoResults, ResultNotComputed

MissingResult = ResultNotComputed | NoResults | CallsItself


def _message(diagnosis: MissingResult) -> str:
    match diagnosis:
        case ResultNotComputed(name=name):
            return f"nothing computes the result `{name}`"
        case NoResults():
            return "a graph needs results: `-> Y`"
        case CallsItself(graph=graph):
            return f"calls go round in a circle: `{graph}` is called in what it calls"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW414",
    title="a result is missing",
    message=_message,
    page="""
A graph names its results after `->`. Each is a parameter or a name that a statement assigns. A graph that calls itself,
or another one that calls it, has no results either.

```rw
graph twice(X: f32[n]) -> Z {
  Y = X + X
}
```

**What to do.** Name what is computed, or compute what is named.
""",
)
