"""RW116: example does not fit the rule."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import PinnedAxes, PinnedRank


def _message(diagnosis: PinnedRank | PinnedAxes) -> str:
    match diagnosis:
        case PinnedRank(name=name, rank=rank, accepted=accepted):
            return f"the rank of `{name}` must be {accepted}, got {rank}"
        case PinnedAxes(name=name, group=group, rank=rank, known=known):
            return f"`{name}` gives `{group}` rank {rank}, but it already has rank {known}"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW116",
    title="example does not fit the rule",
    message=_message,
    page="""
The values in an `example` do not fit the declarations of the rule. An `example` pins ranks of axis groups, maps (a list
by axis), integers, scalars and tensors. The lists of all maps of one rank class have as many values as the class has
axes. A single `axis` has rank 1, a group declared with `+` at least 1.

```rw
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]

  X => X

  example { A = 2; n = [2, 5, 3] }      // three values for two axes
}
```

**What to do.** Give as many values as there are axes.
""",
)
