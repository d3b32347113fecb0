"""Owns the nodes of declarations and of a file.

Invariant: what a declaration says does not depend on where it stands; only `Placed` knows its offset.
It must not know how the text was cut into declarations.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from rewright.syntax.nodes.expressions import Call, Keyed, Name, Node, Number, String, TypeRef
from rewright.syntax.nodes.items import GraphItem, KernelItem, LiftItem, LoopsItem, RefineItem, RuleItem
from rewright.syntax.nodes.parts import Attribute, Parameter, SourceRef, TypeParameter
from rewright.syntax.text import Span
from rewright.verdict.diagnosis import Diagnosis


class Head(Struct, frozen=True):
    """What every declaration has: its word (`rule`), its name, what stands above it, and its braces.

    `doc` is the text of the `///` lines; `body` spans `{` to `}` and is None where there are no braces.
    """

    word: Name
    name: Name | None
    doc: str
    attributes: tuple[Attribute, ...]
    body: Span | None


class RuleDecl(Node, frozen=True):
    """`rule` or `lemma` (`head.word.text` says which)."""

    head: Head
    type_parameters: tuple[TypeParameter, ...]
    items: tuple[RuleItem, ...]


class LemmaDecl(Node, frozen=True):
    """`lemma name(parameters) { left => right }`: a rule of what graphs compute; its word may be `rule` by mistake."""

    head: Head
    parameters: tuple[Parameter, ...]
    items: tuple[RuleItem, ...]


class OperatorDecl(Node, frozen=True):
    """`operator name(parameters) -> type`: an operator of graphs of which only the shapes are known."""

    head: Head
    parameters: tuple[Parameter, ...]
    result: TypeRef | None


class KernelDecl(Node, frozen=True):
    """`kernel name<sizes>(parameters) from source { items }`."""

    head: Head
    sizes: tuple[TypeParameter, ...]
    parameters: tuple[Parameter, ...]
    source: SourceRef | None
    items: tuple[KernelItem, ...]


class EquivalentDecl(Node, frozen=True):
    """`equivalent left ~ right`; it has no name of its own."""

    head: Head
    left: Name | None
    right: Name | None


class GraphDecl(Node, frozen=True):
    """`graph name(parameters) -> results on mesh(dp = 2) { items }` or `graph name from "file"`."""

    head: Head
    parameters: tuple[Parameter, ...]
    results: tuple[Name, ...]
    mesh: Call | None
    source: SourceRef | None
    items: tuple[GraphItem, ...]


class RefineDecl(Node, frozen=True):
    """`refine name of target at tp = 2, 4 { items }`; the head's name is the graph that refines.

    `at` has a number by itself for each that follows one that is named.
    """

    head: Head
    target: Name | None
    at: tuple[Keyed | Number, ...]
    items: tuple[RefineItem, ...]


class LoopsDecl(Node, frozen=True):
    """`loops name(parameters) { items }` or `loops name from source`."""

    head: Head
    parameters: tuple[Parameter, ...]
    source: SourceRef | None
    items: tuple[LoopsItem, ...]


class TransformDecl(Node, frozen=True):
    """`transform name(parameters) of target at T = 2, 4 { items }` or `transform name of target from source`.

    Of `at`, a number is one more value of the name before it.
    """

    head: Head
    parameters: tuple[Parameter, ...]
    target: Name | None
    source: SourceRef | None
    at: tuple[Keyed | Number, ...]
    items: tuple[LoopsItem, ...]


class LiftDecl(Node, frozen=True):
    """`lift name from source { items }`."""

    head: Head
    source: SourceRef | None
    items: tuple[LiftItem, ...]


class ImportDecl(Node, frozen=True):
    """`import "other.rw"`."""

    head: Head
    path: String | None


Declaration: TypeAlias = (
    RuleDecl
    | LemmaDecl
    | KernelDecl
    | EquivalentDecl
    | GraphDecl
    | OperatorDecl
    | RefineDecl
    | LoopsDecl
    | TransformDecl
    | LiftDecl
    | ImportDecl
)


class Problem(Struct, frozen=True):
    """A syntax error at its place; what is read in its `reach`, which has these `words`, may be misread."""

    diagnosis: Diagnosis
    span: Span
    reach: Span | None = None
    words: frozenset[str] = frozenset()


class Placed(Struct, frozen=True):
    """A declaration at its place in the file.

    `start` is the offset of its first byte. `digest` is of the text that the node was read from: two placed
    declarations with one digest have equal nodes, whatever stands around them. The spans of `problems`, the syntax
    errors inside the declaration, are relative like all others in it.
    """

    start: int
    digest: str
    node: Declaration
    problems: tuple[Problem, ...]

    @property
    def span(self) -> Span:
        """The declaration's range in the file, its documentation and attributes included."""
        return self.node.span.shifted(self.start)

    def absolute(self, span: Span) -> Span:
        """Returns the range in the file of a span inside the declaration."""
        return span.shifted(self.start)

    def local(self, offset: int) -> int:
        """Returns an offset of the file as one inside the declaration."""
        return offset - self.start


class File(Struct, frozen=True):
    """The declarations of a file in their order."""

    declarations: tuple[Placed, ...]
