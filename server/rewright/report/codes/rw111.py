"""RW111: wrong attribute."""

from rewright.report.codes import Code, Facts


def _message(facts: Facts) -> str:
    attribute = f"`@{facts['attribute']}`"
    match facts["problem"]:
        case "unknown":
            return f"unknown attribute {attribute}, there are {facts['accepted']}"
        case "twice":
            return f"{attribute} is given twice"
        case "not asked":
            if not facts["accepted"]:
                return f"nothing is asked over `{facts['value']}` here: the rule has no type parameter"
            return f"nothing is asked over `{facts['value']}` here, only over {facts['accepted']}"
        case _:
            return f"{attribute} takes {facts['accepted']} here"


CODE = Code(
    code="RW111",
    title="wrong attribute",
    message=_message,
    page="""
The attributes are `@expect`, `@budget` and `@source`:

```rw
@expect(refuted)                        // also: proved, checked, unknown
@expect(refuted, over = f32)            // of the question over f32
@expect(refuted, direction = "<=")      // of the right to left claim of `<=>`
@expect(refuted, code = RW203)          // for that reason
@budget(3)                              // three times the usual steps
@source("algebraic_simplifier: HandlePad")
rule r {
}
```

**What to do.** Correct the attribute as the message says.
""",
)
