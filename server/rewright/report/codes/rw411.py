"""RW411: no such dimension."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import DimensionNotUnique, DimensionTwice, NoPermutation, NoSuchDimension

WrongDimension = NoSuchDimension | DimensionNotUnique | DimensionTwice | NoPermutation


def _message(diagnosis: WrongDimension) -> str:
    match diagnosis:
        case NoSuchDimension(dimension=dimension, shape=shape):
            return f"`{shape}` has no dimension `{dimension}`"
        case DimensionNotUnique(dimension=dimension, shape=shape):
            return f"`{shape}` has several dimensions `{dimension}`; write the number of one"
        case DimensionTwice(dimension=dimension):
            return f"dimension `{dimension}` is named twice"
        case NoPermutation(rank=rank):
            return f"a permutation names each of {rank} dimensions once"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW411",
    title="no such dimension",
    message=_message,
    page="""
A dimension of a tensor is named by the symbol of its size, sharded or not: `f32[t/dp, d]` has `t` and `d`. If two have
the same symbol, they are named by their numbers, from 0.

```rw
graph total(X: f32[m, k]) -> Y {
  Y = reduce(add, X, n)
}
```

**What to do.** Use a name or a number of a dimension that the tensor has.
""",
)
