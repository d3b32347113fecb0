"""What is declared in a graph while it is checked: mesh axes, sizes, tensors, and the nodes made so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from msgspec import Struct, field

from rewright.model.check_graph.open_graph import Callee
from rewright.model.check_graph.sizes import SizePolynomial, index_of, shape_text
from rewright.model.declared import SymbolKind
from rewright.model.graph import (
    INTEGERS,
    CalledGraph,
    Concatenate,
    Elementwise,
    Gather,
    GraphInput,
    LoopStep,
    MeshAxis,
    Node,
    OpaqueCall,
    Reshape,
    Shape,
    SizeFact,
    Slice,
    Spread,
    Transpose,
    operands_of,
)
from rewright.model.notes import Notes
from rewright.model.operator_table import OPERATOR_NAMES
from rewright.syntax import nodes
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.graphs import DimensionNotUnique, NameOfLoop, NoSuchDimension, NoWholeSize
from rewright.verdict.diagnostics.names import NameTaken, TakenBy, UnknownName


class TensorDimension(Struct, frozen=True):
    """A dimension of a tensor; `label` is the name that it was given by itself, None if its size names it."""

    size: SizePolynomial
    label: str | None = None

    @property
    def name(self) -> str | None:
        """What it is called."""
        return self.label or self.size.symbol


Dimensions = tuple[TensorDimension, ...]

TRUTHS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "not"})
"""Elementwise operators whose results are truth values, in a graph."""


class ShapedNode(Struct, frozen=True):
    """A node by its number, with its dimensions."""

    number: int
    dimensions: Dimensions


class GraphScope(Struct):
    """The state of checking one graph; a tensor without a node is one whose computation is wrong.

    `computed` are the nodes so far; `open_axes` are those of the mesh that have any size. `callees` are the graphs that
    it calls; `facts` are what is known of sizes, in them, too. `steps` are the numbers of the loops that are gone
    through, `outer` the names that were there before each of them, `left` those that were known in a loop only; of
    loops so many statements were `gone_through`, and no more are if it `is_full`.
    """

    notes: Notes
    mesh: dict[str, MeshAxis] = field(default_factory=dict)
    sizes: set[str] = field(default_factory=set)
    tensors: dict[str, ShapedNode | None] = field(default_factory=dict)
    computed: list[Node] = field(default_factory=list)
    open_axes: list[str] = field(default_factory=list)
    places: dict[str, Span] = field(default_factory=dict)
    callees: Mapping[str, Callee] = field(default_factory=dict)
    facts: list[SizeFact] = field(default_factory=list)
    calls: list[CalledGraph] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)
    outer: list[set[str]] = field(default_factory=list)
    left: set[str] = field(default_factory=set)
    loops: list[LoopStep] = field(default_factory=list)
    gone_through: int = 0
    is_full: bool = False
    _of_integers: list[bool] = field(default_factory=list)

    def add(self, node: Node, dimensions: Dimensions) -> ShapedNode:
        """The next node, with its dimensions."""
        self.computed.append(node)
        return ShapedNode(len(self.computed) - 1, dimensions)

    def declare(self, name: nodes.Name, kind: SymbolKind, detail: str) -> bool:
        """Enters a name; whether it is new."""
        taken = TakenBy.BUILT_IN if name.text in OPERATOR_NAMES or name.text == "rank" else None
        taken = TakenBy.DECLARATION if name.text in self.places else taken
        if taken is not None:
            self.notes.error(NameTaken(name.text, taken), name.span)
            return False
        self.places[name.text] = name.span
        self.notes.define(name, kind, detail)
        return True

    def carries(self, name: str) -> bool:
        """Whether a loop is gone through, and the name is that of a tensor from outside of it."""
        return bool(self.outer) and name in self.outer[-1] and name in self.tensors

    def leave(self, outside: set[str]) -> None:
        """Forgets the names of a step: all that are not from outside of it."""
        for name in [each for each in self.places if each not in outside]:
            del self.places[name]
            self.tensors.pop(name, None)
            self.steps.pop(name, None)
            self.left.add(name)

    def dimension(self, written: nodes.Expression, of: Dimensions) -> int | None:
        """The number of the dimension that is written, by its name or number; None, noted, if there is no such."""
        number = dimension_of(self.notes, written, of)
        if number is not None and isinstance(written, nodes.Name) and of[number].label is None:
            self.used(written)
        return number

    def used(self, name: nodes.Name) -> None:
        """Notes that a declared name stands here; one of another declaration is no symbol of this one."""
        if name.text in self.places:
            self.notes.use(self.places[name.text], name.span)

    def tensor(self, name: nodes.Name) -> ShapedNode | None:
        """The tensor of this name; None, noted, if there is none."""
        if name.text not in self.tensors and name.text in self.left:
            self.notes.undeclared(NameOfLoop(name.text), name)
            return None
        if name.text not in self.tensors:
            self.unknown("tensor", name, self.tensors)
            return None
        self.used(name)
        return self.tensors[name.text]

    def axis(self, name: nodes.Name) -> MeshAxis | None:
        """The mesh axis of this name; None, noted, if there is none."""
        if name.text not in self.mesh:
            self.unknown("mesh axis", name, self.mesh)
            return None
        self.used(name)
        return self.mesh[name.text]

    def unknown(self, what: str, name: nodes.Name, known: Sequence[str] | dict[str, object] | object) -> None:
        """Notes that a name is not declared."""
        candidates = list(known) if isinstance(known, dict | list | tuple | set) else []
        nearest = get_close_matches(name.text, candidates, n=1)
        self.notes.undeclared(UnknownName(what, name.text, nearest[0] if nearest else None), name)

    def is_truth(self, number: int) -> bool:
        """Whether the elements of a node are truth values."""
        match self.computed[number]:
            case Elementwise(operator=operator):
                return operator in TRUTHS
            case (
                Spread(operand=operand) | Transpose(operand=operand) | Reshape(operand=operand) | Slice(operand=operand)
            ):
                return self.is_truth(operand)
            case Concatenate(operands=operands):
                return any(self.is_truth(each) for each in operands)
            case _:
                return False

    def is_of_integers(self, number: int) -> bool:
        """Whether the elements of a node are computed from those of an input of integers."""
        for node in self.computed[len(self._of_integers) :]:
            self._of_integers.append(self._computes_integers(node))
        return self._of_integers[number]

    def _computes_integers(self, node: Node) -> bool:
        match node:
            case GraphInput(type=type_):
                return type_ in INTEGERS
            case Elementwise(operator=operator) if operator in TRUTHS:
                return False
            case Gather(operand=operand):
                return self._of_integers[operand]
            case OpaqueCall():
                return False
            case _:
                return any(self._of_integers[each] for each in operands_of(node))

    def shape(self, dimensions: Dimensions, span: Span) -> Shape:
        """The shape as index expressions."""
        site = self.notes.site(span)
        return tuple(index_of(each.size, site) for each in dimensions)

    def whole(self, dimensions: Dimensions, span: Span) -> bool:
        """Whether no dimension has a number as its size that is no number of elements; noted if one has."""
        for each in dimensions:
            value = each.size.number
            if value is not None and (value.denominator != 1 or value < 0):
                self.notes.error(NoWholeSize(shape_text([each.size])[1:-1]), span)
                return False
        return True


def dimension_of(notes: Notes, written: nodes.Expression, dimensions: Dimensions) -> int | None:
    """The number of the dimension that is written, by its name or number; None, noted, if there is no such."""
    shape = shape_text([each.size for each in dimensions])
    match written:
        case nodes.Number(text=text) if text.isdecimal():
            if int(text) < len(dimensions):
                return int(text)
            notes.error(NoSuchDimension(text, shape), written.span)
        case nodes.Name(text=text):
            named = [number for number, each in enumerate(dimensions) if each.name == text]
            if len(named) == 1:
                return named[0]
            fault = DimensionNotUnique(text, shape) if named else NoSuchDimension(text, shape)
            notes.error(fault, written.span)
        case nodes.Missing():
            pass
        case _:
            notes.error(NoSuchDimension("…", shape), written.span)
    return None
