"""The attributes above a declaration: `@expect`, `@budget`, `@forall`, `@source`.

Owns what they may say. Invariant: a wrong attribute is reported and otherwise ignored. Must not know how verdicts are
reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from rewright.model.declared import Expectation
from rewright.model.notes import Notes
from rewright.model.types import CONCRETE
from rewright.model.written import integer_of
from rewright.syntax.nodes import Attribute, Keyed, Name, Number, Positional, String
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import (
    AttributeTwice,
    CannotStandHere,
    NotAskedOver,
    UnknownAttribute,
    WrongAttribute,
)

VERDICTS = ("proved", "checked", "conditional", "refuted", "unknown")
_CODE = re.compile(r"RW\d{3}")
_DOMAINS = ("any", *CONCRETE)

_LARGEST_BUDGET = 1000
"""The largest `@budget`; `rewright.toml` has the same limit."""


class Attributes(Struct):
    """What the attributes of a declaration say.

    `over` keeps the place of each domain that an expectation names, `quantified` are the names in `@forall`.
    """

    expectations: list[Expectation] = field(default_factory=list)
    budget: int = 1
    source: str | None = None
    over: list[tuple[str, Span]] = field(default_factory=list)
    quantified: list[Name] = field(default_factory=list)


def attributes(notes: Notes, written: Sequence[Attribute]) -> Attributes:
    """What the attributes above a declaration say."""
    found = Attributes()
    seen: set[str] = set()
    for attribute in written:
        if attribute.name is None:
            continue
        read = _READERS.get(attribute.name.text)
        if read is None:
            known = ", ".join(f"`@{name}`" for name in _READERS)
            notes.error(UnknownAttribute(attribute.name.text, known), attribute.name.span)
        elif attribute.name.text in seen and attribute.name.text != "expect":
            notes.error(AttributeTwice(attribute.name.text), attribute.name.span)
        else:
            seen.add(attribute.name.text)
            read(notes, attribute, found)
    return found


def check_domains(notes: Notes, found: Attributes, asked: Sequence[str]) -> None:
    """Reports an expectation over a domain that the declaration does not ask about."""
    for domain, span in found.over:
        if domain not in asked:
            accepted = ", ".join(f"`{each}`" for each in asked)
            notes.error(NotAskedOver(domain, accepted), span)


def check_quantified(notes: Notes, found: Attributes, free: Sequence[str]) -> None:
    """Reports a name in `@forall` that is not one of the `free` integers of the declaration."""
    for name in found.quantified:
        if name.text not in free:
            notes.error(CannotStandHere(f"`{name.text}`", "a size or integer parameter without a value"), name.span)


def _expect(notes: Notes, attribute: Attribute, found: Attributes) -> None:
    verdicts: list[str] = []
    keyed: dict[str, str] = {}
    complete = True
    for argument in attribute.arguments:
        match argument:
            case Positional(value=Name(text=text)) if text in VERDICTS:
                verdicts.append(text)
            case Keyed(name=Name(text="over"), value=Name(text=text, span=span)) if text in _DOMAINS:
                keyed["over"] = text
                found.over.append((text, span))
            case Keyed(name=Name(text="code"), value=Name(text=text)) if _CODE.fullmatch(text):
                keyed["code"] = text
            case Keyed(name=Name(text="direction"), value=String(value="=>" | "<=" as text)):
                keyed["direction"] = text
            case Keyed(name=Name(text="over" | "code" | "direction" as text), value=value):
                _report(notes, attribute, value.span, text)
                complete = False
            case _:
                _report(notes, attribute, argument.span, "verdict")
                complete = False
    if complete and not verdicts:
        _report(notes, attribute, attribute.span, "verdict")
    elif complete:
        expectation = Expectation(tuple(verdicts), keyed.get("over"), keyed.get("direction"), keyed.get("code"))
        found.expectations.append(expectation)


def _budget(notes: Notes, attribute: Attribute, found: Attributes) -> None:
    match attribute.arguments:
        case (Positional(value=Number(text=text)),) if 1 <= (integer_of(text) or 0) <= _LARGEST_BUDGET:
            found.budget = integer_of(text) or 1
        case _:
            _report(notes, attribute, _arguments_span(attribute), "budget")


def _forall(notes: Notes, attribute: Attribute, found: Attributes) -> None:
    for argument in attribute.arguments:
        match argument:
            case Positional(value=Name() as name):
                found.quantified.append(name)
            case _:
                _report(notes, attribute, argument.span, "forall")
    if not attribute.arguments:
        _report(notes, attribute, attribute.span, "forall")


def _source(notes: Notes, attribute: Attribute, found: Attributes) -> None:
    match attribute.arguments:
        case (Positional(value=String(value=value)),):
            found.source = value
        case _:
            _report(notes, attribute, _arguments_span(attribute), "source")


_READERS: dict[str, Callable[[Notes, Attribute, Attributes], None]] = {
    "expect": _expect,
    "budget": _budget,
    "forall": _forall,
    "source": _source,
}

_ACCEPTED = {
    "verdict": "one or more of " + ", ".join(f"`{verdict}`" for verdict in VERDICTS),
    "over": "an element domain such as `int` or `f32`",
    "code": "a diagnostic code such as `RW203`",
    "direction": '`"=>"` or `"<="`',
    "budget": f"a whole number from 1 to {_LARGEST_BUDGET}",
    "forall": "sizes or integer parameters without a value",
    "source": "a string",
}


def _arguments_span(attribute: Attribute) -> Span:
    if not attribute.arguments:
        return attribute.span
    return Span(attribute.arguments[0].span.start, attribute.arguments[-1].span.end)


def _report(notes: Notes, attribute: Attribute, span: Span, part: str) -> None:
    name = attribute.name.text if attribute.name is not None else ""
    notes.error(WrongAttribute(name, _ACCEPTED[part]), span)
