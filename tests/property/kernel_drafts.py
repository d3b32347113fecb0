"""Random tiny kernels: a form of their own, printed in both languages.

An expression is a number, a name, or (operator, left, right). Statements are tuples:
("set", variable, e), ("load", variable, array, e), ("store", array, e, e), ("if", e, body, body),
("loop", variable, e, body), ("barrier",), ("return",).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

SIZE = 4
ARRAYS = ("a", "b", "g")
Expr = Any
Stmt = tuple[Any, ...]
Body = tuple[Stmt, ...]


@dataclass(frozen=True)
class Draft:
    """A kernel for so many threads; `a` and `b` are shared, `g` is an output."""

    threads: int
    body: Body
    variables: tuple[str, ...]


def draft(random: Random) -> Draft:
    """A random kernel; it may do anything that the little language allows."""
    writer = _Writer(random)
    threads = random.randint(2, 4)
    body: Body = ()
    if random.random() < 0.5:
        body += (("store", "a", "t", writer.value()),)
        if random.random() < 0.85:
            body += (("barrier",),)
    body += writer.body(random.randint(1, 5), 0)
    return Draft(threads, body, tuple(writer.variables))


class _Writer:
    """Writes random statements; remembers the variables that they use."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.variables: list[str] = []
        self.in_sight: list[str] = ["t"]
        self.style = random.choice(("own", "own", "shifted", "any"))

    def body(self, length: int, depth: int) -> Body:
        before = list(self.in_sight)
        statements = tuple(self.statement(depth) for _ in range(length))
        if depth:
            self.in_sight = before
        return statements

    def statement(self, depth: int) -> Stmt:
        choice = self.random.random()
        if choice < 0.33:
            return ("store", self.random.choice(ARRAYS), self.index(), self.value())
        if choice < 0.55:
            array, index = self.random.choice(ARRAYS[:2]), self.index()
            return ("load", self.fresh(), array, index)
        if choice < 0.62:
            value = self.value()
            return ("set", self.fresh(), value)
        if choice < 0.82:
            return ("barrier",)
        if depth < 2 and choice < 0.91:
            condition = self.condition()
            then = self.body(self.random.randint(1, 2), depth + 1)
            otherwise = self.body(1, depth + 1) if self.random.random() < 0.4 else ()
            return ("if", condition, then, otherwise)
        if depth < 2 and choice < 0.985:
            limit = self.random.choice((1, 2, 2, 2, "t", ("+", "t", 1)))
            variable = self.fresh()
            return ("loop", variable, limit, self.body(self.random.randint(1, 3), depth + 1))
        return ("return",)

    def fresh(self) -> str:
        name = f"v{len(self.variables)}"
        self.variables.append(name)
        self.in_sight.append(name)
        return name

    def index(self) -> Expr:
        random = self.random
        roll = random.random()
        if self.style == "own" and roll < 0.75:
            return "t"
        if self.style == "shifted" and roll < 0.7:
            return ("%", ("+", "t", random.randint(1, 3)), SIZE)
        if roll < 0.8:
            return random.randint(0, SIZE - 1)
        if roll < 0.96:
            return ("%", ("+", random.choice(self.in_sight), random.randint(0, 3)), SIZE)
        return ("+", "t", random.randint(0, 2))

    def value(self) -> Expr:
        random = self.random
        if random.random() < 0.5:
            return random.randint(0, 3)
        return (random.choice("+*-"), random.choice(self.in_sight), random.randint(0, 3))

    def condition(self) -> Expr:
        random = self.random
        left = random.choice((random.choice(self.in_sight), "t", "t", ("%", "t", 2)))
        if random.random() < 0.25:
            left = random.randint(0, 2)
        return (random.choice(("<", "==", "!=", ">")), left, random.randint(0, 3))


def own_syntax(kernel: Draft) -> str:
    """The kernel as a declaration."""
    lines = [
        f"kernel tiny(g: out s32[{SIZE}]) {{",
        f"  launch block({kernel.threads})",
        f"  shared a, b: s32[{SIZE}]",
        "  let t = thread.x",
        *(f"  var {name}: s32" for name in kernel.variables),
        *_lines(kernel.body, "own"),
        "}",
    ]
    return "\n".join(lines) + "\n"


def cuda(kernel: Draft) -> tuple[str, str]:
    """The declaration and the CUDA text."""
    lines = [
        "__global__ void tiny(int *g) {",
        f"  __shared__ int a[{SIZE}], b[{SIZE}];",
        "  int t = threadIdx.x;",
        *(f"  int {name};" for name in kernel.variables),
        *_lines(kernel.body, "cuda"),
        "}",
    ]
    declaration = f'kernel tiny(g: inout s32[{SIZE}]) from "tiny.cu"::tiny {{ launch block({kernel.threads}) }}\n'
    return declaration.replace("inout", "out"), "\n".join(lines) + "\n"


def _lines(body: Body, language: str) -> list[str]:
    end = ";" if language == "cuda" else ""
    opened, closed = ("(", ")") if language == "cuda" else ("", "")
    lines: list[str] = []
    for statement in body:
        match statement:
            case ("set", name, value):
                lines.append(f"{name} = {_text(value)}{end}")
            case ("load", name, array, index):
                lines.append(f"{name} = {array}[{_text(index)}]{end}")
            case ("store", array, index, value):
                lines.append(f"{array}[{_text(index)}] = {_text(value)}{end}")
            case ("if", condition, then, otherwise):
                lines.append(f"if {opened}{_text(condition)}{closed} {{")
                lines += _lines(then, language)
                if otherwise:
                    lines += ["} else {", *_lines(otherwise, language)]
                lines.append("}")
            case ("loop", name, limit, inner):
                lines += [
                    f"{name} = 0{end}",
                    f"while {opened}{name} < {_text(limit)}{closed} {{",
                    *_lines(inner, language),
                    f"{name} = {name} + 1{end}",
                    "}",
                ]
            case ("barrier",):
                lines.append("__syncthreads();" if language == "cuda" else "barrier()")
            case ("return",):
                lines.append(f"return{end}")
    return ["  " + line for line in lines]


def _text(expression: Expr) -> str:
    if isinstance(expression, tuple):
        operator, left, right = expression
        return f"({_text(left)} {operator} {_text(right)})"
    return str(expression)
