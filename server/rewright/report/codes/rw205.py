"""RW205: a rule's question was not decided."""

from collections.abc import Iterator

from rewright.report.codes import Code
from rewright.verdict.diagnostics.rules import NotDecided, RuleNotDecided
from rewright.verdict.undecided import ADVICE


def _message(diagnosis: NotDecided | RuleNotDecided) -> str:
    match diagnosis:
        case NotDecided(reason=reason):
            return f"not decided: {reason}"
        case RuleNotDecided(reason=reason, why=why):
            lines = [f"not decided: {reason}", *_sums(diagnosis), f"next: {ADVICE[why].next_step}"]
            return "\n".join(lines)


def _sums(diagnosis: RuleNotDecided) -> Iterator[str]:
    for side, text in (("left", diagnosis.left), ("right", diagnosis.right)):
        if text:
            yield f"the {side} is {text}"
    for side, terms in (("left", diagnosis.unpaired_left), ("right", diagnosis.unpaired_right)):
        yield from (f"without a partner on the {side}: {term}" for term in terms)
    if diagnosis.fact:
        yield f"they are equal where {diagnosis.fact}: add it to `where`"


def _table() -> str:
    rows = (
        f"| {advice.meaning} | {advice.next_step[0].upper()}{advice.next_step[1:]}. |" for advice in ADVICE.values()
    )
    return "\n".join(("| why | what to do next |", "|---|---|", *rows))


CODE = Code(
    code="RW205",
    title="not decided",
    message=_message,
    page=f"""
The rule was neither proved nor refuted, and is not counted as proved. The message says why: a construct that this
version does not decide, an open hole (`?`), or a budget that ran out.

```rw
rule r<T: any> {{
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(X, A) => slice(X, ?, n)
}}
```

Of reductions that were compared, the message shows both sums in the names of the rule, the terms of each side without
a partner, and the condition under which they are equal, if one was found.

**What to do.** That depends on the reason, of which a rule has one of these. The message ends with what to do next.

{_table()}

* *A kind of declaration that is not supported yet.* It is read, and nothing is asked.

* *An open hole.* The quick fix fills `where ?` or `low = ?` with an expression, or offers up to three preconditions and
  says which share of small inputs each keeps. Each was found by replaying small inputs, and then proved. If none is
  offered within seconds, none was found.
""",
)
