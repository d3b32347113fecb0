"""RW121: groups of different rank classes."""

from typing import assert_never

from rewright.report.codes import Code
from rewright.verdict import Role
from rewright.verdict.diagnostics.names import MixedRankClass, OtherRankClass, RankClassTwice

WrongClass = OtherRankClass | RankClassTwice | MixedRankClass


def _message(diagnosis: WrongClass) -> str:
    match diagnosis:
        case OtherRankClass(source=source, target=target):
            return f"`{source}` cannot be renamed to `{target}`: they are of different rank classes"
        case RankClassTwice(group=group):
            return f"`{group}` is in a rank class already; link all its groups in one declaration"
        case MixedRankClass(name=name, single=True):
            return f"`{name}` is a single axis, and `axes` links groups of any rank; single axes are linked by `axis`"
        case MixedRankClass(name=name):
            return f"`{name}` is an axis group of any rank, and `axis` links single axes; groups are linked by `axes`"
        case _:
            assert_never(diagnosis)


def _first(diagnosis: WrongClass) -> str:
    match diagnosis:
        case RankClassTwice(group=name) | MixedRankClass(name=name):
            return f"`{name}` is first declared here"
        case OtherRankClass(source=source):
            return f"`{source}` is declared here"
        case _:
            assert_never(diagnosis)


CODE = Code(
    code="RW121",
    title="groups of different rank classes",
    message=_message,
    related={Role.FIRST: _first},
    page="""
`transpose` renames one axis group to another that may have a different rank. Source and target must have the same rank
and corresponding axes, so they have to be linked by `~`.

```rw
rule r<T: any> {
  axes A, B                             // write `axes A ~ B`
  map n on A
  tensor X: T[A: n]

  transpose(X, A -> B) => X
}
```

A group is in one rank class, and all groups of it are linked where they are declared: `axes A ~ B ~ C`. Single axes are
linked by `axis m ~ k`. A class has groups of any rank or single axes, never both.

**What to do.** Declare the groups in one rank class: `axes A ~ B`, or `axis m ~ k` for single axes.
""",
)
