"""A question as terms: what is given, what both sides mean, what has to be shown.

Owns the reading of a whole rule. Nothing is simplified here: `obligations` starts from it, and so does the raw query
that counterexamples come from. Source: TensorRight (POPL 2025), section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from rewright.equality import EVERYWHERE, Fact
from rewright.meaning.denotation import denote, read
from rewright.meaning.forms import Entry, Meaning, RuleSide
from rewright.meaning.indices import bound_index
from rewright.meaning.scope import MeaningScope, NotCovered
from rewright.model.formula import (
    Assumption,
    Conjunction,
    Disjunction,
    ElementComparison,
    Formula,
    Negation,
    Quantified,
)
from rewright.model.index import IntegerReference, Name
from rewright.model.rule import Rule, RuleQuestion
from rewright.model.tensor import Apply, Pointwise, Tensor, TensorReference
from rewright.rules.formulas import holds
from rewright.rules.scope import scope_of
from rewright.rules.shared import shared_parts
from rewright.terms import (
    Term,
    Variable,
    at_most,
    conjoin,
    conjuncts,
    every_axis,
    less,
    non_negative,
    number,
    subterms,
    variable,
)
from rewright.terms.node import Fold, Negative, NonNegative, Not, Zero


class Precondition(Struct, frozen=True):
    """A conjunct of `where`: `facts`, each on every axis of its home, where it has that form, and `rest`."""

    site: int
    facts: tuple[Fact, ...]
    rest: Term


class Linked(Struct, frozen=True):
    """An assumption on contents: `body` at the index `at`, wherever `inside` (in range in all tensors it reads).

    `uneven`: some of its tensors do not have all groups of `at`; one read then stands for many indices.
    """

    site: int
    tensors: frozenset[str]
    at: dict[Name, Variable]
    body: Term
    inside: Term
    nonempty: Term
    uneven: bool


class GeneralElements(Struct, frozen=True):
    """The elements of both sides, where what they share is tensors of any contents with these shapes."""

    left: Entry
    right: Entry
    shapes: dict[Name, Mapping[Name, Term]]


class Claim(Struct, frozen=True):
    """A question as terms.

    `declared`: no declared size is negative. `index`: the index of the result, one variable per group, in range by
    `in_range`. `general`: what implies the claim about the elements.
    """

    rule: Rule
    scope: MeaningScope
    declared: tuple[Fact, ...]
    preconditions: tuple[Precondition, ...]
    linked: tuple[Linked, ...]
    left: Meaning
    left_valid: tuple[Fact, ...]
    right: Meaning
    right_valid: tuple[Fact, ...]
    index: dict[Name, Variable]
    in_range: tuple[Fact, ...]
    left_entry: Entry
    right_entry: Entry
    general: GeneralElements | None = None

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Declared sizes and preconditions, each on every axis of its home."""
        return (*self.declared, *(fact for condition in self.preconditions for fact in condition.facts))

    @property
    def given(self) -> Term:
        """The preconditions of another form."""
        return conjoin(*(condition.rest for condition in self.preconditions))


def claim_of(question: RuleQuestion) -> Claim:
    """The terms of a question. Raises `NotCovered`."""
    scope = scope_of(question)
    first, second = _ways(question)
    left_side, right_side = RuleSide(scope), RuleSide(scope)
    left, right = denote(first, left_side), denote(second, right_side)
    if set(left.shape) != set(right.shape):
        raise NotCovered("the two sides have different axis groups")
    index = {group: index_variable(group, scope) for group in left.shape}
    return Claim(
        question.rule,
        scope,
        tuple(_declared(question.rule, scope)),
        tuple(precondition(part, scope) for formula in question.rule.where for part in conditions(formula)),
        tuple(_linked(assumption, scope) for assumption in question.rule.assumptions),
        left,
        tuple(left_side.facts),
        right,
        tuple(right_side.facts),
        index,
        tuple(_in_range(index, left, scope)),
        left.at(index),
        right.at(index),
    )


def generalized(claim: Claim, question: RuleQuestion) -> Claim:
    """The claim of a question with what implies it, if its sides share anything that may be any tensor."""
    first, second = _ways(question)
    parts = shared_parts(first, second)
    if not parts:
        return claim
    side = RuleSide(claim.scope, general=parts)
    try:
        left, right = (denote(way, side).at(claim.index) for way in (first, second))
    except NotCovered:
        return claim
    return replace(claim, general=GeneralElements(left, right, side.shapes))


def _ways(question: RuleQuestion) -> tuple[Tensor, Tensor]:
    """The side that is given and the one that is claimed."""
    left, right = question.rule.left, question.rule.right
    return (left, right) if question.direction == "=>" else (right, left)


def index_variable(group: Name, scope: MeaningScope) -> Variable:
    """The index of the result along a group."""
    return variable(f"[{group}]", scope.classes[group])


def _in_range(index: dict[Name, Variable], left: Meaning, scope: MeaningScope) -> Iterable[Fact]:
    for group, place in index.items():
        yield scope.home(group), non_negative(place)
        yield scope.home(group), less(place, left.shape[group])


def _declared(rule: Rule, scope: MeaningScope) -> list[Fact]:
    """No declared size is negative, and each family has a member."""
    side = RuleSide(scope)
    for tensor in scope.tensors.values():
        side.sizes(tensor.shape)
    for group in rule.groups:
        if group.members is not None:
            side.need(group.name, at_most(number(1), side.integer(IntegerReference(group.members, site=0))))
    return list(dict.fromkeys(side.facts))


def conditions(formula: Formula) -> list[Formula]:
    """The conjuncts of a formula: it holds iff each of them does, also where one guards a division of the next."""
    if isinstance(formula, Conjunction):
        return [*conditions(formula.left), *conditions(formula.right)]
    return [formula]


def precondition(formula: Formula, scope: MeaningScope) -> Precondition:
    """A conjunct of `where` as facts and what has another form."""
    facts: list[Fact] = []
    rest: list[Term] = []
    for part in conjuncts(holds(formula, scope)):
        if isinstance(part, Fold):
            facts += ((part.rank_class, predicate) for predicate in conjuncts(part.predicate))
        elif _is_literal(part):
            facts.append((EVERYWHERE, part))
        else:
            rest.append(part)
    return Precondition(formula.site, tuple(facts), conjoin(*rest))


def _is_literal(term: Term) -> bool:
    atom = term.operand if isinstance(term, Not) else term
    return isinstance(atom, NonNegative | Negative | Zero | Variable)


def _linked(assumption: Assumption, scope: MeaningScope) -> Linked:
    references = _references(assumption.body)
    groups = [group for group in assumption.groups if any(group in declared_groups(n, scope) for n in references)]
    at = {group: bound_index(group, scope) for group in groups}
    uneven = any(set(declared_groups(name, scope)) != set(groups) for name in references)

    def entry(reference: TensorReference) -> Term:
        own = {group: at[group] for group in declared_groups(reference.name, scope)}
        return read(reference.name, dict(own), scope.sort(reference.type), scope)

    sizes = [(group, size) for name in references for group, size in _shape(name, scope).items()]
    inside = [every_axis(scope.classes[g], conjoin(non_negative(at[g]), less(at[g], size))) for g, size in sizes]
    nonempty = [every_axis(scope.classes[g], less(number(0), size)) for g, size in sizes]
    body = holds(assumption.body, scope, entry)
    return Linked(assumption.site, frozenset(references), at, body, conjoin(*inside), conjoin(*nonempty), uneven)


def declared_groups(name: Name, scope: MeaningScope) -> tuple[Name, ...]:
    """The groups of a declared tensor."""
    return tuple(group for group, _ in scope.tensors[name].shape)


def _shape(name: Name, scope: MeaningScope) -> dict[Name, Term]:
    return {group: RuleSide(scope).attribute(size, group) for group, size in scope.tensors[name].shape}


def _references(formula: Formula) -> dict[Name, None]:
    match formula:
        case ElementComparison(left=left, right=right):
            return {**_tensors(left), **_tensors(right)}
        case Conjunction(left=first, right=second) | Disjunction(left=first, right=second):
            return {**_references(first), **_references(second)}
        case Negation(operand=body) | Quantified(body=body):
            return _references(body)
        case _:
            return {}


def _tensors(tensor: Tensor) -> dict[Name, None]:
    match tensor:
        case TensorReference(name=name):
            return {name: None}
        case Pointwise(operands=operands) | Apply(operands=operands):
            return {name: None for operand in operands for name in _tensors(operand)}
        case _:
            return {}


def size_variables(claim: Claim) -> frozenset[Term]:
    """The unknowns that occur in declared sizes."""
    return frozenset(
        term
        for name in claim.scope.tensors
        for size in _shape(name, claim.scope).values()
        for term in subterms(size)
        if isinstance(term, Variable)
    )
