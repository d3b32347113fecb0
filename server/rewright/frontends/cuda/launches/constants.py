"""The integers that a document has names for where a kernel stands: macros, `const` variables outside functions, enums.

Definitions that ask for the names are put in front of the kernels and read with the rest of the document, so that a
name means there what it means to a compiler. Must not know launches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from rewright.emit.emitter import Emitter, Refused
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import constant
from rewright.frontends.cuda.cxx.scopes import EnumText, Namespace, Scope
from rewright.frontends.cuda.lower.names import names_of
from rewright.frontends.cuda.reading.texts import read_text
from rewright.frontends.cuda.reading.tree import inner, parts, text
from rewright.frontends.preset import Preset

_ASKS = "rewright_asks_{}_{}"
_SMALLEST, _LARGEST = -(1 << 31), (1 << 31) - 1


class DocumentTexts(NamedTuple):
    """A document: its path, its text and those that it includes by path, and what the project says of all."""

    path: str
    texts: Mapping[str, str]
    preset: Preset


class NameQuestion(NamedTuple):
    """What some names stand for at a byte of the document where a line begins."""

    at: int
    names: tuple[str, ...]


def constants(
    document: DocumentTexts, defines: Mapping[str, int], questions: Sequence[NameQuestion]
) -> tuple[dict[str, int], ...]:
    """For each question, the names that stand for an integer of 32 bits there, with macros that are given."""
    texts = {**document.texts, document.path: _asking(document.texts[document.path], questions)}
    try:
        read = read_text(document.path, texts, defines, document.preset)
        lowering = Lowering(Emitter(read.expanded.place), names_of(read))
        answers = {name: _value(lowering, name, enum) for name, enum in _enumerators(lowering.names.scope)}
    except RecursionError:
        answers = {}
    return tuple(
        {
            name: value
            for place, name in enumerate(question.names)
            if (value := answers.get(_ASKS.format(number, place))) is not None
        }
        for number, question in enumerate(questions)
    )


def _asking(document: str, questions: Sequence[NameQuestion]) -> str:
    """The text with a line in front of each place asked about: an enumerator for each name."""
    data = document.encode("utf-8", "surrogatepass")
    for number, question in sorted(enumerate(questions), key=lambda each: -each[1].at):
        asked = (f"enum {{ {_ASKS.format(number, place)} = ({name}) }};" for place, name in enumerate(question.names))
        data = data[: question.at] + " ".join(asked).encode() + b"\n" + data[question.at :]
    return data.decode("utf-8", "surrogatepass")


def _enumerators(scope: Scope) -> Iterator[tuple[str, EnumText]]:
    """The enumerators of a scope and of the namespaces in it."""
    waiting, seen = [scope], {id(scope)}
    while waiting:
        current = waiting.pop()
        for name, binding in list(current.names.items()):
            match binding:
                case EnumText():
                    yield name, binding
                case Namespace(scope=inside) if id(inside) not in seen:
                    seen.add(id(inside))
                    waiting.append(inside)
                case _:
                    pass


def _value(lowering: Lowering, name: str, enum: EnumText) -> int | None:
    written = _written(name, enum.node) if name.startswith(_ASKS.partition("{")[0]) else None
    if written is None:
        return None
    try:
        with lowering.names.inside(enum.scope):
            value = constant(lowering, written)
    except Refused:
        return None
    return value if value is not None and _SMALLEST <= value <= _LARGEST else None


def _written(name: str, enum: Node) -> Node | None:
    """What stands between the parentheses after an enumerator, None if that is no expression or several."""
    body = enum.child_by_field_name("body")
    given = [each.child_by_field_name("value") for each in parts(body) if _is_named(each, name)] if body else []
    expression = inner(given[0]) if len(given) == 1 and given[0] is not None else None
    is_one = expression is not None and not enum.has_error and expression.type != "comma_expression"
    return expression if is_one else None


def _is_named(enumerator: Node, name: str) -> bool:
    named = enumerator.child_by_field_name("name")
    return named is not None and text(named) == name
