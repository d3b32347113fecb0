"""The bookkeeping of lowering one CUDA function: places, names in scope, problems so far.

Invariants: a name of the text is renamed where it is taken, so every name of the program is declared once; a lowering
function that cannot go on has noted a problem and returns None. Mutable, and owned by one lowering. Must not know the
shape of any construct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from rewright.model.body import Array, Local
from rewright.model.index import Name
from rewright.model.simt.types import Scalar
from rewright.verdict import InSource, Place


class Problem(NamedTuple):
    """Why a kernel is not checked, as a sentence, and where."""

    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class Macro:
    """`#define NAME value`. `value` is None if its meaning is not settled (defined twice, conditionally, or empty)."""

    name: str
    value: bytes | None


Meaning = Local | Array


@dataclass(slots=True)
class Reader:
    """One lowering under way. `fixed` is the place of everything while the value of a macro is read."""

    path: str
    macros: Mapping[str, Macro]
    taken: set[str]
    problems: list[Problem] = field(default_factory=list)
    locals: list[Local] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    fixed: Place | None = None
    _scopes: list[dict[str, Meaning]] = field(default_factory=lambda: [{}])

    def place(self, node: Node) -> Place:
        """Where a node stands in the source."""
        return self.fixed or InSource(self.path, node.start_byte, node.end_byte)

    def refuse(self, node: Node, reason: str) -> None:
        """Notes a problem at a node, once per place."""
        problem = Problem(reason, self.place(node))
        if all(problem.place != known.place for known in self.problems):
            self.problems.append(problem)

    def refuse_construct(self, node: Node, what: str) -> None:
        """Notes a construct that this front end does not read."""
        self.refuse(node, f"{what} is not supported yet")

    def declare(self, text: str, scalar: Scalar) -> Local:
        """Enters a local variable into the innermost scope."""
        local = Local(self.fresh(text), scalar)
        self.locals.append(local)
        self._scopes[-1][text] = local
        return local

    def declare_array(self, text: str, array: Array) -> None:
        """Enters an array into the innermost scope."""
        self.arrays.append(array)
        self._scopes[-1][text] = array

    def meaning(self, text: str) -> Meaning | None:
        """What a name stands for, innermost first."""
        return next((scope[text] for scope in reversed(self._scopes) if text in scope), None)

    def is_declared_here(self, text: str) -> bool:
        """Whether the innermost scope declares the name."""
        return text in self._scopes[-1]

    def fresh(self, text: str) -> Name:
        """A name that nothing else has."""
        name, number = text, 1
        while name in self.taken:
            number += 1
            name = f"{text}'{number}"
        self.taken.add(name)
        return Name(name)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A block of the text, with names of its own."""
        self._scopes.append({})
        yield
        self._scopes.pop()

    @contextmanager
    def placed_at(self, node: Node) -> Iterator[None]:
        """Gives everything read meanwhile the place of the node."""
        outer, self.fixed = self.fixed, self.place(node)
        yield
        self.fixed = outer


def text(node: Node) -> str:
    """The text of a node."""
    return (node.text or b"").decode(errors="replace")
