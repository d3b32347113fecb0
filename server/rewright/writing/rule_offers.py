"""What can be written inside of a rule or a lemma."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rewright.model.operator_table import OPERATORS, operator_named
from rewright.model.operators import Family, Operator, Trait
from rewright.model.types import CONCRETE
from rewright.writing.around import Around, element_types, names, words
from rewright.writing.calls import arguments
from rewright.writing.offer import Offer, Sort, call
from rewright.writing.place import Cursor, Level
from rewright.writing.scope import RuleNames
from rewright.writing.words import BUILT_INS, JOINTS, QUANTIFIERS

_KEYED: Final = re.compile(r"\b([a-z_]+) = ")
_CALLED_BY_SIGN: Final = frozenset({"and", "or", "not"})


def in_rule(place: Cursor, around: Around) -> Iterator[Offer]:
    """What can be written at a place in the body of a rule."""
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
                yield from element_types(CONCRETE, around)
        case ["check"]:
            yield from element_types(CONCRETE, Around(RuleNames())) if "over" in item else words((JOINTS["over"],))
        case ["let"] if "=" not in item:
            return
        case _:
            yield from _expression(place, around)


def _after_on(tokens: Sequence[str], around: Around) -> Iterator[Offer]:
    if tokens[-1] == "on":
        yield from names(around.scope.groups, around)
    elif len(tokens) > 1 and tokens[-1] not in (",", "on") and "on" not in tokens:
        yield from words((JOINTS["on"],))


def _shape(level: Level, around: Around) -> Iterator[Offer]:
    argument = level.argument
    if ":" in argument:
        yield from names(_indices_on(argument[0], around.scope), around)
    elif not argument:
        yield from names(around.scope.groups, around, ": ")


def pins(place: Cursor, around: Around) -> Iterator[Offer]:
    """What can be written in an `example` of a rule."""
    scope = around.scope
    if not place.inner.tokens:
        pinned = (*scope.groups, *scope.maps, *scope.integers, *scope.scalars, *scope.tensors)
        yield from names(pinned, around, " = ")
    elif place.inner.last == "=":
        yield Offer("iota", Sort.NAME, "0, 1, 2, …", "iota")


def _indices_on(group: str, scope: RuleNames) -> list[str]:
    """What can be an attribute or a size on a group, its own maps first."""
    own = scope.maps_on(group)
    return [*own, *scope.integers, *scope.lets] if group in scope.groups else _indices(scope)


def _indices(scope: RuleNames) -> list[str]:
    return [*scope.maps, *scope.integers, *scope.lets]


def _expression(place: Cursor, around: Around) -> Iterator[Offer]:
    scope, inner, item = around.scope, place.inner, place.item
    quantifier = _quantifier(inner.tokens)
    if quantifier:
        yield from _quantifiernames(quantifier, around)
        return
    if item[:1] == ["where"]:
        yield from names(_indices(scope), around)
        yield from words(QUANTIFIERS[word] for word in ("some", "every"))
        yield from words((BUILT_INS["prod"], JOINTS["and"], JOINTS["or"], JOINTS["not"]))
        yield from _index_functions(scope)
        return
    if item[:1] == ["assume"]:
        yield from words((QUANTIFIERS["forall"], JOINTS["and"], JOINTS["or"], JOINTS["not"]))
        yield from names((*scope.tensors, *scope.scalars, *_indices(scope)), around)
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


def _quantifiernames(tokens: Sequence[str], around: Around) -> Iterator[Offer]:
    """What stands in the head of a quantifier: groups, or `on` and groups."""
    if tokens[0] != "forall":
        yield from names(around.scope.groups, around, ": ")
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
        yield from names(_indices_on(group, scope), around)
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
        yield from names(scope.groups, around, after)
    elif "=" in argument or "->" in argument or (inner.opening == "[" and not argument):
        yield from names(scope.groups, around)


def _group_of(place: Cursor) -> str:
    """The group whose attributes stand in the innermost parentheses."""
    before = place.levels[-2].argument if len(place.levels) > 1 else []
    return before[0] if before[1:2] == [":"] else ""


def _elements(around: Around) -> Iterator[Offer]:
    scope = around.scope
    yield from names((*scope.tensors, *scope.scalars, *scope.lets), around)
    for name, count in scope.functions.items():
        operands = [f"\0{tensor}\0" for tensor in (*scope.tensors, *("X" * count))][:count]
        yield Offer(name, Sort.NAME, scope.details.get(name, ""), call(name, operands))
    for name in scope.monoids:
        yield Offer(name, Sort.NAME, scope.details.get(name, ""), call(name, ("\0X\0", "\0Y\0")))
    yield from _operator_offers(scope)
    yield from words(BUILT_INS[word] for word in ("elem", "lowest", "highest", "true", "false"))
    if scope.monoids:
        yield from words((BUILT_INS["identity"],))
    yield from words((JOINTS["and"], JOINTS["or"], JOINTS["not"]))


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
