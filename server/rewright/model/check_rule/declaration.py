"""Rules and lemmas: from a declaration's node to its value and everything there is to say about its names and types.

Invariant: each part is checked even if others are wrong; there is a value only if nothing is wrong and every part of
the rewrite has one. Must not know how a rule is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from msgspec.structs import replace

from rewright.model.check_attributes import attributes, check_domains, check_quantified
from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.example import pinned
from rewright.model.check_rule.families import axes_of_families
from rewright.model.check_rule.formula import assumption, formula
from rewright.model.check_rule.groups import declare_groups
from rewright.model.check_rule.items import (
    Declarations,
    declare_sizes,
    declare_type_parameters,
    declare_values,
    items_of,
)
from rewright.model.check_rule.let import resolve_lets
from rewright.model.check_rule.measure import measure
from rewright.model.check_rule.scope import RuleScope
from rewright.model.check_rule.settle import report_types, settled
from rewright.model.check_rule.several import apart
from rewright.model.check_rule.tensor import tensor
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.formula import Assumption, Formula
from rewright.model.index import Name
from rewright.model.notes import notes_for
from rewright.model.rule import Pinned, Rule, TypeParameter
from rewright.model.tensor import Tensor
from rewright.model.types import CONCRETE, Inference, admits, asked
from rewright.syntax.nodes import Assume, CheckOver, Example, Let, Rewrite, RuleDecl, TensorItem, Where
from rewright.syntax.nodes import Name as Written
from rewright.verdict.diagnostics.names import (
    AnotherRewrite,
    ElementTypesDiffer,
    GroupsDiffer,
    IncompleteDeclaration,
    NoRewrite,
    TypeNotAdmitted,
    UnknownElementType,
    WrongPart,
)

Domain = tuple[tuple[Name, str], ...]


def check_rule(node: RuleDecl) -> Declared:
    """The rule or lemma as the model understands it."""
    notes = notes_for(node.head)
    constraints: dict[Name, str] = {}
    context = RuleContext(notes, RuleScope(notes), Inference(constraints))
    if node.head.name is not None:
        detail = f"{node.head.word.text} {node.head.name.text}"
        notes.define(node.head.name, SymbolKind.DECLARATION, detail)
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    declarations = _declare(context, node, constraints)
    domains = _domains(context, declarations.type_parameters, items_of(node.items, CheckOver))
    check_domains(notes, written, ["/".join(kind for _, kind in domain) for domain in domains if domain])
    sides, both = _rewrite(context, node)
    where = _where(context, items_of(node.items, Where))
    assumptions = _assumptions(context, items_of(node.items, Assume))
    examples = _examples(context, items_of(node.items, Example))
    report_types(context)
    value = None
    if sides is not None and not notes.has_errors:
        left, right = sides
        unsettled = Rule(
            name=Name(node.head.name.text if node.head.name is not None else ""),
            type_parameters=tuple(declarations.type_parameters),
            groups=tuple(declarations.groups),
            maps=(*declarations.maps, *context.holes),
            integers=tuple(declarations.integers),
            scalars=tuple(declarations.scalars),
            tensors=tuple(declarations.tensors),
            functions=tuple(declarations.functions),
            left=left,
            right=right,
            both=both,
            where=where,
            assumptions=assumptions,
            domains=domains,
            examples=examples,
            monoids=tuple(declarations.monoids),
        )
        value = _settled(context, unsettled)
    types = tuple((site, _type_text(context, typed)) for site, typed in context.typed.items())
    return replace(concluded(notes, node.head, written, DeclarationKind(node.head.word.text)), value=value, types=types)


def _settled(context: RuleContext, unsettled: Rule) -> Rule | None:
    """The rule with the types that were inferred; None if it is too large to be expanded, which is noted."""
    if measure(unsettled, {}).reasonable:
        return settled(context.types, unsettled)
    context.notes.unknown("the rule is too large once every `let` is written out", context.notes.sites()[0])
    return None


def _type_text(context: RuleContext, typed: Tensor) -> str:
    element = context.types.text(typed.type)
    return f"{element}[{', '.join(typed.groups)}]" if typed.groups else element


def _declare(context: RuleContext, node: RuleDecl, constraints: dict[Name, str]) -> Declarations:
    declarations = Declarations()
    declarations.type_parameters = declare_type_parameters(context, node.type_parameters, constraints)
    declarations.groups = declare_groups(context, node.items)
    declarations.groups += axes_of_families(context, items_of(node.items, TensorItem))
    items = apart(node.items)
    declare_values(context, items, declarations)
    resolve_lets(context, items_of(items, Let))
    declarations.tensors = declare_sizes(context, node.items)
    return declarations


def _domains(
    context: RuleContext, parameters: Sequence[TypeParameter], items: Sequence[CheckOver]
) -> tuple[Domain, ...]:
    """The domains of the rule's questions: those of its type parameters, then one for each type checked over."""
    choices = [[(parameter.name, kind) for kind in asked(parameter.constraint)] for parameter in parameters]
    domains: list[Domain] = list(product(*choices))
    for name in (name for item in items for name in item.types):
        if name.text not in CONCRETE:
            accepted = ", ".join(f"`{each}`" for each in CONCRETE)
            context.notes.error(UnknownElementType(name.text, accepted), name.span)
        elif _may_be_asked(context, name, parameters):
            domain = tuple((parameter.name, name.text) for parameter in parameters)
            if domain not in domains:
                domains.append(domain)
    return tuple(domains)


def _may_be_asked(context: RuleContext, name: Written, parameters: Sequence[TypeParameter]) -> bool:
    if not parameters:
        context.notes.error(IncompleteDeclaration("check over", WrongPart.TYPE_PARAMETER), name.span)
        return False
    for parameter in parameters:
        if not admits(parameter.constraint, name.text):
            context.notes.error(TypeNotAdmitted(parameter.name, parameter.constraint, name.text), name.span)
            return False
    return True


def _rewrite(context: RuleContext, node: RuleDecl) -> tuple[tuple[Tensor, Tensor] | None, bool]:
    """The two sides, None if one has no value or they do not fit, and whether the rule claims both directions."""
    rewrites = items_of(node.items, Rewrite)
    for surplus in rewrites[1:]:
        first = rewrites[0].span
        context.notes.error(AnotherRewrite(), surplus.span, first=first)
    if not rewrites:
        if node.head.name is not None:
            context.notes.error(NoRewrite(), node.head.name.span)
        return None, False
    pairs = [(tensor(context, rewrite.left), tensor(context, rewrite.right)) for rewrite in rewrites]
    left, right = pairs[0]
    arrow = rewrites[0].arrow
    if left is None or right is None or arrow is None or not _sides_fit(context, rewrites[0], (left, right)):
        return None, False
    return (left, right), arrow.text == "<=>"


def _sides_fit(context: RuleContext, rewrite: Rewrite, sides: tuple[Tensor, Tensor]) -> bool:
    left, right = sides
    arrow = rewrite.arrow.text if rewrite.arrow is not None else "=>"
    span = rewrite.right.span
    fit = context.types.join(left.type, right.type)
    if not fit:
        texts = context.types.text(left.type), context.types.text(right.type)
        context.notes.error(ElementTypesDiffer(arrow, *texts), span)
    if set(left.groups) != set(right.groups):
        context.notes.error(GroupsDiffer(arrow, tuple(left.groups), tuple(right.groups)), span)
        return False
    return fit


def _where(context: RuleContext, items: Sequence[Where]) -> tuple[Formula, ...]:
    found = [formula(context, predicate) for item in items for predicate in item.predicates]
    return tuple(each for each in found if each is not None)


def _assumptions(context: RuleContext, items: Sequence[Assume]) -> tuple[Assumption, ...]:
    found = [assumption(context, predicate) for item in items for predicate in item.predicates]
    return tuple(each for each in found if each is not None)


def _examples(context: RuleContext, items: Sequence[Example]) -> tuple[Pinned, ...]:
    found = [pinned(context, item) for item in items]
    return tuple(each for each in found if each is not None)
