"""What the iterations of a parallel loop have for themselves: by its clauses, and by where its variables are declared.

Must not know whether its iterations interfere.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from rewright.frontends.c.declared import below
from rewright.frontends.c.names import assigned_names
from rewright.frontends.c.openmp import ParallelLoop, combines
from rewright.frontends.c.scope import RegionScope
from rewright.model.nest import NestItem, ParallelMark, combining_operator, statements


def parallel_mark(scope: RegionScope, node: Node, items: tuple[NestItem, ...]) -> ParallelMark | None:
    """What is known of a loop with these items that may run in parallel, None of one that may not.

    A counter or a bound that all iterations share is noted: the loop then means nothing.
    """
    found = scope.parallel.get(node.start_byte)
    if found is None:
        return None
    inner = frozenset(each.name for each in below(node))
    for name in _shared(scope, node, inner | found.clauses.own):
        scope.note(f"all iterations change one `{name}`: declare it in the loop, or say `private({name})`", found.place)
    written = {str(each.write.array) for each in statements(items)}
    left = {name for name in found.clauses.last if name in scope.arrays}
    if left:
        scope.note(f"`lastprivate({', '.join(sorted(left))})` is not understood", found.place)
    for name in sorted(found.clauses.private | (found.clauses.first & written)):
        declared = scope.names.declared.get(name)
        if declared is not None and declared.is_pointer and name not in inner:
            scope.note(f"a copy of `{name}` is one of a pointer, its elements are shared", found.place)
    own = inner | found.clauses.private | (found.clauses.first & written)
    private = tuple(each.name for name, each in scope.arrays.items() if name in own)
    reductions = tuple(each.name for name, each in scope.arrays.items() if _is_combined(name, found, items))
    return ParallelMark(private, reductions, has_clauses=True)


def _shared(scope: RegionScope, node: Node, own: frozenset[str]) -> Iterator[str]:
    """The integers that an iteration changes and that are declared outside of the loop."""
    for name in sorted(assigned_names(node) - own):
        if name in scope.names.declared and name in scope.names.iterators | scope.names.bounds:
            yield name


def _is_combined(name: str, found: ParallelLoop, items: tuple[NestItem, ...]) -> bool:
    """Whether all that the loop writes to a variable is combined into it as its clause says."""
    operators = [operator for each, operator in found.clauses.reductions if each == name]
    writing = [combining_operator(each) for each in statements(items) if each.write.array == name]
    return bool(operators) and all(each is not None and combines(each, operators[0]) for each in writing)
