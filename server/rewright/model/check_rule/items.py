"""The declaring items of a rule but axes: maps, integers, scalars, tensors, type parameters, operations, `let`s.

Owns the step from items to entries of the scope and to the declarations of `rule.Rule`. Invariant: a name whose item is
wrong is declared as `BrokenName`. Must not know what the names are used for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import Struct, field

from rewright.model.check_rule.context import Reading, RuleContext
from rewright.model.check_rule.element_type import constraint, element_type
from rewright.model.check_rule.families import axis_named, counts
from rewright.model.check_rule.function import signature, signature_text
from rewright.model.check_rule.index import index
from rewright.model.check_rule.scope import BrokenName, DeclaredTensor, Integer, Later, Map
from rewright.model.check_rule.several import miscounted
from rewright.model.declared import SymbolKind
from rewright.model.index import Index, IntegerReference, Name
from rewright.model.rule import (
    FunctionDeclaration,
    Group,
    MapDeclaration,
    MonoidDeclaration,
    ScalarDeclaration,
    TensorDeclaration,
    TypeParameter,
)
from rewright.model.tensor import ElementType
from rewright.model.types import type_text
from rewright.syntax.nodes import (
    FnItem,
    IntItem,
    Let,
    MapItem,
    MonoidItem,
    RuleItem,
    ScalarItem,
    TensorItem,
    TypeRef,
)
from rewright.syntax.nodes import Name as Written
from rewright.syntax.nodes import TypeParameter as WrittenParameter
from rewright.verdict.diagnostics.names import CannotStandHere, GroupTwice, IncompleteDeclaration, WrongPart

Item = TypeVar("Item")


class Declarations(Struct):
    """What a rule declares, in the order of the text."""

    type_parameters: list[TypeParameter] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    maps: list[MapDeclaration] = field(default_factory=list)
    integers: list[Name] = field(default_factory=list)
    scalars: list[ScalarDeclaration] = field(default_factory=list)
    tensors: list[TensorDeclaration] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)
    monoids: list[MonoidDeclaration] = field(default_factory=list)


def items_of(items: Sequence[RuleItem], kind: type[Item]) -> list[Item]:
    """The items of one kind."""
    return [item for item in items if isinstance(item, kind)]


def declare_type_parameters(
    context: RuleContext, parameters: Iterable[WrittenParameter], constraints: dict[Name, str]
) -> list[TypeParameter]:
    """Declares `<T: any>`; `constraints` gets what each may be."""
    declared = []
    for written in parameters:
        name = Name(written.name.text)
        known = constraint(context, written.bound) if written.bound is not None else None
        if written.bound is None:
            context.notes.error(IncompleteDeclaration(name, WrongPart.CONSTRAINT), written.span)
        elif written.value is not None:
            context.notes.error(IncompleteDeclaration(name, WrongPart.VALUE), written.value.span)
        parameter = TypeParameter(name, known or "any")
        meaning = BrokenName() if known is None else parameter
        if context.declare(written.name, meaning, (SymbolKind.TYPE, f"{name}: {known or '?'}")) and known is not None:
            constraints[name] = known
            declared.append(parameter)
    return declared


def declare_values(context: RuleContext, items: Sequence[RuleItem], into: Declarations) -> None:
    """Declares maps, integers, scalars, operations and `let`s, and tensors with their groups (not yet their sizes)."""
    for item in items:
        match item:
            case MapItem():
                into.maps += _maps(context, item)
            case IntItem(names=names):
                for name in names:
                    if context.declare(name, Integer(), (SymbolKind.INTEGER, f"int {name.text}")):
                        into.integers.append(Name(name.text))
            case ScalarItem():
                into.scalars += _scalars(context, item)
            case TensorItem():
                into.scalars += _tensor_names(context, item)
            case FnItem():
                into.functions += _functions(context, item)
            case MonoidItem():
                into.monoids += _monoids(context, item)
            case Let():
                _let(context, item)
            case _:
                continue


def _maps(context: RuleContext, item: MapItem) -> list[MapDeclaration]:
    group = context.scope.group(item.on) if item.on is not None else None
    maps = []
    for name in item.names:
        on = item.on.text if item.on is not None else "?"
        detail = (SymbolKind.MAP, f"map {name.text} on {on}")
        if group is None:
            context.declare(name, BrokenName(), detail)
            continue
        declaration = MapDeclaration(Name(name.text), group.rank_class)
        if context.declare(name, Map(declaration, group.name), detail):
            maps.append(declaration)
    return maps


def _scalars(context: RuleContext, item: ScalarItem) -> list[ScalarDeclaration]:
    type_ = _type(context, item.type)
    if item.type is not None and item.type.shape:
        context.notes.error(IncompleteDeclaration("scalar", WrongPart.SHAPE), item.type.span)
    return _declare_scalars(context, item.names, type_, "scalar")


def _tensor_names(context: RuleContext, item: TensorItem) -> list[ScalarDeclaration]:
    """Declares tensors by their groups; those without groups are scalars, which are returned."""
    type_ = _type(context, item.type)
    groups = _groups_of(context, item.type)
    families = {family.name: family.count for family in item.families}
    if groups == ():
        scalars = _declare_scalars(context, [each for each in item.names if each not in families], type_, "tensor")
    else:
        scalars = []
    for name in item.names:
        if groups == () and name not in families:
            continue
        count = families.get(name)
        known = f"{type_text(type_) if type_ else '?'}[{', '.join(('?',) if groups is None else groups)}]"
        shown = name.text if count is None else f"{name.text}...{count.text}"
        detail = (SymbolKind.TENSOR, f"tensor {shown}: {known}")
        of_all = None if groups is None else groups if count is None else (axis_named(count), *groups)
        broken = type_ is None or of_all is None or (name in families and count is None)
        meaning = BrokenName() if broken or type_ is None or of_all is None else DeclaredTensor(type_, of_all)
        context.declare(name, meaning, detail)
    return scalars


def _declare_scalars(
    context: RuleContext, names: Iterable[Written], type_: ElementType | None, word: str
) -> list[ScalarDeclaration]:
    scalars = []
    for name in names:
        detail = (SymbolKind.SCALAR, f"{word} {name.text}: {type_text(type_) if type_ else '?'}")
        if type_ is None:
            context.declare(name, BrokenName(), detail)
            continue
        declaration = ScalarDeclaration(Name(name.text), type_, word == "tensor")
        if context.declare(name, declaration, detail):
            scalars.append(declaration)
    return scalars


def _type(context: RuleContext, written: TypeRef | None) -> ElementType | None:
    if written is None or written.element is None:
        return None
    return element_type(context, written.element)


def _groups_of(context: RuleContext, written: TypeRef | None) -> tuple[Name, ...] | None:
    """The groups of a shape, in its order; None if one is wrong."""
    groups: list[Name] = []
    complete = True
    for entry in (written.shape or ()) if written is not None else ():
        if entry.axis is None:
            context.notes.error(IncompleteDeclaration("tensor", WrongPart.GROUP), entry.span)
            complete = False
            continue
        group = context.scope.group(entry.axis)
        if group is None:
            complete = False
        elif group.name in groups:
            context.notes.error(GroupTwice(group.name), entry.axis.span)
            complete = False
        else:
            groups.append(group.name)
    return tuple(groups) if complete else None


def _functions(context: RuleContext, item: FnItem) -> list[FunctionDeclaration]:
    types = signature(context, item.type)
    functions = []
    for name in item.names:
        shown = signature_text(types) if types is not None else "?"
        declaration = None if types is None else FunctionDeclaration(Name(name.text), *types)
        detail = (SymbolKind.FUNCTION, f"fn {name.text}: {shown}")
        if context.declare(name, declaration or BrokenName(), detail) and declaration is not None:
            functions.append(declaration)
    return functions


def _monoids(context: RuleContext, item: MonoidItem) -> list[MonoidDeclaration]:
    type_ = _type(context, item.type)
    if item.type is not None and item.type.shape:
        context.notes.error(IncompleteDeclaration("monoid", WrongPart.SHAPE), item.type.span)
    monoids = []
    for name in item.names:
        declaration = None if type_ is None else MonoidDeclaration(Name(name.text), type_)
        detail = (SymbolKind.MONOID, f"monoid {name.text}: {type_text(type_) if type_ else '?'}")
        if context.declare(name, declaration or BrokenName(), detail) and declaration is not None:
            monoids.append(declaration)
    return monoids


def _let(context: RuleContext, item: Let) -> None:
    if len(item.targets) == 1:
        name = item.targets[0]
        context.declare(name, Later(item.value), (SymbolKind.LET, f"let {name.text}"))
        return
    for name in item.targets:
        context.declare(name, BrokenName(), (SymbolKind.LET, f"let {name.text}"))
    found = miscounted(item)
    if found is not None:
        span, reducers, operands = found
        what, expected = (
            f"{reducers} reducers for {operands} operands",
            f"{len(item.targets)} of each, as there are names",
        )
        context.notes.error(CannotStandHere(what, expected), span)
    elif item.targets:
        context.notes.not_supported("a `let` of several names", item.span)


def declare_sizes(context: RuleContext, items: Sequence[RuleItem]) -> list[TensorDeclaration]:
    """Checks the sizes of tensors, when every `let` is known, and gives their declarations."""
    tensors = []
    for item in items_of(items, TensorItem):
        sizes = _sizes(context, item.type)
        counted = counts(item)
        members = {name: _members(context, count) for name, count in counted.items()}
        for name in item.names:
            entry = context.scope.entry(name.text)
            meaning = entry.meaning if entry is not None and entry.definition == name.span else None
            if isinstance(meaning, DeclaredTensor) and sizes is not None:
                site = context.notes.site(name.span)
                count = members.get(name)
                along = () if count is None else ((axis_named(counted[name]), count),)
                tensors.append(TensorDeclaration(Name(name.text), meaning.type, (*along, *sizes), site))
    return tensors


def _members(context: RuleContext, count: Written) -> Index | None:
    """How many members a family has; None, reported, if that is no `int`."""
    meaning = context.scope.look_up(count, "integer")
    if isinstance(meaning, Integer):
        return IntegerReference(Name(count.text), context.notes.site(count.span))
    if meaning is not None and not isinstance(meaning, BrokenName):
        context.scope.wrong_kind(count, meaning, "an `int`, the number of members")
    return None


def _sizes(context: RuleContext, written: TypeRef | None) -> tuple[tuple[Name, Index], ...] | None:
    sizes: list[tuple[Name, Index]] = []
    entries = (written.shape or ()) if written is not None else ()
    for entry in entries:
        known = context.scope.entry(entry.axis.text) if entry.axis is not None else None
        group = known.meaning if known is not None and isinstance(known.meaning, Group) else None
        reading = Reading(group.rank_class, group.name) if group is not None else Reading()
        size = index(context, entry.size, reading)
        if group is not None and size is not None:
            sizes.append((group.name, size))
    return tuple(sizes) if len(sizes) == len(entries) else None
