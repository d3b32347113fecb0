"""What can be written at a place.

Owns which of the language's words, operators and declared names may stand where. Invariant: half-typed text has offers
too, and an operator is offered with arguments that fit what is declared. Must not know how offers are shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rewright.model.check_attributes import VERDICTS
from rewright.model.check_kernel.calls import KNOWN, SCALARS
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Symbol, SymbolKind
from rewright.model.operator_table import OPERATORS, operator_named
from rewright.model.operators import Family, Operator, Trait
from rewright.model.simt.types import Coordinate
from rewright.model.types import CONCRETE, CONSTRAINTS
from rewright.verdict.diagnostics.rules import ValuesDiffer
from rewright.writing.calls import arguments
from rewright.writing.offer import Offer, Sort, call, escaped
from rewright.writing.place import Cursor, Level
from rewright.writing.scope import RuleNames
from rewright.writing.words import (
    ATTRIBUTES,
    BUILT_INS,
    DECLARATIONS,
    ITEMS,
    JOINTS,
    QUANTIFIERS,
    TYPES,
    Keyword,
)

_KEYED: Final = re.compile(r"\b([a-z_]+) = ")
_INDEX_ITEMS: Final = frozenset({"where", "requires"})
_TRIPLES: Final = frozenset({Coordinate.THREAD, Coordinate.BLOCK, Coordinate.BLOCK_DIM, Coordinate.GRID_DIM})
_MODES: Final = ("in", "out", "inout")
_CALLED_BY_SIGN: Final = frozenset({"and", "or", "not"})


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a place: the names of its declaration, those of the file, and files that may be named.

    `files` gives the files and folders that continue what is typed of a path, with these endings: those of files of
    declarations, or of sources.
    """

    scope: RuleNames
    symbols: Sequence[Symbol] = ()
    top: Sequence[tuple[str, DeclarationKind]] = ()
    files: Callable[[str, Sequence[str]], Iterable[str]] = lambda typed, endings: ()
    declared_in: Sequence[str] = ()
    sources: Sequence[str] = ()


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
            yield from _words(ATTRIBUTES.values())
        elif not place.declaration:
            yield from _words(DECLARATIONS.values())
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


def _words(words: Iterable[Keyword]) -> Iterator[Offer]:
    for word in words:
        yield Offer(word.text, Sort.WORD, "", word.snippet, "", word.meaning)


def _names(names: Iterable[str], around: Around, after: str = "") -> Iterator[Offer]:
    for name in names:
        yield Offer(name, Sort.NAME, around.scope.details.get(name, ""), escaped(name + after))


def _types(names: Iterable[str], around: Around) -> Iterator[Offer]:
    for name in around.scope.types:
        yield Offer(name, Sort.NAME, f"{name}: {around.scope.types[name]}", name)
    for name in names:
        yield Offer(name, Sort.TYPE, TYPES.get(name, "a machine type"), name)


# --------------------------------------------------------------------------------------------------------------- heads


def _in_head(place: Cursor, around: Around) -> Iterator[Offer]:
    head, word = place.head, place.declaration
    after = head[head.index(word) + 1 :]
    kinds = {
        "equivalent": (DeclarationKind.KERNEL,),
        "refine": (DeclarationKind.GRAPH,),
        "transform": (DeclarationKind.LOOPS, DeclarationKind.TRANSFORM),
    }.get(word, ())
    names = not after or after[-1] in ("~", "of")
    if kinds and names and not (word == "transform" and not after):
        expected = (name for name, kind in around.top if kind in kinds)
        yield from _names(expected, around)
    elif after and not names:
        joints = {"kernel": ("from",), "lift": ("from",), "refine": ("of",), "transform": ("of", "from", "at")}
        yield from _words(JOINTS[joint] for joint in joints.get(word, ()))


def _in_attribute(place: Cursor, around: Around) -> Iterator[Offer]:
    name, inner = place.levels[0].tokens[1] if len(place.head) > 1 else "", place.inner
    match name, inner.argument:
        case "expect", ["over", "=", *_]:
            yield from _types(("any", *CONCRETE), around)
        case "expect", ["direction", "=", *_]:
            yield from (Offer(f'"{arrow}"', Sort.NAME, "", f'"{arrow}"') for arrow in ("=>", "<="))
        case "expect", []:
            yield from (Offer(verdict, Sort.NAME, "verdict", verdict) for verdict in VERDICTS)
            for key, value in (("over", "int"), ("direction", '"<="'), ("code", ValuesDiffer.code)):
                yield Offer(key, Sort.ATTRIBUTE, f"{key} = …", f"{key} = ${{1:{value}}}")
        case "forall", _:
            sizes = (symbol.name for symbol in around.symbols if symbol.kind in (SymbolKind.SIZE, SymbolKind.PARAMETER))
            yield from _names(sizes, around)
        case _:
            return


def _in_lists_of_head(place: Cursor, around: Around) -> Iterator[Offer]:
    inner = place.inner
    if inner.opening == "<" and "::" not in place.head:
        if ":" in inner.argument:
            yield from _types(CONSTRAINTS, Around(RuleNames()))
    elif inner.opening == "[" or inner.opening == "<" or "=" in inner.argument:
        yield from _names((symbol.name for symbol in around.symbols), around)
    elif ":" in inner.argument:
        if inner.last == ":" and place.declaration != "graph":
            yield from _words(JOINTS[mode] for mode in _MODES)
        yield from _types(SCALARS, Around(RuleNames()))


# -------------------------------------------------------------------------------------------------------------- bodies


def _in_body(place: Cursor, around: Around) -> Iterator[Offer]:
    if place.levels[place.body].called == "example":
        yield from _pins(place, around)
        return
    is_rule = place.declaration in ("rule", "lemma")
    if not place.item and len(place.levels) == place.body + 1:
        yield from _words(ITEMS.get(place.declaration, {}).values())
        if place.column == 0:
            yield from _words(DECLARATIONS.values())
    yield from _in_rule(place, around) if is_rule else _in_statements(place, around)


def _in_rule(place: Cursor, around: Around) -> Iterator[Offer]:
    item, inner = place.item, place.inner
    match item[:1]:
        case ["axes" | "axis" | "int"]:
            return
        case ["map"]:
            yield from _after_on(item, around)
        case ["scalar" | "tensor" | "fn" | "monoid"] if inner.opening == "[":
            yield from _shape(inner, around)
        case ["scalar" | "tensor" | "fn" | "monoid"]:
            if ":" in item:
                yield from _types(CONCRETE, around)
        case ["check"]:
            yield from _types(CONCRETE, Around(RuleNames())) if "over" in item else _words((JOINTS["over"],))
        case ["let"] if "=" not in item:
            return
        case _:
            yield from _expression(place, around)


def _after_on(tokens: Sequence[str], around: Around) -> Iterator[Offer]:
    if tokens[-1] == "on":
        yield from _names(around.scope.groups, around)
    elif len(tokens) > 1 and tokens[-1] not in (",", "on") and "on" not in tokens:
        yield from _words((JOINTS["on"],))


def _shape(level: Level, around: Around) -> Iterator[Offer]:
    argument = level.argument
    if ":" in argument:
        yield from _names(_indices_on(argument[0], around.scope), around)
    elif not argument:
        yield from _names(around.scope.groups, around, ": ")


def _pins(place: Cursor, around: Around) -> Iterator[Offer]:
    scope = around.scope
    if not place.inner.tokens:
        pinned = (*scope.groups, *scope.maps, *scope.integers, *scope.scalars, *scope.tensors)
        yield from _names(pinned, around, " = ")
    elif place.inner.last == "=":
        yield Offer("iota", Sort.NAME, "0, 1, 2, …", "iota")


def _indices_on(group: str, scope: RuleNames) -> list[str]:
    """What can be an attribute or a size on a group, its own maps first."""
    own = scope.maps_on(group)
    return [*own, *scope.integers, *scope.lets] if group in scope.groups else _indices(scope)


def _indices(scope: RuleNames) -> list[str]:
    return [*scope.maps, *scope.integers, *scope.lets]


def _expression(place: Cursor, around: Around) -> Iterator[Offer]:
    scope, inner, words = around.scope, place.inner, place.item
    quantifier = _quantifier(inner.tokens)
    if quantifier:
        yield from _quantifier_names(quantifier, around)
        return
    if words[:1] == ["where"]:
        yield from _names(_indices(scope), around)
        yield from _words(QUANTIFIERS[word] for word in ("some", "every"))
        yield from _words((BUILT_INS["prod"], JOINTS["and"], JOINTS["or"], JOINTS["not"]))
        yield from _index_functions(scope)
        return
    if words[:1] == ["assume"]:
        yield from _words((QUANTIFIERS["forall"], JOINTS["and"], JOINTS["or"], JOINTS["not"]))
        yield from _names((*scope.tensors, *scope.scalars, *_indices(scope)), around)
        return
    callee = _callee(place.levels)
    if callee is not None:
        yield from _arguments(callee, place, around)
    is_index = ":" in inner.argument or ("=" in inner.argument and inner.argument[0] != "init")
    if callee is None or (inner.opening == "(" and not is_index and not _group_of(place)):
        yield from _elements(around)


def _quantifier(tokens: Sequence[str]) -> Sequence[str]:
    """The tokens of a quantifier whose colon is still to come, from its word on; none if there is none."""
    start = max((at for at, token in enumerate(tokens) if token in QUANTIFIERS), default=len(tokens))
    return () if ":" in tokens[start:] else tokens[start:]


def _quantifier_names(tokens: Sequence[str], around: Around) -> Iterator[Offer]:
    """What stands in the head of a quantifier: groups, or `on` and groups."""
    if tokens[0] != "forall":
        yield from _names(around.scope.groups, around, ": ")
    else:
        yield from _after_on(tokens, around)


def _callee(levels: Sequence[Level]) -> Operator | None:
    """The operator of the nearest call around the place."""
    for level in reversed(levels):
        if level.opening == "{":
            return None
        if level.called:
            return operator_named(level.called)
    return None


def _arguments(operator: Operator, place: Cursor, around: Around) -> Iterator[Offer]:
    """The attributes of an operator, its groups, and what an attribute can be."""
    scope, inner = around.scope, place.inner
    is_group_s = inner.opening == "(" and not inner.called
    argument = inner.argument
    group = _group_of(place) if is_group_s else argument[0] if ":" in argument else ""
    if group or "=" in argument or inner.commas:
        yield from _names(_indices_on(group, scope), around)
    if is_group_s or (len(scope.groups) >= 1 and not argument and inner.commas):
        for attribute in operator.attributes:
            default = "true" if attribute.is_truth else "0"
            snippet = f"{attribute.name} = ${{1:{default}}}"
            yield Offer(attribute.name, Sort.ATTRIBUTE, f"{attribute.name} = …", snippet, operator.name)
    if is_group_s:
        return
    if operator.family in (Family.REDUCE, Family.REDUCE_WINDOW) and not inner.commas:
        reducers = (each.short for each in OPERATORS if each.reduction and each.short not in _CALLED_BY_SIGN)
        yield from (Offer(name, Sort.NAME, "", name, name) for name in (*scope.monoids, *reducers))
    if inner.commas and not argument:
        keys = (key for key in _KEYED.findall(operator.texts.call) if key not in {a.name for a in operator.attributes})
        yield from (Offer(key, Sort.ATTRIBUTE, f"{key} = …", f"{key} = ", operator.name) for key in keys)
        after = ": " if operator.attributes else ""
        yield from _names(scope.groups, around, after)
    elif "=" in argument or "->" in argument or (inner.opening == "[" and not argument):
        yield from _names(scope.groups, around)


def _group_of(place: Cursor) -> str:
    """The group whose attributes stand in the innermost parentheses."""
    before = place.levels[-2].argument if len(place.levels) > 1 else []
    return before[0] if before[1:2] == [":"] else ""


def _elements(around: Around) -> Iterator[Offer]:
    scope = around.scope
    yield from _names((*scope.tensors, *scope.scalars, *scope.lets), around)
    for name, count in scope.functions.items():
        operands = [f"\0{tensor}\0" for tensor in (*scope.tensors, *("X" * count))][:count]
        yield Offer(name, Sort.NAME, scope.details.get(name, ""), call(name, operands))
    for name in scope.monoids:
        yield Offer(name, Sort.NAME, scope.details.get(name, ""), call(name, ("\0X\0", "\0Y\0")))
    yield from _operator_offers(scope)
    yield from _words(BUILT_INS[word] for word in ("elem", "lowest", "highest", "true", "false"))
    if scope.monoids:
        yield from _words((BUILT_INS["identity"],))
    yield from _words((JOINTS["and"], JOINTS["or"], JOINTS["not"]))


def _operator_offers(scope: RuleNames) -> Iterator[Offer]:
    """Every operator of the table by each of its names, with arguments that are declared where some fit."""
    for operator in OPERATORS:
        if operator.family is Family.COMPARISON or operator.name in _CALLED_BY_SIGN:
            continue
        given = arguments(operator, scope)
        sort = Sort.GENERAL if given is None else Sort.OPERATOR
        for name in operator.names:
            snippet = call(name, given if given is not None else _general(operator))
            yield Offer(name, sort, operator.texts.call, snippet, operator.name)


def _general(operator: Operator) -> tuple[str, ...]:
    """Operands for who has declared none yet."""
    count = operator.operands if operator.operands is not None else 1
    return tuple(f"\0{name}\0" for name in "XYZ"[:count])


def _index_functions(scope: RuleNames) -> Iterator[Offer]:
    known = _indices(scope) or ["0"]
    for operator in OPERATORS:
        if Trait.OF_INDICES in operator.traits:
            given = (f"\0{known[0]}\0", f"\0{known[-1]}\0")
            for name in operator.names:
                yield Offer(name, Sort.OPERATOR, operator.texts.call, call(name, given), operator.name)


# ------------------------------------------------------------------------------------------------- kernels and the like


def _in_statements(place: Cursor, around: Around) -> Iterator[Offer]:
    item, inner = place.item, place.inner
    if inner.last == ".":
        before = inner.tokens[-2:-1]
        if before and before[0] in _TRIPLES:
            yield from (Offer(axis, Sort.NAME, f"{before[0]}.{axis}", axis) for axis in "xyz")
        return
    match item[:1]:
        case ["shared" | "array" | "var" | "let"] if ":" in item and "=" not in item and inner.opening != "[":
            yield from _types(SCALARS, Around(RuleNames()))
            return
        case ["let" | "var" | "define" | "shared" | "array" | "for"] if not {"=", ":", "in"} & set(item):
            if item[:1] == ["for"] and len(item) > 1:
                yield from _words((JOINTS["in"],))
            return
        case ["launch"] if inner.opening == "{":
            for name in ("grid", "block", "shared"):
                yield Offer(name, Sort.WORD, "", f"{name}(${{1:1}})")
            return
    yield from _names(dict.fromkeys(symbol.name for symbol in around.symbols), around)
    if item[:1] in (["launch"], ["define"], ["requires"]):
        return
    for coordinate in Coordinate:
        yield Offer(coordinate.value, Sort.WORD, "a coordinate of the thread", coordinate.value)
    if place.declaration == "kernel":
        yield Offer("barrier", Sort.WORD, "", "barrier()", "", "All threads of the block wait here for each other.")
        for name in KNOWN:
            yield Offer(name, Sort.OPERATOR, "", f"{name}($1)")
