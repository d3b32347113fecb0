"""One operation of MLIR's text as it is read, pretty or generic: names, operands, attributes, types, the model's line.

Owns where these stand in the two forms, and the keys under which pretty forms say what the generic ones do. Must not
know how operations nest, nor what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from rewright.frontends.stablehlo.tokens import (
    AttributeReader,
    MlirToken,
    Named,
    closing,
    model_line,
    tensor_type,
    top_level,
    unquoted,
)
from rewright.frontends.tensor_programs.program import Attribute, Braces, Custom, ModelLine, TensorType

SHORT = {"return": "func.return", "call": "func.call", "module": "builtin.module"}
"""Names that stand without their dialect."""

_RENAMED = {
    "dims": {"broadcast_in_dim": "broadcast_dimensions", "transpose": "permutation", "reverse": "dimensions"},
    "dim": {"concatenate": "dimension", "iota": "iota_dimension"},
    "sizes": {"dynamic_slice": "slice_sizes"},
    "low": {"pad": "edge_padding_low"},
    "high": {"pad": "edge_padding_high"},
    "interior": {"pad": "interior_padding"},
}
"""By the key of a pretty form the key of the generic one, by the operation's name without `stablehlo.`."""


class ReadOperation(Struct, frozen=True):
    """An operation without its regions. `blocks` are the values that are listed before its body, with types.

    `listed` are values in the first parentheses, which tell the operands of an operation with a body from what the body
    is given.
    """

    name: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    types: tuple[TensorType, ...]
    attributes: Mapping[str, Attribute]
    blocks: tuple[tuple[str, TensorType], ...]
    line: ModelLine | None


def read_operation(found: list[MlirToken], aliases: Mapping[str, Attribute], named: Named) -> ReadOperation | None:
    """What the tokens of an operation without its regions say, None if they name none."""
    found, place = _without_place(found)
    line = model_line(place, named) if place else None
    results, at = _results(found)
    if at >= len(found) or found[at].kind not in ("word", "string"):
        return None
    name = unquoted(found[at].text)
    rest = found[at + 1 :]
    body, typed = _parted(rest)
    operands, blocks, inside = _values(body)
    attributes = _attributes(name, inside, aliases)
    types = _types(typed)
    made = _named(results, len(types))
    return ReadOperation(SHORT.get(name, name), operands, made, types, attributes, blocks, line)


def _without_place(found: list[MlirToken]) -> tuple[list[MlirToken], list[MlirToken]]:
    """The tokens of an operation, and those of the place at its end."""
    for number in reversed(list(top_level(found))):
        if found[number].text == "loc" and number + 1 < len(found) and found[number + 1].text == "(":
            return found[:number], found[number + 2 :]
    return found, []


def _results(found: Sequence[MlirToken]) -> tuple[list[tuple[str, int]], int]:
    """The names before `=` with how many values each is, and the number of the token after it."""
    named: list[tuple[str, int]] = []
    at = 0
    while at < len(found) and found[at].kind == "value":
        name, many = found[at].text, 1
        at += 1
        if at + 1 < len(found) and found[at].text == ":" and found[at + 1].text.isdecimal():
            many = int(found[at + 1].text)
            at += 2
        named.append((name, many))
        if at < len(found) and found[at].text == ",":
            at += 1
    if at < len(found) and found[at].text == "=":
        return named, at + 1
    return [], at


def _named(results: list[tuple[str, int]], types: int) -> tuple[str, ...]:
    """The names of the single values: `%0:2` are `%0#0` and `%0#1`."""
    found: list[str] = []
    for name, many in results:
        found += [name] if many == 1 else [f"{name}#{number}" for number in range(min(many, max(types, 1)))]
    return tuple(found)


def _parted(found: list[MlirToken]) -> tuple[list[MlirToken], list[MlirToken]]:
    """What stands before the colon of the types, and what stands after it."""
    for number in top_level(found):
        if found[number].text == ":" and found[number].kind == "sign":
            return found[:number], found[number + 1 :]
    return found, []


def _values(body: list[MlirToken]) -> tuple[tuple[str, ...], tuple[tuple[str, TensorType], ...], list[MlirToken]]:
    """The operands, the values with types that a body is given, and the tokens with neither."""
    operands: list[str] = []
    blocks: list[tuple[str, TensorType]] = []
    rest: list[MlirToken] = []
    for number, token in enumerate(body):
        if token.kind != "value":
            rest.append(token)
            continue
        made = None
        if number + 2 < len(body) and body[number + 1].text == ":" and body[number + 2].kind == "type":
            made = tensor_type(body[number + 2].text)
        if made is not None:
            blocks.append((token.text, made))
        else:
            operands.append(token.text)
    return tuple(operands), tuple(blocks), rest


def _attributes(name: str, body: list[MlirToken], aliases: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """All that has a key, also in `<{…}>` and `{…}`; what has none is `symbol`, `value` or in `words`."""
    reader = AttributeReader(body, aliases)
    found: dict[str, Attribute] = {}
    words: list[Attribute] = []
    short = name.removeprefix("stablehlo.")
    at = 0
    while at < len(body):
        token = body[at]
        keyed = at + 1 < len(body) and body[at + 1].text == "=" and token.kind == "word"
        if keyed:
            value, at = reader.value(at + 2)
            if at < len(body) and body[at].text == "x":
                other, at = reader.value(at + 1)
                value = (value, other)
            found[_RENAMED.get(token.text, {}).get(short, token.text)] = value
            continue
        value, at = reader.value(at)
        match value:
            case Braces(entries=entries, keyed=inner):
                found |= inner
                words += entries
            case Custom(name="", entries=(Braces(entries=entries, keyed=inner),)):
                found |= inner
                words += entries
            case Custom(name="dense" | "dense_resource" | "array"):
                found["value"] = value
            case _ if token.kind == "symbol":
                found["symbol"] = value
            case tuple():
                # The bounds of a slice stand in brackets without a key.
                found.setdefault("listed", tuple(_bounds(body, at)) if short == "slice" else value)
            case str() if token.kind in ("word", "string"):
                words.append(value)
            case _:
                pass
    if words:
        found["words"] = tuple(words)
    return found


def _bounds(body: list[MlirToken], end: int) -> list[Attribute]:
    """`[0:8, 4:16:2]` before the token at `end`, as a list of lists of numbers."""
    start = next(number for number in range(end) if body[number].text == "[" and closing(body, number) == end - 1)
    bounds: list[list[str]] = [[]]
    for token in body[start + 1 : end - 1]:
        if token.text == ",":
            bounds.append([])
        elif token.kind == "number":
            bounds[-1].append(token.text)
    return [tuple(each) for each in bounds if each]


def _types(found: list[MlirToken]) -> tuple[TensorType, ...]:
    """The types of the results: after an arrow, if there is one, else the last one."""
    arrows = [number for number, each in enumerate(found) if each.kind == "arrow"]
    after = found[arrows[0] + 1 :] if arrows else found
    if arrows and after and after[0].text == "(":
        after = after[: closing(after, 0)]
    elif arrows:
        after = after[:1]
    made = [tensor_type(each.text) for each in after if each.kind == "type"]
    types = [each for each in made if each is not None]
    return tuple(types) if arrows else tuple(types[-1:])
