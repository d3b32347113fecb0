"""The state of reading one region: what its names stand for, where its nodes stand, what was refused.

`integers` are the values that names have where the reading has come to: parameters, iterators of the loops around, and
what was assigned to names that hold bounds. Must not know any statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field
from tree_sitter import Node

from rewright.frontends.c.integers import Integers
from rewright.frontends.c.known import Known
from rewright.frontends.c.names import RegionNames
from rewright.frontends.c.openmp import ParallelLoop
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.sums import Sum
from rewright.model.index import Name
from rewright.model.nest import NestArray
from rewright.verdict import Finding, InSource, Severity
from rewright.verdict.diagnostics.rules import NotDecided


class RegionScope(Struct):
    """The state of reading one region.

    `arrays` are those that are known, by name. With a `specification`, by its name, there are no others, and no
    parameters but those that it has; without one, an array is what is used as one. `sited` numbers places. `parallel`
    are the loops that may run in parallel, by their first byte; `written` gives the text of a node as it is written,
    macros not expanded. `share` are functions of the text that use a variable besides their arguments.
    """

    names: RegionNames
    functions: Mapping[str, tuple[tuple[str, ...], Node] | None]
    place: Callable[[Node], InSource]
    written: Callable[[Node], str]
    sited: Callable[[InSource], int]
    specification: str | None
    known: Known
    integers: dict[str, Sum]
    parameters: dict[str, Sum]
    arrays: dict[str, NestArray]
    parallel: Mapping[int, ParallelLoop]
    share: Mapping[str, str]
    findings: list[Finding] = field(default_factory=list)

    def site(self, node: Node) -> int:
        """The number of the place of a node."""
        return self.sited(self.place(node))

    def place_between(self, node: Node, inner: Node) -> InSource:
        """The place of what a node begins with, up to a part of it: the head of a loop."""
        start, end = self.place(node), self.place(inner)
        return InSource(start.path, start.start, max(start.start, end.start)) if start.path == end.path else start

    def refuse(self, refused: NotAffine) -> None:
        """Notes why a construct is not taken, at its place."""
        self.note(refused.reason, self.place(refused.node), refused)

    def note(self, reason: str, place: InSource, refused: NotAffine | None = None) -> None:
        """Notes what keeps the region from being understood."""
        wrong = refused.wrong if refused is not None else None
        severity = Severity.WARNING if wrong is None else Severity.ERROR
        found = Finding(wrong or NotDecided(reason), severity, place)
        if found not in self.findings:
            self.findings.append(found)

    def reading(self) -> Integers:
        """How integers are read here."""
        return Integers(self.integers, self.known, self.functions, self._why, self.names.unsigned)

    def _why(self, name: str) -> str:
        """Why a name has no value here."""
        if name in self.arrays or (name in self.names.declared and name not in self.names.parameters):
            declared = self.names.declared.get(name)
            if declared is None or not declared.is_integer:
                return f"`{name}` is data, which is not affine"
        if name in self.names.iterators:
            return f"`{name}` has no value that is known here, outside of its loop"
        if name in self.names.bounds:
            return f"`{name}` has no value that is known here: a loop or a condition may change it"
        if self.specification is not None:
            return f"`{name}` is no parameter of `{self.specification}`"
        return f"`{name}` is not affine"

    def forget(self, names: Iterable[str]) -> None:
        """Leaves open what names stand for that something may have changed."""
        for name in names:
            if name in self.names.bounds or name in self.names.iterators:
                self.integers.pop(name, None)
                if name in self.parameters:
                    self.integers[name] = self.parameters[name]

    def iterate(self, name: str, node: Node) -> Name:
        """The iterator of a loop, if nothing around it has its name. Raises `NotAffine`."""
        if name in self.parameters:
            raise NotAffine(f"`{name}` is a parameter of `{self.specification}`", node)
        if name in self.arrays:
            raise NotAffine(f"`{name}` is an array and the iterator of a loop", node)
        if any(each.iterator == name for each in self.known.iterators):
            raise NotAffine(f"`{name}` is the iterator of a loop around this one", node)
        return Name(name)
