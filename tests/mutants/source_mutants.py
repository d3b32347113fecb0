"""Changes of Python sources, one at a time, each of which a test should notice.

A comparison is flipped or shifted by one, a condition negated or dropped, a statement dropped, operands or arguments
are swapped, a number is one more, `and` is `or`. Invariant: a mutant is a change of a text, which stays as it is
everywhere else. What only words messages, annotates types, asserts or limits work is left alone, as is what commutes.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.LShift: ("<<", ">>"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
}
ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)
IGNORED = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
WORDED = ("refuse", "refuse_construct", "note", "Problem", "Note", "refused")
"""Calls that only say why something is not read."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of a file: in which function (its first line too), what becomes what, and the text that comes out."""

    file: str
    function: str
    first_line: int
    line: int
    was: str
    becomes: str
    text: str
    number: int = 0

    @property
    def key(self) -> str:
        """What tells it from other mutants, wherever the function moves in its file."""
        again = f" ({self.number + 1})" if self.number else ""
        return f"{self.file}::{self.function}: {self.was} -> {self.becomes}{again}"


def mutants(root: Path, file: str) -> list[Mutant]:
    """All mutants of a file below `root`, in the order of its text."""
    source = (root / file).read_text(encoding="utf-8")
    found = [mutant for mutant in _Reader(file, source).module(ast.parse(source)) if mutant.text != source]
    seen: Counter[str] = Counter()
    made = []
    for mutant in found:
        made.append(replace(mutant, number=seen[mutant.key]))
        seen[mutant.key] += 1
    return made


class _Reader:
    """The mutants of one source, while its tree is walked."""

    def __init__(self, file: str, source: str) -> None:
        self._file, self._source = file, source
        self._lines = [0]
        for line in source.encode().splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._data = source.encode()
        self._function, self._first = "", 0

    def module(self, tree: ast.Module) -> Iterator[Mutant]:
        for node in tree.body:
            if not _is_limit(node):
                yield from self._walk(node)

    def _walk(self, node: ast.AST) -> Iterator[Mutant]:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                outer = self._function, self._first
                self._function = f"{self._function}.{node.name}" if self._function else node.name
                if isinstance(node, ast.FunctionDef):
                    self._first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                for each in node.body:
                    yield from self._walk(each)
                self._function, self._first = outer
                return
            case ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
                return
            case ast.AnnAssign(value=value) if value is not None:
                yield from self._walk(value)
                return
            case ast.keyword(arg="strict", value=ast.Constant(value=True)):
                return
            case _ if isinstance(node, IGNORED) or _is_worded(node):
                return
        yield from self._of(node)
        for child in ast.iter_child_nodes(node):
            yield from self._walk(child)

    def _of(self, node: ast.AST) -> Iterator[Mutant]:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                yield from self._compared(node, left, op, right)
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield self._made(test, f"not ({self._text(test)})")
                if isinstance(node, ast.If):
                    yield self._made(test, "False")
            case ast.comprehension(ifs=[test]) | ast.match_case(guard=ast.expr() as test):
                yield self._made(test, "True")
                yield self._made(test, f"not ({self._text(test)})")
            case ast.BoolOp(op=op, values=[first, *_, last]):
                word = "or" if isinstance(op, ast.And) else "and"
                yield self._made(node, f" {word} ".join(f"({self._text(each)})" for each in node.values))
                yield self._made(node, self._text(first))
                yield self._made(node, self._text(last))
            case ast.BinOp(left=left, op=op, right=right):
                yield from self._computed(node, left, op, right)
            case ast.Call(func=ast.Name(id="max" | "min"), args=[_, _]):
                return
            case ast.Call(func=func, args=[first, second], keywords=[]) if not isinstance(second, ast.Starred):
                yield self._made(node, f"{self._text(func)}({self._text(second)}, {self._text(first)})")
            case ast.Constant(value=bool() as value):
                yield self._made(node, str(not value))
            case ast.Constant(value=int() as value):
                yield self._made(node, str(value + 1))
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
                yield self._made(node, "pass")
            case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
                yield self._made(node, "pass")
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                yield self._made(node, f"({self._text(operand)})")

    def _compared(self, node: ast.Compare, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Iterator[Mutant]:
        sign, other = COMPARED[type(op)]
        (start, end), (_, gap_start), (gap_end, _) = self._at(node), self._at(left), self._at(right)
        parts = (self._data[at:to].decode() for at, to in ((start, gap_start), (gap_start, gap_end), (gap_end, end)))
        before, between, after = parts
        yield self._made(node, before + between.replace(sign, other, 1) + after)

    def _computed(self, node: ast.BinOp, left: ast.expr, op: ast.operator, right: ast.expr) -> Iterator[Mutant]:
        if isinstance(right, ast.Constant) and isinstance(right.value, str):
            return
        if type(op) in COMPUTED and not isinstance(left, ast.Constant):
            yield self._made(node, f"{self._text(left)} {COMPUTED[type(op)][1]} {self._text(right)}")
        if isinstance(op, ORDERED):
            between = self._data[self._at(left)[1] : self._at(right)[0]].decode()
            yield self._made(node, f"({self._text(right)}){between.strip('()')}({self._text(left)})")

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._at(node)
        return self._data[start:end].decode()

    def _at(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def _made(self, node: ast.expr | ast.stmt, becomes: str) -> Mutant:
        start, end = self._at(node)
        text = (self._data[:start] + becomes.encode() + self._data[end:]).decode()
        was = " ".join(self._text(node).split())
        becomes = " ".join(becomes.split())
        return Mutant(self._file, self._function, self._first, node.lineno, was, becomes, text)


def _is_limit(node: ast.stmt) -> bool:
    """Whether a statement of a module only sets a limit, as `MOST = 64` does."""
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)


def _is_worded(node: ast.AST) -> bool:
    called = node.value if isinstance(node, ast.Expr) else node
    if not isinstance(called, ast.Call):
        return False
    name = called.func.attr if isinstance(called.func, ast.Attribute) else getattr(called.func, "id", "")
    return name in WORDED
