"""RW201: the two sides differ at an element."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.report.phrases import instance
from rewright.verdict.diagnostics.rules import ElementOrigin, SideElement, ValuesDiffer


def _message(diagnosis: ValuesDiffer) -> str:
    sides = (("left", diagnosis.left), ("right", diagnosis.right))
    ordered = sides if diagnosis.direction == "=>" else sides[::-1]
    parts = ", ".join(f"the {name} {_element(side)}" for name, side in ordered)
    return f"{_at(diagnosis.at)}{parts}{instance(diagnosis.given)}"


def _at(at: tuple[tuple[str, tuple[int, ...]], ...]) -> str:
    """`at [1, 2] `: one list, or by group where there are several; nothing where there is no axis."""
    match at:
        case () | ((_, ()),):
            return ""
        case ((_, index),):
            return f"at {list(index)} "
        case _:
            return f"at {', '.join(f'{group} {list(index)}' for group, index in at)} "


def _element(side: SideElement) -> str:
    """What stands on a side, and where it comes from."""
    value, source = side.value, side.source
    match side.how:
        case ElementOrigin.READ:
            return f"reads {source} = {value}"
        case ElementOrigin.PADDING:
            return f"reads the padding {source} = {value}" if source else f"reads the padding, {value}"
        case ElementOrigin.CONSTANT:
            return f"is the constant {source}"
        case ElementOrigin.IOTA:
            return f"is {value}, the index along {source}"
        case ElementOrigin.COMPUTED:
            return f"is {value}" if source in {"", value} else f"is {value} ({source})"
        case _:
            assert_never(side.how)


CODE = Code(
    code="RW201",
    title="the sides have different values",
    message=_message,
    page="""
The rule is wrong: for the input in the message, the two sides have different values at one element. The input satisfies
the preconditions, and the left side is valid for it.

```rw
rule wrong<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(X, A) => X          // at [0] the left reads X[1], the right reads X[0]
}
```

The message says where the two elements come from: an entry of a tensor or a scalar, the padding, a constant, the index
along an axis, or a computation. This is what the replay did, not a guess from equal values.

The counterexample is small in its ranks first, then in its sizes, then in its attributes. It was replayed in exact
arithmetic by an evaluator that shares no code with the prover. The hover shows every intermediate value of both sides.
If a reduction differs, the hover lists what each side combines, a dozen terms at most. It says which terms have no
equal partner on the other side; an identity needs none.

**What to do.** Correct the side that is wrong, or exclude the input with a `where`. The quick fix offers preconditions
with which the rule was proved, the weakest first, and says how many small inputs each keeps. If the rule is meant to be
wrong, put `@expect(refuted)` above it.
""",
)
