"""Transforms of rules/loops in C, each changed once: a bound, a step, a subscript, statements, loops, a guard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

_PIECE = re.compile(
    r"^(?:#pragma rewright transform (\w+)[^\n]*\n)?(?:static )?void (\w+)\(.*?^\}\n", re.MULTILINE | re.DOTALL
)
_FOR = re.compile(r"( *)for \((?:int (\w+) = ([^;]*)); ([^;]*); ([^)]*)\)( \{)?\n")
_CALL = re.compile(r"^( *)([A-Z_]+)\((.*)\);\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed transform: its name, the kind of change, and its text with its pragma in front."""

    name: str
    kind: str
    text: str


def mutants(file: Path, of_each_kind: int) -> tuple[str, list[Mutant]]:
    """What stands before the transforms of a text, and its right transforms, changed."""
    text = file.read_text()
    right = [
        match
        for match in _PIECE.finditer(text)
        if match[1] is not None and "expect refuted" not in match[0].partition("\n")[0]
    ]
    helpers = {match[2]: match[0] for match in _PIECE.finditer(text) if match[1] is None and "static" in match[0]}
    random = Random(file.stem)
    found = []
    for match in right:
        called = _called(match[0], helpers)
        functions = [*(helpers[each] for each in called), match[0]]
        for kind, change in (KINDS | (CALLS if called else {})).items():
            changed = list(dict.fromkeys(_changed(functions, change)))
            for number, each in enumerate(random.sample(changed, min(of_each_kind, len(changed)))):
                name = f"{match[1]}__{kind}{number}"
                renamed = re.sub(rf"\b({'|'.join(called)})\b", rf"\1_in_{name}", each) if called else each
                found.append(Mutant(name, kind, re.sub(rf"\b{match[1]}\b", name, renamed)))
    return text[: right[0].start()], found


def _called(function: str, helpers: dict[str, str]) -> list[str]:
    """The helpers that a function calls, and those that these call, in the order of the text."""
    needed: set[str] = set()
    waiting = [function]
    while waiting:
        text = waiting.pop()
        new = {each for each in helpers if each not in needed and re.search(rf"\b{each}\(", text)}
        needed |= new
        waiting += [helpers[each] for each in new]
    return [each for each in helpers if each in needed]


def _changed(functions: list[str], change: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """The text of the functions with one change in one of them."""
    for at, function in enumerate(functions):
        head, body = function.split(") {\n", 1)
        for each in change(body):
            if each != body:
                yield "\n".join([*functions[:at], f"{head}) {{\n{each}", *functions[at + 1 :]])


def _bounds(body: str) -> Iterator[str]:
    for match in _FOR.finditer(body):
        for old, new in (("<", "<="), (">=", ">"), (">", ">=")):
            if f" {old} " in match[4]:
                yield _put(body, match.span(4), match[4].replace(f" {old} ", f" {new} ", 1))
                break


def _starts(body: str) -> Iterator[str]:
    for match in _FOR.finditer(body):
        yield _put(body, match.span(3), f"{match[3]} + 1")


def _steps(body: str) -> Iterator[str]:
    for match in _FOR.finditer(body):
        step = match[5]
        changed = step.replace("++", " += 2") if "++" in step else re.sub(r"= (\w+)$", r"= \1 + 1", step)
        yield _put(body, match.span(5), changed)


def _subscripts(body: str) -> Iterator[str]:
    for match in _CALL.finditer(body):
        given = match[3].split(", ")
        for at, each in enumerate(given):
            if "[" in each:
                continue  # an element, not a subscript
            for changed in (f"{each} / 2" if each.isidentifier() else f"({each}) / 2", f"{each} - 1"):
                yield _put(body, match.span(3), ", ".join([*given[:at], changed, *given[at + 1 :]]))


def _dropped(body: str) -> Iterator[str]:
    for match in _CALL.finditer(body):
        yield _put(body, match.span(), f"{match[1]};\n")


def _doubled(body: str) -> Iterator[str]:
    for match in _CALL.finditer(body):
        yield _put(body, match.span(), f"{match[1]}{{ {match[0].strip()} {match[0].strip()} }}\n")


def _statements(body: str) -> Iterator[str]:
    lines = body.splitlines(keepends=True)
    for at in range(len(lines) - 1):
        if _CALL.fullmatch(lines[at]) and _CALL.fullmatch(lines[at + 1]) and _indented(lines, at):
            yield "".join([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])


def _indented(lines: list[str], at: int) -> bool:
    return len(lines[at]) - len(lines[at].lstrip()) == len(lines[at + 1]) - len(lines[at + 1].lstrip())


def _loops(body: str) -> Iterator[str]:
    lines = body.splitlines(keepends=True)
    for at in range(len(lines) - 1):
        one, other = _FOR.fullmatch(lines[at]), _FOR.fullmatch(lines[at + 1])
        if one is None or other is None or one[6] or re.search(rf"\b{one[2]}\b", other[0]):
            continue
        first, second = lines[at + 1].strip().removesuffix(" {"), lines[at].strip()
        opened = " {" if other[6] else ""
        yield "".join([*lines[:at], f"{one[1]}{first}\n", f"{other[1]}{second}{opened}\n", *lines[at + 2 :]])


def _guards(body: str) -> Iterator[str]:
    for match in re.finditer(r"if \((.*)\) \{\n", body):
        parts = match[1].split(" && ")
        for at in range(len(parts)):
            rest = parts[:at] + parts[at + 1 :]
            yield _put(body, match.span(1), " && ".join(rest) or "1")
            yield _put(body, match.span(1), " && ".join([*parts[:at], parts[at].replace("<=", "<"), *parts[at + 1 :]]))


def _arguments(body: str) -> Iterator[str]:
    for match in re.finditer(r"^ *[a-z_]+\((.*)\);\n", body, re.MULTILINE):
        given = match[1].split(", ")
        for at, each in enumerate(given):
            if each[0] not in "ABCV":
                yield _put(body, match.span(1), ", ".join([*given[:at], f"{each} + 1", *given[at + 1 :]]))


def _lost_calls(body: str) -> Iterator[str]:
    for match in re.finditer(r"^( *)[a-z_]+\(.*\);\n", body, re.MULTILINE):
        yield _put(body, match.span(), f"{match[1]};\n")
        yield _put(body, match.span(), f"{match[1]}{{ {match[0].strip()} {match[0].strip()} }}\n")


def _swapped_calls(body: str) -> Iterator[str]:
    lines = body.splitlines(keepends=True)
    call = re.compile(r" *[a-z_]+\(.*\);\n")
    for at in range(len(lines) - 1):
        if call.fullmatch(lines[at]) and call.fullmatch(lines[at + 1]):
            yield "".join([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])


def _put(body: str, span: tuple[int, int], text: str) -> str:
    return body[: span[0]] + text + body[span[1] :]


KINDS: dict[str, Callable[[str], Iterator[str]]] = {
    "bound": _bounds,
    "start": _starts,
    "step": _steps,
    "subscript": _subscripts,
    "dropped": _dropped,
    "doubled": _doubled,
    "statements": _statements,
    "loops": _loops,
    "guard": _guards,
}
CALLS: dict[str, Callable[[str], Iterator[str]]] = {
    "argument": _arguments,
    "call": _lost_calls,
    "calls": _swapped_calls,
}
"""Changes of programs that call functions of their own."""
