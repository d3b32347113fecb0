"""RW104: map on another axis group."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import MapOnAnotherGroup


def _message(told: MapOnAnotherGroup) -> str:
    return f"`{told.name}` is a map on `{told.on}`, used on `{told.used}`"


CODE = Code(
    code="RW104",
    title="map on another axis group",
    message=_message,
    page="""
A map has one integer for each axis of its rank class, so it can only be used where those axes are meant: as a size or
an attribute of its own group (or of a group linked to it by `~`), and beside maps of the same class.

```rw
rule r<T: any> {
  axes A, B
  map n, stride on A
  map m on B
  tensor X: T[A: n, B: m]

  slice(X, B: (0, m, stride)) => X      // `stride` is a map on `A`
}
```

**What to do.** Declare a map on the group where it is used, or link the groups with `axes A ~ B` if they correspond
axis by axis.
""",
)
