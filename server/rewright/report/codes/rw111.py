"""RW111: wrong attribute."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict.diagnostics.names import AttributeTwice, NotAskedOver, UnknownAttribute, WrongAttribute


def _message(diagnosis: UnknownAttribute | AttributeTwice | NotAskedOver | WrongAttribute) -> str:
    match diagnosis:
        case UnknownAttribute(attribute=attribute, accepted=accepted):
            return f"unknown attribute `@{attribute}`; known are {accepted}"
        case AttributeTwice(attribute=attribute):
            return f"`@{attribute}` is given twice"
        case NotAskedOver(domain=domain, accepted=""):
            return f"nothing is asked over `{domain}` here: the rule has no type parameter"
        case NotAskedOver(domain=domain, accepted=accepted):
            return f"nothing is asked over `{domain}` here, only over {accepted}"
        case WrongAttribute(attribute=attribute, accepted=accepted):
            return f"`@{attribute}` takes {accepted} here"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW111",
    title="wrong attribute",
    message=_message,
    page="""
The attribute does not exist, is given twice, or has arguments that it does not take. If it were ignored, a declaration
could be checked with another expectation than the one you stated.

```rw
@expect(refuted)                        // or another verdict
@expect(refuted, over = f32)            // of the question over f32
@expect(refuted, direction = "<=")      // of the right to left claim of `<=>`
@expect(refuted, code = RW203)          // for that reason
@budget(3)                              // three times the usual steps
@forall(N)                              // of a kernel: any value of this size counts
@source("algebraic_simplifier: HandlePad")
rule r {
}
```

**What to do.** Correct the attribute as the message says. [Syntax](../reference/syntax.md#attributes-of-declarations)
lists all attributes.
""",
)
