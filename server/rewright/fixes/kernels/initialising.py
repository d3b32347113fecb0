"""Changes for a read of something that was never written: a value where it is declared, or a loop that fills it."""

from __future__ import annotations

import re

from rewright.fixes.kernels.arrays import DeclaredArray, variable_declared
from rewright.fixes.kernels.tree import CUDA, ParsedText, indentation_of, newline, zeros
from rewright.syntax.text import Span
from rewright.verdict import Edit


def initialised(source: ParsedText, place: Span, name: str) -> list[tuple[Edit, ...]]:
    """The edits that give a variable, or a local array, zeros where it is declared."""
    declarator = variable_declared(source, place, name)
    if declarator is None:
        return []
    at = declarator.end_byte
    values = (" = {0}", " = {}") if declarator.type == "array_declarator" else (" = 0", " = {}")
    return [(source.replaced(at, at, value),) for value in values]


def filled(source: ParsedText, declared: DeclaredArray, axes: int) -> list[tuple[Edit, ...]]:
    """The edit that sets a shared array to zero after its declaration, by all threads of a block of so many axes."""
    if not declared.extents:
        return []
    loop = _cuda_loop if source.dialect is CUDA else _own_loop
    indentation, line = indentation_of(source, declared.statement), newline(source)
    at = declared.statement.end_byte
    texts = (
        "".join(f"{line}{indentation}{each}" for each in loop(source, declared, axes, zero)) for zero in zeros(source)
    )
    return [(source.replaced(at, at, text),) for text in texts]


def _extents(source: ParsedText, declared: DeclaredArray) -> list[str]:
    """The extents as factors."""
    texts = [source.text(each) for each in declared.extents]
    return texts if len(texts) == 1 else [text if re.fullmatch(r"\w+", text) else f"({text})" for text in texts]


def _number_and_count(thread: str, block: str, axes: int) -> tuple[str, str]:
    """The number of a thread in a block of so many axes, and how many threads that has."""
    number, count = f"{thread}.x", f"{block}.x"
    for axis in "yz"[: axes - 1]:
        number, count = f"{number} + {count} * {thread}.{axis}", f"{count} * {block}.{axis}"
    return number, count


def _cuda_loop(source: ParsedText, declared: DeclaredArray, axes: int, zero: str) -> list[str]:
    name, extents = _fresh(source), _extents(source, declared)
    first, stride = _number_and_count("threadIdx", "blockDim", axes)
    element = declared.name + "".join(f"[{index}]" for index in _indices(name, extents))
    head = f"for (int {name} = {first}; {name} < {' * '.join(extents)}; {name} += {stride})"
    return [f"{head} {element} = {zero};", "__syncthreads();"]


def _own_loop(source: ParsedText, declared: DeclaredArray, axes: int, zero: str) -> list[str]:
    name, extents = _fresh(source), _extents(source, declared)
    first, stride = _number_and_count("thread", "block_dim", axes)
    stride = f"({stride})" if axes > 1 else stride
    element = f"{declared.name}[{', '.join(_indices(name, extents))}]"
    return [f"for {name} in {first}..{' * '.join(extents)} step {stride} {{ {element} = {zero} }}", "barrier()"]


def _indices(name: str, extents: list[str]) -> list[str]:
    """The indices, outermost first, of the element with a row-major number."""
    found: list[str] = []
    for axis in range(len(extents)):
        inner = extents[axis + 1 :]
        index = f"{name} / {' / '.join(inner)}" if inner else name
        found.append(f"{index} % {extents[axis]}" if axis else index)
    return found


def _fresh(source: ParsedText) -> str:
    """A name for an index that does not occur in the text."""
    text = source.data.decode(errors="replace")
    names = ("i", "k", "e", *(f"i{number}" for number in range(1, 1000)))
    words = set(re.findall(r"\w+", text))
    return next(name for name in names if name not in words)
