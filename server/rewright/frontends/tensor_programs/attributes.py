"""Attributes of operations as the values that they stand for. Each function raises `NotTaken` for any other."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from fractions import Fraction
from math import prod

from rewright.frontends.tensor_programs.program import Attribute, Braces, Custom, TensorOperation
from rewright.frontends.tensor_programs.values import Infinite, NotTaken, Scalar

FLOATS = {"f16": "<e", "f32": "<f", "f64": "<d"}
"""How the bits of a float stand for a number, by its type, as `struct` names it."""

MOST_LISTED = 4096
"""Elements of a constant that are read one by one."""


def integers(operation: TensorOperation, *keys: str) -> tuple[int, ...]:
    """A list of integers, under the first of the keys that is there; empty if none is."""
    for key in keys:
        if key in operation.attributes:
            return tuple(int(each) for each in _numbers(operation.attributes[key], key))
    return ()


def integer(operation: TensorOperation, key: str) -> int:
    """The integer under a key. Raises `NotTaken`."""
    found = integers(operation, key)
    if len(found) != 1:
        raise NotTaken(f"it has no `{key}`")
    return found[0]


def has_word(operation: TensorOperation, word: str) -> bool:
    """Whether an attribute without a value is there, or a true one of this name."""
    words = operation.attributes.get("words", ())
    return (isinstance(words, tuple) and word in words) or operation.attributes.get(word) in ("true", "unit", "")


def word(operation: TensorOperation, key: str) -> str:
    """What is written under a key, empty if nothing is."""
    found = operation.attributes.get(key)
    return found if isinstance(found, str) else ""


def within(attribute: Attribute | None, key: str) -> Attribute | None:
    """What stands under a key in a structured attribute, None if nothing does."""
    return attribute.keyed.get(key) if isinstance(attribute, Custom | Braces) else None


def numbers_in(attribute: Attribute | None) -> tuple[int, ...]:
    """The integers of a list, empty for nothing."""
    return () if attribute is None else tuple(int(each) for each in _numbers(attribute, "a list"))


def table(attribute: Attribute | None) -> tuple[tuple[int, ...], ...] | None:
    """The rows of a table of integers, None if it is none."""
    match attribute:
        case Custom(name="dense", entries=(tuple() as rows,)):
            return table(rows)
        case tuple() if all(isinstance(each, tuple) for each in attribute):
            rows = tuple(numbers_in(each) for each in attribute)
            return rows
        case _:
            return None


def _numbers(attribute: Attribute, key: str) -> Iterator[str]:
    match attribute:
        case str() if attribute.lstrip("-").isdecimal():
            yield attribute
        case str() if attribute in ("i64", "i32", "i1", ""):
            return
        case tuple():
            for each in attribute:
                yield from _numbers(each, key)
        case Custom(name="dense" | "array", entries=entries):
            for each in entries:
                yield from _numbers(each, key)
        case _:
            raise NotTaken(f"`{key}` is no list of numbers")


def constant(operation: TensorOperation, element: str, shape: tuple[int, ...]) -> Scalar | tuple[Fraction, ...]:
    """The number of a constant that is one number everywhere, else its elements, row-major. Raises `NotTaken`."""
    found = operation.attributes.get("value")
    entries = found.entries if isinstance(found, Custom) and found.name == "dense" else None
    if entries is None:
        raise NotTaken("its elements are not written out")
    flat = list(_flat(entries))
    if len(flat) == 1 and not (flat[0].startswith("0x") and len(flat[0]) > 18):
        return scalar(flat[0], element)
    if not flat or len(flat) != prod(shape) or len(flat) > MOST_LISTED:
        raise NotTaken("its elements are not written out")
    values = [scalar(each, element) for each in flat]
    if any(isinstance(each, str) for each in values):
        raise NotTaken("it has infinite elements")
    numbers = tuple(each for each in values if isinstance(each, Fraction))
    return numbers[0] if len(set(numbers)) == 1 else numbers


def _flat(entries: tuple[Attribute, ...]) -> Iterator[str]:
    for each in entries:
        match each:
            case str():
                yield each
            case tuple():
                yield from _flat(each)
            case _:
                raise NotTaken("its elements are not written out")


def scalar(text: str, element: str) -> Scalar:
    """The number that a text stands for in an element type. Raises `NotTaken`."""
    if text in ("true", "false"):
        return Fraction(text == "true")
    if text.lstrip("-") in ("inf", "infinity"):
        return "-inf" if text.startswith("-") else "inf"
    if text.startswith("0x") and element in (*FLOATS, "bf16"):
        bits = int(text, 16)
        bits, pattern = (bits << 16, "<f") if element == "bf16" else (bits, FLOATS[element])
        try:
            number = struct.unpack(pattern, bits.to_bytes(struct.calcsize(pattern), "little"))[0]
        except OverflowError as error:
            raise NotTaken(f"`{text}` is no `{element}`") from error
        if number in (float("inf"), float("-inf")):
            infinite: Infinite = "inf" if number > 0 else "-inf"
            return infinite
        if number != number:
            raise NotTaken("it is no number (NaN)")
        return Fraction(number)
    if text.startswith("0x"):
        return Fraction(int(text, 16))
    if len(text) > 400 or ("e" in text.lower() and abs(int(text.lower().split("e")[1] or 0)) > 400):
        raise NotTaken(f"`{text[:20]}…` is no number of a type that is read")
    try:
        return Fraction(text)
    except ValueError as error:
        raise NotTaken(f"`{text[:20]}` is no number") from error
