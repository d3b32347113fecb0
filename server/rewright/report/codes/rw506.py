"""RW506: iterations of a parallel loop interfere."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict import Role
from rewright.verdict.diagnostics.loops import IterationsInterfere, PrivateValuePasses


def _message(diagnosis: IterationsInterfere | PrivateValuePasses) -> str:
    first_at = f" (first at {diagnosis.sizes})" if diagnosis.sizes else ""
    loop = f"`parallel for {diagnosis.iterator}`"
    match diagnosis:
        case IterationsInterfere(first=first, second=second, element=element, write=(one, other), remedy=remedy):
            accesses = f"{first} {_does(one)} `{element}` and {second} {_does(other)} it"
            what_does = f"; `{remedy}` mends it" if remedy else ""
            return f"race: {accesses}, which {loop} does not order{first_at}{what_does}"
        case PrivateValuePasses(reader=reader, writer="", element=element):
            return f"race: {reader} reads `{element}`, private in {loop}, before that iteration wrote it{first_at}"
        case PrivateValuePasses(reader=reader, writer=writer, element=element):
            said = f"{reader} reads `{element}` of {writer}, but it is private to an iteration of {loop}"
            return f"race: {said}{first_at}"
        case _:
            assert_never(diagnosis)


def _does(writes: bool) -> str:
    return "writes" if writes else "reads"


CODE = Code(
    code="RW506",
    title="iterations of a parallel loop interfere",
    message=_message,
    related={
        Role.FIRST: lambda diagnosis: "the other access",
        Role.SECOND: lambda diagnosis: "the loop whose iterations run at once",
    },
    page="""
Two iterations of a loop that is marked as parallel access the same element, and one of them writes it: the result
depends on which is first. The sizes are the smallest at which it happens, and the two operations are named.

```rw
loops average(N) {
  array A: f64[N + 1]
  array B: f64[N]
  array s: f64
  parallel for i in 0..N {
    S: s = A[i] + A[i + 1]                 // every iteration writes the one `s`
    U: B[i] = s / 2
  }
}
```

An array that is `private` has a copy in each iteration. It is an error, too, if its value passes from one iteration to
another, into the loop or out of it.

**What to do.** Say `private s` if each iteration writes the array before it reads it, and no later statement needs it.
Say `reduction S` if the iterations only combine values into the element, and their order may change. Where one of them
suffices, the message names it. Else the loop carries a dependence and must stay sequential, or be skewed so that
another loop can be parallel.
""",
)
