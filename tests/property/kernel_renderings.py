"""Drafts as text, in our own syntax and in CUDA C++, and back to programs: by the front ends.

Every statement that accesses memory or waits stands in a line of its own, which tells its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kernel_drafts import FULL, SIZE, Body, Draft, Expr, Stmt, statements
from kernel_interleaver import OF_BLOCK, OF_WARP, compiled
from kernel_traces import ACCESSES
from msgspec.structs import replace

from rewright.frontends.programs import lower
from rewright.model.check_declaration import check_declaration
from rewright.model.kernel import Kernel
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Race
from rewright.model.surroundings import Surroundings
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import InSource, Place, Site

VISIBLE = (*ACCESSES, *OF_BLOCK, *OF_WARP)
CALLS = {"<": "<", ">": ">", "==": "==", "!=": "!="}
OWN_ATOMICS = {"add": "atomic_add", "max": "atomic_max", "exch": "atomic_exchange", "cas": "atomic_cas"}
CUDA_ATOMICS = {"add": "atomicAdd", "max": "atomicMax", "exch": "atomicExch", "cas": "atomicCAS"}
OWN_SHUFFLES = {"idx": "shuffle", "up": "shuffle_up", "down": "shuffle_down", "xor": "shuffle_xor"}
CUDA_SHUFFLES = {"idx": "__shfl_sync", "up": "__shfl_up_sync", "down": "__shfl_down_sync", "xor": "__shfl_xor_sync"}


@dataclass(frozen=True)
class Written:
    """A kernel that was read from text. `lines`: the line of each instruction of the interleaver's code that shows."""

    text: str
    source: str
    kernel: Kernel
    program: Program
    spans: tuple[Span, ...]
    lines: dict[int, int]

    def instruction(self, place: Place) -> int:
        """The number, in the interleaver's code, of what stands at a place."""
        match place:
            case Site(number):
                line = self.text.encode()[: self.spans[number].start].count(b"\n")
            case InSource(_, start, _):
                line = self.source.encode()[:start].count(b"\n")
        return self.lines[line]

    def placed(self, race: Race) -> Race:
        """The race with places as in `kernel_programs`."""
        first, second = (replace(side, place=Site(self.instruction(side.place))) for side in (race.first, race.second))
        return replace(race, first=first, second=second)


def in_own_syntax(kernel: Draft) -> Written | None:
    """The kernel as a declaration; None if it uses what our syntax does not have."""
    if any(statement[0] == "poll" for statement in statements(kernel.body)):
        return None
    header = [
        f"kernel tiny(g: out s32[{SIZE}]) {{",
        f"  launch block({kernel.threads})",
        f"  shared a, b: s32[{SIZE}]",
        "  let t = thread.x",
        *(f"  var {name}: s32" for name in kernel.variables),
    ]
    writer = _Own(header)
    writer.body(kernel.body)
    text = "\n".join([*writer.lines, "}"]) + "\n"
    return _read(text, "", _shown(kernel, writer))


def in_cuda(kernel: Draft) -> Written:
    """The kernel as a CUDA function."""
    header = [
        "__global__ void tiny(int *g) {",
        f"  __shared__ int a[{SIZE}], b[{SIZE}];",
        "  int t = threadIdx.x;",
        *(f"  int {name};" for name in kernel.variables),
    ]
    writer = _Cuda(header, scalars=scalars_of(kernel))
    writer.body(kernel.body)
    return _read(_declaration("tiny", kernel), "\n".join([*writer.lines, "}"]) + "\n", _shown(kernel, writer))


def scalars_of(kernel: Draft) -> frozenset[str]:
    """The variables outside functions that are written without an index."""
    return frozenset(each.name for each in kernel.outside if each.size == 1)


def _declaration(entry: str, kernel: Draft) -> str:
    return f'kernel tiny(g: out s32[{SIZE}]) from "tiny.cu"::{entry} {{ launch block({kernel.threads}) }}\n'


def _shown(kernel: Draft, writer: _Writer) -> dict[int, int]:
    """The instruction in each line: both are in the order of the text."""
    numbers = [number for number, instruction in enumerate(compiled(kernel.body)) if instruction[0] in VISIBLE]
    return dict(zip(writer.shown, numbers, strict=True))


def _read(text: str, source: str, lines: dict[int, int]) -> Written:
    (placed,) = parse(Text.of("tiny.rw", text)).file.declarations
    declared = check_declaration(placed.node, placed.problems, Surroundings())
    assert not declared.findings, (text, declared.findings)
    assert isinstance(declared.value, Kernel), text
    lowered = lower(declared.value, {"tiny.cu": source} if source else {})
    assert lowered.program is not None, (text, source, lowered.problems)
    return Written(text, source, declared.value, lowered.program, declared.sites, lines)


@dataclass
class _Writer:
    """Lines, and the numbers of those where a statement stands that shows."""

    lines: list[str]
    shown: list[int] = field(default_factory=list)
    scalars: frozenset[str] = frozenset()

    end = ""

    def body(self, body: Body) -> None:
        """Writes statements."""
        for statement in body:
            if statement[0] in VISIBLE:
                self.shown.append(len(self.lines))
            self.statement(statement)

    def statement(self, statement: Stmt) -> None:
        match statement:
            case ("set", name, value):
                self.line(f"{name} = {text(value)}")
            case ("load", name, array, index):
                self.line(f"{name} = {self.element(array, index)}")
            case ("store", array, index, value):
                self.line(f"{self.element(array, index)} = {text(value)}")
            case ("if", condition, then, otherwise):
                self.lines.append(f"if {self.test(condition)} {{")
                self.body(then)
                if otherwise:
                    self.lines.append("} else {")
                    self.body(otherwise)
                self.lines.append("}")
            case ("loop", name, limit, inner):
                self.line(f"{name} = 0")
                self.lines.append(f"while {self.test(('<', name, limit))} {{")
                self.body(inner)
                self.line(f"{name} = {name} + 1")
                self.lines.append("}")
            case ("return",):
                self.line("return")
            case other:
                self.operation(other)

    def element(self, array: str, index: Expr) -> str:
        """An element of an array, or a variable that is none."""
        return array if array in self.scalars else f"{array}[{text(index)}]"

    def line(self, line: str) -> None:
        self.lines.append(line + self.end)

    def test(self, condition: Expr) -> str:
        raise AssertionError

    def operation(self, statement: Stmt) -> None:
        raise AssertionError


class _Own(_Writer):
    """Our own syntax."""

    def test(self, condition: Expr) -> str:
        return truth(condition)

    def operation(self, statement: Stmt) -> None:
        match statement:
            case ("barrier",):
                self.line("barrier()")
            case ("sync", mask):
                self.line("barrier(warp)" if mask == FULL else f"barrier(warp, {text(mask)})")
            case ("atomic", operation, name, array, index, value):
                compare = "0, " if operation == "cas" else ""
                self.line(f"{name} = {OWN_ATOMICS[operation]}({array}[{text(index)}], {compare}{text(value)})")
            case ("shuffle", kind, name, mask, value, lane, width):
                last = f"width = {width}{self.masked(mask)}"
                self.line(f"{name} = {OWN_SHUFFLES[kind]}({text(value)}, {text(lane)}, {last})")
            case ("vote", kind, name, mask, condition):
                voted = f"{kind}({truth(condition)}{self.masked(mask)})"
                self.line(f"{name} = {voted}" if kind == "ballot" else f"{name} = select({voted}, 1, 0)")
            case other:
                raise AssertionError(other)

    def masked(self, mask: Expr) -> str:
        return "" if mask == FULL else f", mask = {text(mask)}"


class _Cuda(_Writer):
    """CUDA C++."""

    end = ";"

    def test(self, condition: Expr) -> str:
        return f"({text(condition)})"

    def operation(self, statement: Stmt) -> None:
        match statement:
            case ("barrier",):
                self.line("__syncthreads()")
            case ("poll", kind, name, condition):
                self.line(f"{name} = __syncthreads_{kind}({text(condition)})")
            case ("sync", mask):
                self.line("__syncwarp()" if mask == FULL else f"__syncwarp({text(mask)})")
            case ("atomic", operation, name, array, index, value):
                compare = "0, " if operation == "cas" else ""
                self.line(f"{name} = {CUDA_ATOMICS[operation]}(&{self.element(array, index)}, {compare}{text(value)})")
            case ("shuffle", kind, name, mask, value, lane, width):
                rest = f"{text(mask)}, {text(value)}, {text(lane)}, {width}"
                self.line(f"{name} = {CUDA_SHUFFLES[kind]}({rest})")
            case ("vote", kind, name, mask, condition):
                self.line(f"{name} = __{kind}_sync({text(mask)}, {text(condition)})")
            case other:
                raise AssertionError(other)


def truth(condition: Expr) -> str:
    """A condition where only truths count."""
    is_truth = isinstance(condition, tuple) and condition[0] in CALLS
    return text(condition) if is_truth else f"{text(condition)} != 0"


def text(expression: Expr) -> str:
    """An expression, the same in both languages."""
    if isinstance(expression, tuple):
        operator, left, right = expression
        return f"({text(left)} {operator} {text(right)})"
    return str(expression)
