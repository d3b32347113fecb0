"""RW104: map on another axis group."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import MapOnAnotherGroup


def _message(diagnosis: MapOnAnotherGroup) -> str:
    return f"`{diagnosis.name}` is a map on `{diagnosis.on}`, used on `{diagnosis.used}`"


CODE = Code(
    code="RW104",
    title="map on another axis group",
    message=_message,
    page="""
A map is used on axes for which it has no values. It has one integer for each axis of its rank class. So it can be a
size or an attribute of its own group, or of a group linked to that by `~`, and it can be combined with maps of the same
class.

```rw
rule r<T: any> {
  axes A, B
  map n, stride on A
  map m on B
  tensor X: T[A: n, B: m]

  slice(X, B: (0, m, stride)) => X      // `stride` is a map on `A`
}
```

**What to do.** Declare a map on the group where it is used. If the groups correspond axis by axis, link them:
`axes A ~ B`. A size of single axes that a reshape joins or splits is an `int`: with `int x, y`, the size of r in
`reshape(X, [p, q] -> [r: x * y])` is their product.
""",
)
