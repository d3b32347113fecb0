"""One instruction of HLO's text as it is read: name, shapes, opcode, operands, attributes. Must not know meanings."""

from __future__ import annotations

import re

from msgspec import Struct

from rewright.frontends.tensor_programs.program import TensorType

_INSTRUCTION = re.compile(r"(?P<root>ROOT )?%?(?P<name>[\w.\-]+) = ")
_OPCODE = re.compile(r" *(?P<opcode>[a-z][\w\-]*)\(")
_SHAPE = re.compile(r"(?P<element>[a-z]\w*)\[(?P<sizes>[^\]]*)\](?P<layout>\{[^}]*\})?")
_COMMENT = re.compile(r"/\*.*?\*/")

_OPEN, _CLOSE = "([{<", ")]}>"


class HloInstruction(Struct, frozen=True):
    """An instruction: its `types` are several if it gives a tuple; `end` is where its operands end in the line.

    Operands of a constant are its literal as it stands. `plain` says that every layout is the usual one, wherever
    dimensions of size 1 stand in it.
    """

    name: str
    is_root: bool
    is_tuple: bool
    types: tuple[TensorType, ...]
    opcode: str
    operands: tuple[str, ...]
    literal: str
    attributes: dict[str, str]
    plain: bool
    end: int


def instruction(line: str) -> HloInstruction | None:
    """What a line says, None if it is no instruction."""
    text = _COMMENT.sub(lambda match: " " * len(match[0]), line)
    head = _INSTRUCTION.match(text.strip())
    if head is None:
        return None
    offset = len(text) - len(text.lstrip())
    at = offset + head.end()
    is_tuple = text.startswith("(", at)
    stop = _closed(text, at) if is_tuple else _type_end(text, at)
    opcode = _OPCODE.match(text, stop)
    if opcode is None:
        return None
    opened = opcode.end() - 1
    closed = _closed(text, opened)
    if closed > len(text) or text[closed - 1 : closed] != ")":
        return None
    shown = text[at:stop]
    shapes = list(_SHAPE.finditer(shown))
    inside = text[opened + 1 : closed - 1]
    operands = tuple(_operand(each) for each in split(inside)) if opcode["opcode"] != "constant" else ()
    attributes = dict(_keyed(each) for each in split(text[closed:].lstrip(", ")) if "=" in each)
    return HloInstruction(
        head["name"],
        head["root"] is not None,
        is_tuple,
        tuple(_type(each) for each in shapes),
        opcode["opcode"],
        operands,
        inside.strip(),
        attributes,
        all(_is_plain(each) for each in shapes),
        closed,
    )


def split(text: str) -> list[str]:
    """The parts between commas that stand in no brackets and no quotes."""
    parts, depth, start, quoted = [], 0, 0, False
    previous = ""
    for at, sign in enumerate(text):
        if sign == '"' and previous != "\\":
            quoted = not quoted
        elif not quoted:
            arrow = (sign == ">" and previous == "-") or (sign == "<" and text.startswith("<=", at))
            depth += 0 if arrow else (sign in _OPEN) - (sign in _CLOSE)
            if sign == "," and depth == 0:
                parts.append(text[start:at].strip())
                start = at + 1
        previous = sign
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _closed(text: str, at: int) -> int:
    """The offset after the bracket that closes the one at `at`; beyond the text if none does."""
    depth, quoted, previous = 0, False, ""
    for number in range(at, len(text)):
        sign = text[number]
        if sign == '"' and previous != "\\":
            quoted = not quoted
        elif not quoted and sign in "([{":
            depth += 1
        elif not quoted and sign in ")]}":
            depth -= 1
            if depth == 0:
                return number + 1
        previous = sign
    return len(text) + 1


def _type_end(text: str, at: int) -> int:
    match = _SHAPE.match(text, at)
    if match is not None:
        return match.end()
    word = re.compile(r"[a-z]\w*(?:\[\])?").match(text, at)
    return word.end() if word is not None else at


def _type(match: re.Match[str]) -> TensorType:
    sizes = [each.strip() for each in match["sizes"].split(",") if each.strip()]
    return TensorType(match["element"], tuple(int(each) if each.isdecimal() else None for each in sizes))


def _is_plain(match: re.Match[str]) -> bool:
    layout = (match["layout"] or "").strip("{}").split(":")[0]
    sizes = [each.strip() for each in match["sizes"].split(",")]
    order = [int(each) for each in layout.split(",") if each]
    kept = [each for each in order if each >= len(sizes) or sizes[each] != "1"]
    return kept == sorted(kept, reverse=True)


def _operand(text: str) -> str:
    """The name of an operand, also where its type stands before it."""
    return text.split(" ")[-1].removeprefix("%")


def _keyed(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key.strip(), value.strip()
