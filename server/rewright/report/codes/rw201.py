"""RW201: the two sides differ at an element."""

from rewright.report.codes import Code, Facts
from rewright.report.phrases import instance


def _message(facts: Facts) -> str:
    at = f"at {facts['at']} " if facts["at"] not in {"", "[]"} else ""
    sides = ("left", "right") if facts["direction"] == "=>" else ("right", "left")
    told = ", ".join(f"the {side} {_element(facts, side)}" for side in sides)
    return f"{at}{told}{instance(facts)}"


def _element(facts: Facts, side: str) -> str:
    """What stands on a side, and where it comes from."""
    value, source = facts[side], facts[f"{side}_from"]
    match facts[f"{side}_how"]:
        case "read":
            return f"reads {source} = {value}"
        case "padding":
            return f"reads the padding {source} = {value}" if source else f"reads the padding, {value}"
        case "constant":
            return f"is the constant {source}"
        case "iota":
            return f"is {value}, the index along {source}"
        case _:
            return f"is {value}" if source in {"", value} else f"is {value} ({source})"


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
  reverse(X, A) => X          // at [0] the left reads X[1], the right reads X[0]
}
```

The message says where the two elements come from: an entry of a tensor or a scalar, the padding, a constant, the
index along an axis, or what was computed. This is what the replay did, not a guess from equal values.

The counterexample is small in its ranks, then its sizes, then its attributes, and it was replayed in exact arithmetic
by an evaluator that shares no code with the prover. The hover shows every intermediate value of both sides. Where a
reduction differs it lists what each side combines, a dozen terms at most, and says which have no equal partner among
those of the other side; an identity needs none.

**What to do.** Correct the side that is wrong, or exclude the input with a `where`: the editor's quick fix offers
preconditions with which the rule was proved, the weakest first, each with how many small inputs it keeps. If the rule
is meant to be wrong, put `@expect(refuted)` above it.
""",
)
