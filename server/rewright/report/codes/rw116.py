"""RW116: pinned instance does not fit."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    if facts["problem"] == "rank":
        return f"the rank of `{facts['name']}` must be {facts['accepted']}, got {facts['value']}"
    return f"`{facts['name']}` gives `{facts['group']}` rank {facts['value']}, it has rank {facts['accepted']} already"


CODE = Code(
    code="RW116",
    title="pinned instance does not fit",
    message=_message,
    page="""
An `example` pins ranks of axis groups, maps (a list by axis), integers, scalars and tensors. The lists of all maps of
one rank class have as many values as the class has axes; a single `axis` has rank 1, a group declared with `+` at
least 1.

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
