"""RW108: wrong arguments."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    operator = f"`{facts['operator']}`"
    match facts["problem"]:
        case "count":
            plural = "" if facts["wanted"] == "1" else "s"
            return f"{operator} takes {facts['wanted']} operand{plural}, got {facts['given']}"
        case "surplus":
            return f"{operator} takes no further attribute here, only {facts['accepted']}"
        case "unknown" if facts["accepted"]:
            return f"`{facts['attribute']}` is no attribute of {operator}, which takes {facts['accepted']}"
        case "unknown":
            return f"`{facts['attribute']}` is no attribute of {operator}"
        case "missing":
            return f"{operator} needs {facts['attribute']}"
        case "twice":
            return f"`{facts['attribute']}` of {operator} is given twice"
        case "mixed":
            return f"{operator} takes its attributes either one after the other or by axis group, not both"
        case _:
            over = f", as the tensor has {facts['groups']}" if facts["groups"] else ""
            return f"{operator} takes its attributes by axis group here, as in `{facts['form']}`{over}"


CODE = Code(
    code="RW108",
    title="wrong arguments",
    message=_message,
    page="""
The arguments do not fit the operator: too many or too few operands, an attribute that it does not have, one that is
missing or given twice. Attributes stand one after the other when the tensor has one axis group, and else by group:

```rw
rule r<T: any> {
  axes A, B
  map n on A
  map m on B
  tensor X: T[A: n, B: m]

  slice(X, 0, n) => X                   // by group: `slice(X, A: (0, n))`
}
```

**What to do.** Look up the [operator](../operators.md), or hover over its name.
""",
)
