"""Loops that OpenMP says may run in parallel, with their clauses (OpenMP 5.2, sections 5.4, 11.5 and 12.1).

Owns which loop a pragma speaks of, and which pragmas are not understood: the loops of these are taken in order. Must
not know what a loop does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.c.declared import declarations
from rewright.frontends.c.names import counters
from rewright.frontends.c.regions import node_after
from rewright.frontends.c.tree import field, parts
from rewright.frontends.preprocessor import Expanded, Pragma
from rewright.verdict import InSource

_DIRECTIVES = frozenset({"parallel", "for", "simd"})
_HARMLESS = frozenset(
    {"schedule", "num_threads", "default", "shared", "proc_bind", "if", "safelen", "simdlen", "aligned"}
)
"""LoopClauses that say nothing of what an iteration may do; what is shared is shared in any case."""

_CLAUSE = re.compile(r"(\w+) ?(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?[ ,]*")
_REDUCING = frozenset({"+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"})
_COMBINES = {"+": ("+", "-"), "-": ("+", "-"), "&&": ("and",), "||": ("or",)}
"""By the operator of a `reduction`, those of the statements that it allows, where it is not the same alone."""


class LoopClauses(Struct, frozen=True):
    """What a pragma says of the variables of its loop.

    Those in `private` have a copy without a first value in each iteration, those in `first` one with the value from
    before; `reductions` has the operator for each that is combined. `last` have a value after the loop.
    """

    private: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    reductions: tuple[tuple[str, str], ...] = ()

    @property
    def own(self) -> frozenset[str]:
        """The variables of which each iteration has a copy."""
        return self.private | self.first | self.last


class ParallelLoop(Struct, frozen=True):
    """That a loop may run in parallel: what its pragma says of variables, and where."""

    clauses: LoopClauses
    place: InSource


class ParallelLoops(Struct, frozen=True):
    """The parallel loops of a region by their first byte, and the pragmas that are not understood, with why not."""

    loops: Mapping[int, ParallelLoop]
    undecided: tuple[tuple[str, InSource], ...]


def parallel_loops(statements: Sequence[Node], root: Node, expanded: Expanded) -> ParallelLoops:
    """What OpenMP says of the loops in these statements of the text with this root."""
    marked: list[tuple[Node, ParallelLoop]] = []
    undecided: list[tuple[str, InSource]] = []
    around: list[tuple[Node, LoopClauses, InSource]] = []
    in_order: list[Node] = []
    for pragma, node in _spoken_of(root, expanded):
        if not any(_contains(each, node) for each in statements):
            continue
        read = _read(pragma.words)
        nested = _nested(node, read.depth) if isinstance(read, _Said) and "for" in read.directive else None
        if isinstance(read, str):
            in_order.append(node)
            undecided.append((read, pragma.place))
        elif nested is not None:
            clauses = read.clauses
            for block, more, _ in around:
                clauses = _together(clauses, more) if _contains(block, node) else clauses
            # The counters of all these loops are private, wherever they are declared.
            counted = frozenset(name for each in nested for name in counters(each))
            clauses = replace(clauses, private=clauses.private | counted)
            marked += ((each, ParallelLoop(clauses, pragma.place)) for each in nested)
        elif read.directive == ("parallel",) and node.type == "compound_statement":
            own = frozenset(each.name for child in node.named_children for each in declarations(child))
            around.append((node, replace(read.clauses, private=read.clauses.private | own), pragma.place))
        else:
            undecided.append((f"`{' '.join(read.directive)}` is not understood here", pragma.place))
    loops = {loop.start_byte: each for loop, each in marked if not any(_contains(loop, inner) for inner in in_order)}
    for block, _, place in around:
        if any(each.start_byte not in loops and each.type != "declaration" for each in parts(block)):
            undecided.append(("every thread executes what stands in this block", place))
    return ParallelLoops(loops, tuple(undecided))


def spoken_of(nodes: Sequence[Node], root: Node, expanded: Expanded) -> Iterator[Pragma]:
    """The pragmas of OpenMP that speak of something in these nodes of the text with this root."""
    for pragma, node in _spoken_of(root, expanded):
        if any(_contains(each, node) for each in nodes):
            yield pragma


def combines(operator: str, by: str) -> bool:
    """Whether a statement that combines values by an operator may do so in a `reduction` by another one."""
    return operator in _COMBINES.get(by, (by,)) and by in _REDUCING


def _spoken_of(root: Node, expanded: Expanded) -> Iterator[tuple[Pragma, Node]]:
    for pragma in expanded.pragmas:
        if pragma.words.split()[:1] == ["omp"]:
            node = node_after(root, pragma.offset)
            if node is not None:
                yield pragma, node


def _contains(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


class _Said(Struct, frozen=True):
    """The words of a directive, its clauses, and of how many loops it speaks."""

    directive: tuple[str, ...]
    clauses: LoopClauses
    depth: int


def _read(words: str) -> _Said | str:
    """What a pragma says; why not, if it is not understood."""
    directive: list[str] = []
    clauses, depth = LoopClauses(), 1
    rest = words.removeprefix("omp").strip()
    while rest:
        found = _CLAUSE.match(rest)
        if found is None:
            return f"`{rest}` is not understood"
        rest = rest[found.end() :]
        name, said = found[1], found[2]
        names = frozenset(re.findall(r"\w+", said or ""))
        if said is None and name in _DIRECTIVES:
            directive.append(name)
        elif name == "private":
            clauses = replace(clauses, private=clauses.private | names)
        elif name == "firstprivate":
            clauses = replace(clauses, first=clauses.first | names)
        elif name == "lastprivate":
            clauses = replace(clauses, last=clauses.last | names)
        elif name == "reduction" and said is not None:
            operator, _, listed = said.partition(":")
            pairs = ((each, operator.strip()) for each in re.findall(r"[A-Za-z_]\w*", _without_sections(listed)))
            clauses = replace(clauses, reductions=(*clauses.reductions, *pairs))
        elif name == "collapse" and said is not None and said.strip().isdigit():
            depth = int(said)
        elif name not in _HARMLESS:
            return f"`{name}` is not understood"
    return _Said(tuple(directive), clauses, depth)


def _without_sections(listed: str) -> str:
    return re.sub(r"\[[^\]]*\]", "", listed)


def _together(one: LoopClauses, other: LoopClauses) -> LoopClauses:
    return LoopClauses(
        one.private | other.private,
        one.first | other.first,
        one.last | other.last,
        (*one.reductions, *other.reductions),
    )


def _nested(node: Node, depth: int) -> list[Node] | None:
    """The loop and those directly in it, `depth` in all; None if there are not so many."""
    found: list[Node] = []
    inner = node
    while len(found) < depth:
        while inner.type == "compound_statement" and len(parts(inner)) == 1:
            inner = parts(inner)[0]
        if inner.type != "for_statement":
            return None
        found.append(inner)
        inner = field(inner, "body")
    return found
