"""What can be written at a place.

Owns which of the language's words, operators and declared names may stand where. Invariant: half-typed text has offers
too, and an operator is offered with arguments that fit what is declared. Must not know how offers are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rewright.model.check_attributes import VERDICTS
from rewright.model.check_kernel.calls import SCALARS
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import SymbolKind
from rewright.model.types import CONCRETE, CONSTRAINTS
from rewright.verdict.diagnostics.rules import ValuesDiffer
from rewright.writing.around import Around, element_types, names, words
from rewright.writing.graph_offers import in_graph, in_refinement
from rewright.writing.kernel_offers import in_statements
from rewright.writing.offer import Offer, Sort, escaped
from rewright.writing.place import Cursor
from rewright.writing.rule_offers import in_rule, pins
from rewright.writing.scope import RuleNames
from rewright.writing.words import ATTRIBUTES, DECLARATIONS, ITEMS, JOINTS

_MODES: Final = ("in", "out", "inout")


def offers(place: Cursor, around: Around) -> list[Offer]:
    """What can be written at a place, each name once, best first."""
    if place.in_comment:
        return []
    found = _paths(place, around) if place.in_string else _anywhere(place, around)
    unique: dict[str, Offer] = {}
    for offer in found:
        unique.setdefault(offer.label, offer)
    return sorted(unique.values(), key=lambda offer: offer.sort)


def _paths(place: Cursor, around: Around) -> Iterator[Offer]:
    match place.inner.last:
        case "import":
            endings = around.declared_in
        case "from":
            endings = around.sources
        case _:
            return
    for path in around.files(place.word, endings):
        yield Offer(path, Sort.FILE, "", escaped(path))


def _anywhere(place: Cursor, around: Around) -> Iterator[Offer]:
    head = place.head
    if len(place.levels) == 1:
        if head[:1] == ["@"] and len(head) == 1:
            yield from words(ATTRIBUTES.values())
        elif not place.declaration:
            yield from words(DECLARATIONS.values())
            for word in ATTRIBUTES.values():
                yield Offer(f"@{word.text}", Sort.WORD, "", f"@{word.snippet}", "", word.meaning)
        else:
            yield from _in_head(place, around)
    elif head[:1] == ["@"] and not place.declaration:
        yield from _in_attribute(place, around)
    elif place.body == 0:
        yield from _in_lists_of_head(place, around)
    else:
        yield from _in_body(place, around)


# --------------------------------------------------------------------------------------------------------------- heads


def _in_head(place: Cursor, around: Around) -> Iterator[Offer]:
    head, word = place.head, place.declaration
    after = head[head.index(word) + 1 :]
    kinds = {
        "equivalent": (DeclarationKind.KERNEL,),
        "refine": (DeclarationKind.GRAPH,),
        "transform": (DeclarationKind.LOOPS, DeclarationKind.TRANSFORM),
    }.get(word, ())
    named = not after or after[-1] in ("~", "of")
    if kinds and named and not (word == "transform" and not after):
        expected = (declared.name for declared in around.top if declared.kind in kinds)
        yield from names(expected, around)
    elif after and not named:
        joints = {"kernel": ("from",), "lift": ("from",), "refine": ("of", "at"), "transform": ("of", "from", "at")}
        yield from words(JOINTS[joint] for joint in joints.get(word, ()))


def _in_attribute(place: Cursor, around: Around) -> Iterator[Offer]:
    name, inner = place.levels[0].tokens[1] if len(place.head) > 1 else "", place.inner
    match name, inner.argument:
        case "expect", ["over", "=", *_]:
            yield from element_types(("any", *CONCRETE), around)
        case "expect", ["direction", "=", *_]:
            yield from (Offer(f'"{arrow}"', Sort.NAME, "", f'"{arrow}"') for arrow in ("=>", "<="))
        case "expect", []:
            yield from (Offer(verdict, Sort.NAME, "verdict", verdict) for verdict in VERDICTS)
            for key, value in (("over", "int"), ("direction", '"<="'), ("code", ValuesDiffer.code)):
                yield Offer(key, Sort.ATTRIBUTE, f"{key} = …", f"{key} = ${{1:{value}}}")
        case "forall", _:
            sizes = (symbol.name for symbol in around.symbols if symbol.kind in (SymbolKind.SIZE, SymbolKind.PARAMETER))
            yield from names(sizes, around)
        case _:
            return


def _in_lists_of_head(place: Cursor, around: Around) -> Iterator[Offer]:
    inner = place.inner
    if inner.opening == "<" and "::" not in place.head:
        if ":" in inner.argument:
            yield from element_types(CONSTRAINTS, Around(RuleNames()))
    elif inner.opening == "[" or inner.opening == "<" or "=" in inner.argument:
        yield from names((symbol.name for symbol in around.symbols), around)
    elif ":" in inner.argument:
        if inner.last == ":" and place.declaration != "graph":
            yield from words(JOINTS[mode] for mode in _MODES)
        yield from element_types(SCALARS, Around(RuleNames()))


# -------------------------------------------------------------------------------------------------------------- bodies


def _in_body(place: Cursor, around: Around) -> Iterator[Offer]:
    if place.levels[place.body].called == "example":
        yield from pins(place, around)
        return
    if not place.item and len(place.levels) == place.body + 1:
        yield from words(ITEMS.get(place.declaration, {}).values())
        if place.column == 0:
            yield from words(DECLARATIONS.values())
    match place.declaration:
        case "rule" | "lemma":
            yield from in_rule(place, around)
        case "graph":
            yield from in_graph(place, around)
        case "refine":
            yield from in_refinement(place, around)
        case _:
            yield from in_statements(place, around)
