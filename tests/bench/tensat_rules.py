"""The rules of uwplse/tensat, stated for all ranks and sizes and checked: `tensat_rules.py FILE [NUMBER...]`.

Prints how many of the file's equations can be stated, how many are decided, the undecided and the slowest ones, and the
processor time of the cold checks, one after the other in one process. With numbers, prints these rules and how each is
decided. With `EVERY:START`, takes every so-many-th rule. Exits with status 1 if a rule is not decided or takes more
than `SECONDS`.

A tensor of the file has two axis groups, and one for space if it is used so; a kernel has an odd size, and `SAME`
padding. A group along which something is concatenated or compared with an index is a single axis.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewright.checks.rule import answer
from rewright.checks.table import rule_questions
from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.rules.decision import Budget, Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

SECONDS = 5.0
"""Of processor time, which no rule may exceed."""

Expression = str | tuple[Any, ...]
"""An input or a number, or an operator before its operands."""

Pieces = list["str | Axis | Size"]
"""A text in which axes and sizes are still to be named."""

SPACE = ("conv2d", "poolavg", "poolmax", "enlarge", "Iconv", "Cpool")
UNIT = "select(iota(T, {0}, {0}: {2}, {1}: {2}) == iota(T, {1}, {0}: {2}, {1}: {2}), {3}, 0)"


class NotStated(Exception):
    """The equation has no form in the language."""


def equations(text: str) -> Iterator[tuple[Expression, Expression]]:
    """The equations of a file, which stand one after the other."""
    tokens: list[str] = re.findall(r"\w+|==|[(),]", text)
    tokens.reverse()

    def expression() -> Expression:
        head = tokens.pop()
        if not tokens or tokens[-1] != "(":
            return head
        parts: list[Expression] = [head]
        while tokens.pop() != ")":
            parts.append(expression())
        return tuple(parts)

    while tokens:
        left = expression()
        tokens.pop()
        yield left, expression()


@dataclass(eq=False)
class Size:
    """An unknown size; what it turns out to be the same as, or the sum or the number that it is."""

    same: Size | None = None
    parts: tuple[Size, Size] | None = None
    number: int | None = None
    odd: bool = False

    @property
    def root(self) -> Size:
        return self if self.same is None else self.same.root


def unify(first: Size, second: Size) -> None:
    """Makes two sizes the same."""
    first, second = first.root, second.root
    if first is second:
        return
    if first.parts and second.parts:
        for one, other in zip(first.parts, second.parts, strict=True):
            unify(one, other)
    if first.number is not None and second.number not in (None, first.number):
        raise NotStated("sizes differ")
    if second.parts or second.number is not None:
        first, second = second, first
    if first.parts and any(second is part.root for part in first.parts):
        raise NotStated("a size is longer than itself")
    first.odd |= second.odd
    second.same = first


@dataclass(eq=False)
class Axis:
    """The name of an axis group, found when it is first needed; `apart` are others of the same tensor."""

    apart: tuple[Axis, ...] = ()
    same: Axis | None = None
    name: str | None = None

    @property
    def root(self) -> Axis:
        return self if self.same is None else self.same.root


@dataclass
class Input:
    """A tensor of the file: its axes as declared, their sizes, and the size in space."""

    axes: tuple[Axis, Axis]
    sizes: tuple[Size, Size]
    space: Size | None


@dataclass
class Stated:
    """An expression in two given axes: its text with `{axis}` and `{size}` still open, and its sizes."""

    text: Pieces
    sizes: tuple[Size, Size]
    space: Size | None


@dataclass
class Statement:
    """One equation on its way to a rule."""

    inputs: dict[str, Input] = field(default_factory=dict)
    scalars: set[str] = field(default_factory=set)
    classes: list[tuple[Axis, Axis]] = field(default_factory=list)
    single: list[Axis] = field(default_factory=list)
    small: list[Size] = field(default_factory=list)

    def state(self, expression: Expression, axes: tuple[Axis, Axis], space: bool) -> Stated:
        """An expression as one with these axes."""
        a, b = axes
        match expression:
            case str():
                return self._input(expression, axes, space)
            case ("transpose", operand):
                inner = self.state(operand, (b, a), space)
                return Stated(inner.text, (inner.sizes[1], inner.sizes[0]), inner.space)
            case ("smul", operand, str(scalar)):
                inner = self.state(operand, axes, space)
                self.scalars.add(scalar)
                return Stated(["(", *inner.text, f" * {scalar})"], inner.sizes, inner.space)
            case ("ewadd" | "ewmul" as operator, first, second):
                one, other = self.state(first, axes, space), self.state(second, axes, space)
                self._same(one, other)
                sign = " + " if operator == "ewadd" else " * "
                return Stated(["(", *one.text, sign, *other.text, ")"], one.sizes, one.space)
            case ("relu", operand):
                return self._relu(self.state(operand, axes, space))
            case ("matmul", first, second):
                return self._matmul(first, second, axes)
            case ("concat", str(axis), first, second):
                return self._concat(int(axis), first, second, axes, space)
            case ("conv2d", "1", "1", "0", str(activation), operand, kernel):
                found = self._convolution(operand, kernel, axes)
                return self._relu(found) if activation == "2" else found
            case ("poolavg" | "poolmax" as operator, "3", "3", "1", "1", "0", operand):
                inner = self.state(operand, axes, True)
                monoid, scale = ("add", " * ninth") if operator == "poolavg" else ("max", "")
                text = [f"(reduce_window({monoid}, ", *inner.text, f", S: (3, low = 1, high = 1)){scale})"]
                self.scalars.update(["ninth"] if scale else [])
                return Stated(text, inner.sizes, inner.space)
            case ("enlarge", "3", "3", kernel):
                inner = self.state(kernel, axes, True)
                half = self._half(inner)
                self.small.append(half)
                margin: Pieces = ["1 - ", half]
                padded: Pieces = ["pad(", *inner.text, ", 0, S: (", *margin, ", ", *margin, "))"]
                return Stated(padded, inner.sizes, Size(number=3, odd=True))
            case ("Iconv" | "Cpool" as kind, "3", "3"):
                return self._unit(axes, kind)
        raise NotStated(str(expression))

    def _input(self, name: str, axes: tuple[Axis, Axis], space: bool) -> Stated:
        if name == "Imatmul":
            return self._unit(axes, name)
        if name == "Iewmul":
            sizes, extent = (Size(), Size()), Size() if space else None
            spread: Pieces = ["broadcast(1, ", axes[0], ": ", sizes[0], ", ", axes[1], ": ", sizes[1]]
            spread += [", S: ", extent] if extent else []
            return Stated([*spread, ")"], sizes, extent)
        known = self.inputs.get(name)
        if known is None:
            known = self.inputs[name] = Input(axes, (Size(), Size()), Size() if space else None)
        renamed: Pieces = []
        for declared, wanted in zip(known.axes, axes, strict=True):
            if not self._identified(wanted, declared, known.axes):
                self.classes.append((declared, wanted))
                renamed += [", ", declared, " -> ", wanted]
        text: Pieces = ["transpose(", name, *renamed, ")"] if renamed else [name]
        return Stated(text, known.sizes, known.space)

    def _identified(self, wanted: Axis, declared: Axis, declared_axes: tuple[Axis, Axis]) -> bool:
        """Whether two axes are one, which an axis that has no name yet becomes if nothing speaks against it."""
        wanted, declared = wanted.root, declared.root
        if wanted is declared:
            return True
        apart = {axis.root for axis in (*wanted.apart, *declared.apart)}
        others = {axis.root for axis in declared_axes}
        if {wanted.name, declared.name} == {None} or wanted.name is None or declared.name is None:
            if wanted in apart or declared in apart or wanted in others:
                return False
            gone, kept = (wanted, declared) if wanted.name is None else (declared, wanted)
            kept.apart = (*kept.apart, *gone.apart)
            gone.same = kept
            return True
        return False

    def _same(self, one: Stated, other: Stated) -> None:
        for first, second in zip(one.sizes, other.sizes, strict=True):
            unify(first, second)
        if one.space is not None and other.space is not None:
            unify(one.space, other.space)

    def _relu(self, operand: Stated) -> Stated:
        return Stated(["max(", *operand.text, ", 0)"], operand.sizes, operand.space)

    def _matmul(self, first: Expression, second: Expression, axes: tuple[Axis, Axis]) -> Stated:
        inner = Axis(axes)
        one, other = self.state(first, (axes[0], inner), False), self.state(second, (inner, axes[1]), False)
        unify(one.sizes[1], other.sizes[0])
        return Stated(
            ["dot(", *one.text, ", ", *other.text, ", contract = ", inner, ")"], (one.sizes[0], other.sizes[1]), None
        )

    def _concat(self, axis: int, first: Expression, second: Expression, axes: tuple[Axis, Axis], space: bool) -> Stated:
        one, other = self.state(first, axes, space), self.state(second, axes, space)
        unify(one.sizes[1 - axis], other.sizes[1 - axis])
        if one.space is not None and other.space is not None:
            unify(one.space, other.space)
        self.single.append(axes[axis])
        total = Size(parts=(one.sizes[axis], other.sizes[axis]))
        sizes = (total, one.sizes[1]) if axis == 0 else (one.sizes[0], total)
        return Stated(["concatenate(", *one.text, ", ", *other.text, ", ", axes[axis], ")"], sizes, one.space)

    def _convolution(self, operand: Expression, kernel: Expression, axes: tuple[Axis, Axis]) -> Stated:
        batch, output = axes
        feature = Axis(axes)
        one, other = self.state(operand, (batch, feature), True), self.state(kernel, (output, feature), True)
        unify(one.sizes[1], other.sizes[1])
        half = self._half(other)
        named: Pieces = [", batch = ", batch, ", feature = ", feature, ", output = ", output]
        padded: Pieces = [", S: (low = ", half, ", high = ", half, "))"]
        text = ["convolution(", *one.text, ", ", *other.text, *named, *padded]
        return Stated(text, (one.sizes[0], other.sizes[0]), one.space)

    def _half(self, kernel: Stated) -> Size:
        """Half of what a kernel's size is more than 1."""
        if kernel.space is None:
            raise NotStated("a kernel without space")
        kernel.space.root.odd = True
        return Size(parts=(kernel.space, kernel.space))

    def _unit(self, axes: tuple[Axis, Axis], kind: str) -> Stated:
        size = Size()
        self.single += axes
        self.classes.append(axes)
        element = "ninth" if kind == "Cpool" else "1"
        self.scalars.update([element] if kind == "Cpool" else [])
        pieces = re.split(r"\{(\d)\}", UNIT)
        known: dict[str, str | Axis | Size] = {"0": axes[0], "1": axes[1], "2": size, "3": element}
        unit = [known[piece] if place % 2 else piece for place, piece in enumerate(pieces)]
        if kind == "Imatmul":
            return Stated(unit, (size, size), None)
        extent = Size(number=3, odd=True)
        if kind == "Cpool":
            return Stated(["broadcast(", *unit, ", S: 3)"], (size, size), extent)
        return Stated(["pad(broadcast(", *unit, ", S: 1), 0, S: (1, 1))"], (size, size), extent)


def _has_space(expression: Expression) -> bool:
    if isinstance(expression, str):
        return bool(re.fullmatch(r"input_\d+", expression)) and 7 <= int(expression[6:]) < 20
    return expression[0] in SPACE or any(map(_has_space, expression[1:]))


def rule_text(name: str, left: Expression, right: Expression) -> str:
    """The rule that an equation states. Raises `NotStated`."""
    statement = Statement()
    axes = (Axis(name="A0"), Axis(name="A1"))
    space = _has_space(left) or _has_space(right)
    sides = [statement.state(side, axes, space) for side in (left, right)]
    statement._same(*sides)
    return _written(name, statement, sides)


def _written(name: str, statement: Statement, sides: list[Stated]) -> str:
    names: dict[Axis, str] = {}
    sizes: dict[Size, str] = {}

    def axis_name(axis: Axis) -> str:
        root = axis.root
        return names.setdefault(root, root.name or f"B{len(names)}")

    def size_text(size: Size) -> str:
        root = size.root
        if root.number is not None:
            return str(root.number)
        if root.parts is None:
            letter = sizes.setdefault(root, f"{'h' if root.odd else 'n'}{len(sizes)}")
            return f"2 * {letter} + 1" if root.odd else letter
        first, second = (part.root for part in root.parts)
        if size.same is None and first is second and first.odd:
            # half of a kernel's size
            return "1" if first.number == 3 else size_text(first)[4:-4]
        return f"{size_text(first)} + {size_text(second)}"

    def text(parts: Pieces) -> str:
        shown = (axis_name(p) if isinstance(p, Axis) else size_text(p) if isinstance(p, Size) else p for p in parts)
        return "".join(shown)

    texts = [text(side.text) for side in sides]
    tensors: list[str] = []
    on: dict[str, str] = {}
    for tensor, item in statement.inputs.items():
        shape = [(axis_name(a), s) for a, s in zip(item.axes, item.sizes, strict=True)]
        if item.space is not None:
            shape.append(("S", item.space))
        for group, size in shape:
            for part in re.findall(r"[nh]\d+", size_text(size)):
                on.setdefault(part, group)
        tensors.append(f"tensor {tensor}: T[{', '.join(f'{group}: {size_text(size)}' for group, size in shape)}]")
    classes = _classes(statement, names, axis_name)
    single = {axis_name(axis) for axis in statement.single}
    lines = [f"rule {name}<T: num> {{"]
    for members in classes:
        lines.append(f"  {'axis' if single & members else 'axes'} {' ~ '.join(sorted(members))}")
    lines += ["  axes S"] if any(group == "S" for group in on.values()) or "S: " in "".join(texts) else []
    lines += [f"  map {size} on {group}" for size, group in on.items()]
    lines += [f"  scalar {scalar}: T" for scalar in sorted(statement.scalars)]
    lines += [f"  {tensor}" for tensor in tensors]
    lines += [f"  {texts[0]}\n    => {texts[1]}"]
    limits = {size_text(half) for half in statement.small} - {"1"}
    lines += [f"  where {', '.join(f'{half} <= 1' for half in sorted(limits))}"] if limits else []
    return "\n".join([*lines, "}"]) + "\n"


def _classes(statement: Statement, names: dict[Axis, str], axis_name: Callable[[Axis], str]) -> list[set[str]]:
    joined = [{axis_name(one), axis_name(other)} for one, other in statement.classes]
    found: list[set[str]] = []
    for members in (*joined, *({name} for name in names.values())):
        apart = [known for known in found if not known & members]
        found = [*apart, set().union(members, *(known for known in found if known & members))]
    return found


@dataclass(frozen=True, slots=True)
class Checked:
    """How one equation's rule was decided, and the processor time that it took."""

    number: int
    verdicts: tuple[Verdict, ...]
    seconds: float
    text: str

    @property
    def decided(self) -> bool:
        return Verdict.REFUTED in self.verdicts or set(self.verdicts) == {Verdict.PROVED}

    def __str__(self) -> str:
        return f"{self.number}: {', '.join(self.verdicts)}, {self.seconds:.2f} s"


def main(path: str, chosen: list[str]) -> int:
    """Checks the equations of a file; the exit status."""
    stated: dict[int, str] = {}
    found = list(equations(Path(path).read_text()))
    for number, (left, right) in enumerate(found):
        try:
            stated[number] = rule_text(f"rule_{number}", left, right)
        except NotStated:
            continue
    print(f"{len(stated)} of {len(found)} equations can be stated")
    numbers = list(_chosen(list(stated), chosen))
    checked = [_checked(number, stated[number]) for number in numbers]
    if all(map(str.isdigit, chosen)) and chosen:
        print(*(f"{each.text}{each}" for each in checked), sep="\n")
    undecided = [each for each in checked if not each.decided]
    slowest = sorted(checked, key=lambda each: -each.seconds)
    refuted = [each for each in checked if Verdict.REFUTED in each.verdicts]
    print(f"{len(checked) - len(undecided)} of {len(checked)} decided, {len(refuted)} of them refuted")
    print(f"{sum(each.seconds for each in checked):.1f} s of processor time in all")
    print("not decided:", *(f"  {each}" for each in undecided), sep="\n")
    print("slowest:", *(f"  {each}" for each in slowest[:10]), sep="\n")
    return 1 if undecided or slowest[0].seconds > SECONDS else 0


def _chosen(numbers: list[int], chosen: list[str]) -> Iterator[int]:
    if not chosen:
        yield from numbers
    for text in chosen:
        if ":" in text:
            every, start = map(int, text.split(":"))
            yield from numbers[start::every]
        else:
            yield int(text)


def _checked(number: int, text: str) -> Checked:
    model = check_file(parse(Text.of("tensat.rw", text)), lambda name: None)
    (declared,) = model.declarations
    if not isinstance(declared.value, Rule):
        raise SystemExit(f"{text}\n{declared}")
    start = time.process_time()
    answers = [answer(question, Budget(), Mode.NORMAL_FORMS) for question in rule_questions(declared.value)]
    seconds = time.process_time() - start
    return Checked(number, tuple(each.verdict for each in answers), seconds, text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
