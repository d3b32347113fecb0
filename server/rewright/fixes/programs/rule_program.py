"""A rule's counterexample as a program in NumPy that prints both sides and where they differ.

Owns how each operator is written on arrays whose shapes are known: ranks and sizes are those of the counterexample, and
attributes are numbers. Invariant: what cannot be written is not, and it is said why; nothing is left out or made
simpler. Must not know how the counterexample was found.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from string import ascii_letters

from rewright.fixes.programs.numpy_words import CALLS, CALLS_OF_INTEGERS, FUNCTIONS, MONOIDS, NEEDS
from rewright.model.index import Index, Name
from rewright.model.rule import RuleQuestion
from rewright.model.tensor import (
    Apply,
    Bitcast,
    Broadcast,
    Concatenate,
    Constant,
    Dot,
    DynamicRange,
    DynamicSlice,
    DynamicUpdateSlice,
    ElementOf,
    ElementType,
    Iota,
    Pad,
    Padding,
    Pointwise,
    Reduce,
    ReduceWindow,
    Reshape,
    Reverse,
    ScalarReference,
    Slice,
    SliceRange,
    Tensor,
    TensorReference,
    Transpose,
    Window,
)
from rewright.replay.arrays import axes_of
from rewright.replay.elements import domain_of
from rewright.replay.index import along, integer
from rewright.replay.inputs import read_instance
from rewright.verdict import Failure, RuleWitness

LONGEST = 2000
"""Elements of the largest tensor that is written out."""

TAKEN = frozenset({"np", "math", "left", "right", "at", "same", *FUNCTIONS})

Groups = tuple[Name, ...]


class NoProgram(Exception):
    """A counterexample that is not written in NumPy; the text says why."""


def rule_program(question: RuleQuestion, witness: RuleWitness, texts: Mapping[int, str]) -> str:
    """The program. `texts` says what stands at a site. Raises `NoProgram`."""
    if witness.fails not in (Failure.VALUE, Failure.SHAPE):
        raise NoProgram("the sides differ neither in a value nor in their shapes")
    if any(group.members is not None for group in question.rule.groups):
        raise NoProgram("there is no NumPy for families of tensors")
    rule, writer = question.rule, _Writer(question, witness, texts)
    left = writer.side("left", rule.left)
    right = writer.aligned(writer.side("right", rule.right), rule.right.groups, rule.left.groups)
    inputs = list(writer.given())
    parts = [*writer.head(), *inputs, *writer.tables.values(), "", *writer.lines, "", *_compared(left, right, question)]
    return "\n".join(parts) + "\n"


def _compared(left: str, right: str, question: RuleQuestion) -> Iterator[str]:
    known = "left" if question.direction == "=>" else "right"
    yield f"left, right = np.asarray({left}), np.asarray({right})"
    yield 'print("left:", left, sep="\\n")'
    yield 'print("right:", right, sep="\\n")'
    yield "if left.shape != right.shape:"
    yield '    print("they differ in shape:", left.shape, "and", right.shape)'
    yield "else:"
    yield "    same = left == right"
    yield '    if "f" in left.dtype.kind + right.dtype.kind:  # rounded; and what is not defined may become anything'
    yield f"        same = np.isclose(left, right, 1e-9, 1e-12) | np.isnan({known})"
    yield "    for at in np.argwhere(~same):"
    yield '        print("they differ at", at.tolist(), "left", left[tuple(at)], "right", right[tuple(at)])'


class _Writer:
    """Writes a statement for each operator, operands first: `lines`. `tables` are declared functions.

    Elements of type `any` are written as numbers if all of them look like that.
    """

    def __init__(self, question: RuleQuestion, witness: RuleWitness, texts: Mapping[int, str]) -> None:
        instance = witness.instance
        self.question, self.witness, self.texts = question, witness, texts
        self.lines: list[str] = []
        self.tables: dict[Name, str] = {}
        self.functions: set[str] = set()
        self._side = ""
        self._inputs = read_instance(question, instance)
        self._shapes = {(step.side, step.site): step.value.shape for step in witness.steps}
        tokens = [text for _, value in instance.tensors for text in value.data] + [text for _, text in instance.scalars]
        self._numbered = all(text.isdecimal() for text in tokens)

    def head(self) -> Iterator[str]:
        """What the program is, what it imports, and the functions that it needs."""
        needed = self.functions | {NEEDS[name] for name in self.functions if name in NEEDS}
        yield f"# The counterexample of {self.question.rule.name}: both sides, and where they differ."
        yield from ["import math", ""] if "erf" in needed else []
        yield from ["import numpy as np", ""]
        for name, text in FUNCTIONS.items():
            yield from ["", text, ""] if name in needed else []

    def given(self) -> Iterator[str]:
        """The inputs."""
        rule, instance = self.question.rule, self.witness.instance
        types = {each.name: each.type for each in rule.tensors} | {each.name: each.type for each in rule.scalars}
        for name, value in instance.tensors:
            if len(value.data) > LONGEST:
                raise NoProgram(f"`{name}` has {len(value.data)} elements")
            flat = ", ".join(self._element(text, types[Name(name)]) for text in value.data)
            kind = {"pred": ", bool", "real": ", float"}.get(self._domain(types[Name(name)]), "" if flat else ", int")
            yield f"{self._name(Name(name))} = np.array([{flat}]{kind}).reshape({value.shape})"
        shown = {name for name, _ in instance.tensors}
        for name, text in instance.scalars:
            if name not in shown:
                yield f"{self._name(Name(name))} = {self._element(text, types[Name(name)])}"

    def side(self, side: str, tensor: Tensor) -> str:
        """What stands for one side's value."""
        self._side = side
        return self._value(tensor)

    def aligned(self, code: str, groups: Groups, requested: Groups) -> str:
        """A value with its axes in another order of its groups."""
        order = self._axes(groups, requested)
        return code if order == tuple(sorted(order)) else f"np.transpose({code}, {order})"

    def _name(self, name: Name) -> str:
        """A name of the rule as one of Python."""
        plain = name.isidentifier() and not keyword.iskeyword(name) and name not in TAKEN
        return str(name) if plain and not name.startswith(("left_", "right_")) else "its_" + name.replace(".", "_")

    def _domain(self, type_: ElementType) -> str:
        return domain_of(type_, self._inputs.domain)

    def _element(self, text: str, type_: ElementType) -> str:
        """An element as Python has it."""
        special = {"true": "True", "false": "False", "highest": "np.inf", "lowest": "-np.inf"}
        match self._domain(type_):
            case "pred":
                return {**special, "highest": "True", "lowest": "False"}[text]
            case "int" | "real" if text in special:
                return special[text]
            case "int":
                return text
            case "real":
                return repr(float(Fraction(text)))
            case _:
                return text if self._numbered else repr(text)

    def _value(self, tensor: Tensor) -> str:
        """What stands for an expression, its axes in the order of its groups."""
        match tensor:
            case TensorReference(name=name) | ScalarReference(name=name):
                return self._name(name)
            case Constant(text=text):
                return self._element(text, tensor.type)
            case ElementOf(index=index):
                return self._element(str(integer(index, self._inputs)), tensor.type)
            case Transpose(operand=operand, renaming=renaming):
                renamed = dict(renaming)
                groups: Groups = tuple(renamed.get(group, group) for group in operand.groups)
                return self._kept(tensor, groups, self._value(operand))
            case _:
                return self._kept(tensor, *self._written(tensor))

    def _kept(self, tensor: Tensor, groups: Groups, code: str) -> str:
        """The name of a value that is computed in a line of its own."""
        name = f"{self._side}_{len(self.lines) + 1}"
        said = " ".join(self.texts.get(tensor.site, "").split())
        self.lines.append(f"{name} = {self.aligned(code, groups, tensor.groups)}" + (f"  # {said}" if said else ""))
        return name

    def _operand(self, tensor: Tensor, groups: Groups) -> str:
        """The value of an operand with its axes in this order; one without groups is spread."""
        value = self._value(tensor)
        return self.aligned(value, tensor.groups, groups) if tensor.groups else value

    def _axes(self, groups: Groups, of: Sequence[Name]) -> tuple[int, ...]:
        return tuple(axis for group in of for axis in axes_of(groups, self._inputs.ranks, group))

    def _rank(self, groups: Sequence[Name]) -> int:
        return sum(self._inputs.ranks[group] for group in groups)

    def _shape(self, tensor: Tensor) -> tuple[int, ...]:
        """The shape that an expression had in the replay."""
        shape = self._shapes.get((self._side, tensor.site))
        if shape is None:
            raise NoProgram("an intermediate value was not kept")
        rule = self.question.rule
        known, claimed = (rule.left, rule.right) if self.question.direction == "=>" else (rule.right, rule.left)
        if tensor.site != claimed.site:
            return shape
        # The replay compares the two sides, so that it has the axes of one as they are in the other.
        return tuple(shape[axis] for axis in self._axes(known.groups, tensor.groups))

    def _sizes(self, sizes: Sequence[tuple[Name, Index]]) -> tuple[int, ...]:
        pairs = ((size, self._inputs.ranks[group]) for group, size in sizes)
        return tuple(each for size, rank in pairs for each in along(size, rank, self._inputs))

    def _spread(self, groups: Groups, given: Sequence[tuple[Name, Index]], usual: int) -> list[int]:
        """An attribute on each axis, the usual one where none is given."""
        values = [usual] * self._rank(groups)
        for group, index in given:
            axes = self._axes(groups, (group,))
            for axis, value in zip(axes, along(index, len(axes), self._inputs), strict=True):
                values[axis] = value
        return values

    def _written(self, tensor: Tensor) -> tuple[Groups, str]:
        """An operator, and the groups of the axes that its value has."""
        match tensor:
            case Pointwise(operands=operands):
                return tensor.groups, self._pointwise(tensor, [self._operand(each, tensor.groups) for each in operands])
            case Apply(function=function, operands=operands):
                self.tables[function] = self._table(function)
                called = ", ".join(self._operand(each, tensor.groups) for each in operands)
                return tensor.groups, f"{self._name(function)}({called})"
            case Broadcast(operand=operand, sizes=sizes):
                shape = self._sizes(sizes) + self._shape_of(operand)
                return (*(group for group, _ in sizes), *operand.groups), (
                    f"np.broadcast_to({self._value(operand)}, {shape})"
                )
            case Iota(axis=axis, sizes=sizes):
                groups = tuple(group for group, _ in sizes)
                real = " * 1.0" if self._domain(tensor.type) == "real" else ""
                return groups, f"np.indices({self._sizes(sizes)})[{self._axes(groups, (axis,))[0]}]{real}"
            case Slice(operand=operand, ranges=ranges):
                return operand.groups, f"{self._value(operand)}{self._slices(operand, ranges)}"
            case DynamicSlice(operand=operand, ranges=taken):
                return operand.groups, f"{self._value(operand)}{self._windows(operand, taken)}"
            case DynamicUpdateSlice():
                return tensor.operand.groups, self._updated(tensor)
            case Pad(operand=operand, value=value, paddings=paddings):
                self.functions.add("pad")
                padding = self._padding(operand.groups, paddings)
                return operand.groups, f"pad({self._value(operand)}, {self._value(value)}, {padding})"
            case Concatenate(operands=operands, axis=axis):
                parts = ", ".join(self._operand(each, tensor.groups) for each in operands)
                return tensor.groups, f"np.concatenate([{parts}], {self._axes(tensor.groups, (axis,))[0]})"
            case Reverse(operand=operand, reversed=turned):
                return operand.groups, f"np.flip({self._value(operand)}, {self._axes(operand.groups, turned)})"
            case Reshape() | Bitcast():
                return self._reshaped(tensor)
            case Reduce():
                return self._reduced(tensor)
            case Dot():
                return self._product(tensor)
            case ReduceWindow(operand=operand):
                self.functions.add("reduce_window")
                combine, start = self._monoid(tensor)
                windows = self._window(operand.groups, tensor.windows)
                return operand.groups, f"reduce_window({self._value(operand)}, {combine}, {start}, {windows})"
            case _:
                raise NoProgram(f"there is no NumPy for a {type(tensor).__name__.lower()}")

    def _shape_of(self, operand: Tensor) -> tuple[int, ...]:
        return self._shape(operand) if operand.groups else ()

    def _pointwise(self, node: Pointwise, operands: Sequence[str]) -> str:
        whole = CALLS_OF_INTEGERS if self._domain(node.type) == "int" else {}
        called = whole.get(node.operator) or CALLS.get(node.operator)
        if called is None:
            raise NoProgram(f"there is no NumPy for `{node.operator}`")
        self.functions |= {name for name in FUNCTIONS if f"{name}(" in called.replace("np.", "np ")}
        return called.format(*operands)

    def _table(self, function: Name) -> str:
        """A declared function by its values; where it has none, it is 0 or false."""
        declared = next(each for each in self.question.rule.functions if each.name == function)
        rows = dict(self.witness.instance.functions).get(function, ())
        cells = [
            (tuple(map(self._element, given, declared.parameters)), self._element(made, declared.result))
            for given, made in rows
        ]
        listed = ", ".join(f"({', '.join(given)},): {made}" for given, made in cells)
        usual, kind = {"pred": ("False", "bool"), "int": ("0", "int"), "real": ("0.0", "float")}.get(
            self._domain(declared.result), ("0" if self._numbered else "'0'", "object")
        )
        return f"{self._name(function)} = np.vectorize(lambda *x: {{{listed}}}.get(x, {usual}), otypes=[{kind}])"

    def _slices(self, operand: Tensor, ranges: Sequence[tuple[Name, SliceRange]]) -> str:
        shape = self._shape_of(operand)
        starts = self._spread(operand.groups, [(group, each.start) for group, each in ranges], 0)
        strides = self._spread(operand.groups, [(group, each.stride) for group, each in ranges], 1)
        limits = list(shape)
        for group, each in ranges:
            if each.limit is not None:
                axes = self._axes(operand.groups, (group,))
                for axis, limit in zip(axes, along(each.limit, len(axes), self._inputs), strict=True):
                    limits[axis] = limit
        steps = (f":{stride}" if stride != 1 else "" for stride in strides)
        return _index([f"{start}:{limit}{step}" for start, limit, step in zip(starts, limits, steps, strict=True)])

    def _windows(self, operand: Tensor, ranges: Sequence[tuple[Name, DynamicRange]]) -> str:
        shape, groups = self._shape_of(operand), operand.groups
        starts = self._spread(groups, [(group, each.start) for group, each in ranges], 0)
        lengths = list(shape)
        for group, each in ranges:
            axes = self._axes(groups, (group,))
            for axis, length in zip(axes, along(each.length, len(axes), self._inputs), strict=True):
                lengths[axis] = length
        return _clamped(starts, lengths, shape)

    def _updated(self, node: DynamicUpdateSlice) -> str:
        """A copy of the operand, of which a later line overwrites a window."""
        operand, update = self._value(node.operand), self._operand(node.update, node.operand.groups)
        shape, groups = self._shape_of(node.operand), node.operand.groups
        ordered = self._axes(node.update.groups, groups)
        part = [self._shape_of(node.update)[axis] for axis in ordered]
        name = f"{self._side}_{len(self.lines) + 1}"
        self.lines.append(f"{name} = np.array({operand})")
        self.lines.append(f"{name}{_clamped(self._spread(groups, node.starts, 0), part, shape) or '[...]'} = {update}")
        return name

    def _padding(self, groups: Groups, paddings: Sequence[tuple[Name, Padding]]) -> str:
        lows = self._spread(groups, [(group, each.low) for group, each in paddings], 0)
        highs = self._spread(groups, [(group, each.high) for group, each in paddings], 0)
        return f"{lows}, {highs}, {self._spread(groups, [(group, each.interior) for group, each in paddings], 0)}"

    def _reshaped(self, node: Reshape | Bitcast) -> tuple[Groups, str]:
        operand = node.operand
        if isinstance(node, Reshape):
            kept = tuple(group for group in operand.groups if group not in node.dropped)
            made: Groups = (*kept, *node.added)
            before = self._value(operand)
        else:
            kept = tuple(group for group in operand.groups if group not in node.sources)
            made = (*kept, *(group for group, _ in node.targets))
            before = self.aligned(self._value(operand), operand.groups, (*kept, *node.sources))
        shape = self._shape(node)
        return made, f"np.reshape({before}, {tuple(shape[axis] for axis in self._axes(node.groups, made))})"

    def _monoid(self, node: Reduce | ReduceWindow) -> tuple[str, str]:
        """How elements are combined, and what with at the start."""
        if node.monoid not in MONOIDS:
            raise NoProgram("there is no NumPy for a declared monoid")
        combine, identity = MONOIDS[node.monoid]
        if node.monoid in ("maximum", "minimum") and self._domain(node.type) == "pred":
            identity = str(node.monoid == "minimum")
        return combine, identity if node.init is None else self._value(node.init)

    def _reduced(self, node: Reduce) -> tuple[Groups, str]:
        combine, start = self._monoid(node)
        groups, shape, value = node.operand.groups, self._shape_of(node.operand), self._value(node.operand)
        kept = tuple(group for group in groups if group not in node.reduced)
        axes = self._axes(groups, node.reduced)
        if any(shape[axis] == 0 for axis in axes):
            return kept, f"np.full({tuple(shape[axis] for axis in self._axes(groups, kept))}, {start})"
        every = f"{combine}.reduce({value}, {axes})" if axes else value
        return kept, every if node.init is None else f"{combine}({start}, {every})"

    def _product(self, node: Dot) -> tuple[Groups, str]:
        left, right = node.left, node.right
        groups = tuple(dict.fromkeys((*left.groups, *right.groups)))
        if self._rank(groups) > len(ascii_letters):
            raise NoProgram("there are more axes than letters")
        letters = {group: "".join(ascii_letters[at] for at in self._axes(groups, (group,))) for group in groups}
        one, other, made = (
            "".join(letters[group] for group in each) for each in (left.groups, right.groups, node.groups)
        )
        return node.groups, f'np.einsum("{one},{other}->{made}", {self._value(left)}, {self._value(right)})'

    def _window(self, groups: Groups, windows: Sequence[tuple[Name, Window]]) -> str:
        parts = (
            [(group, each.size) for group, each in windows if each.size is not None],
            [(group, each.stride) for group, each in windows],
            [(group, each.low) for group, each in windows],
            [(group, each.high) for group, each in windows],
            [(group, each.base) for group, each in windows],
            [(group, each.window) for group, each in windows],
        )
        usual = (1, 1, 0, 0, 1, 1)
        return ", ".join(str(self._spread(groups, given, each)) for given, each in zip(parts, usual, strict=True))


def _index(parts: Sequence[str]) -> str:
    return f"[{', '.join(parts)}]" if parts else ""


def _clamped(starts: Sequence[int], lengths: Sequence[int], shape: Sequence[int]) -> str:
    """Windows of these lengths, their starts clamped so that they fit."""
    triples = zip(starts, lengths, shape, strict=True)
    firsts = [(max(0, min(start, size - length)), length) for start, length, size in triples]
    return _index([f"{first}:{first + length}" for first, length in firsts])
