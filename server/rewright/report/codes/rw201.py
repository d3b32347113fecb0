"""RW201: the two sides differ at an element."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import instance


def _message(facts: Facts) -> str:
    left, right = _value(facts, "left"), _value(facts, "right")
    at = f"at {facts['at']} " if facts["at"] not in {"", "[]"} else ""
    side = "left" if facts["direction"] == "=>" else "right"
    other = "right" if side == "left" else "left"
    first, second = (left, right) if side == "left" else (right, left)
    return f"{at}the {side} side is {first}, the {other} side is {second}{instance(facts)}"


def _value(facts: Facts, side: str) -> str:
    origin = facts[f"{side}_from"]
    return f"{origin} = {facts[side]}" if origin else facts[side]


CODE = Code(
    code="RW201",
    title="the sides differ",
    message=_message,
    page="""
The rule is refuted: there is an input that satisfies the preconditions and makes the left side valid, and at one
element the two sides have different values.

```rw
rule wrong<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(X, A) => X          // n = 2: at [0] the left is X[1], the right is X[0]
}
```

The counterexample is minimal in its ranks, then its sizes, then its attributes, and it was replayed in exact
arithmetic by an evaluator that shares no code with the prover. The hover shows every intermediate value of both
sides.

**What to do.** Correct the side that is wrong, or exclude the input with a `where`. If the rule is meant to be
wrong, put `@expect(refuted)` above it.
""",
)
