"""A question's surroundings: what its names stand for, and which of its features are decided here.

Owns the way from the declarations of a rule to terms' rank classes and sorts. Invariant: a single axis (`axis d`) has
no rank class, its maps are single unknowns; a class declared `A+` is known to have an axis. `Undecided` is raised, with
a reason that a reader can act on, for whatever lies outside.
"""

from __future__ import annotations

from dataclasses import dataclass

from rewright.equality import EVERYWHERE
from rewright.model.index import Name
from rewright.model.rule import Extent, Rule, RuleQuestion, TensorDeclaration
from rewright.model.tensor import ElementType
from rewright.terms import INT, REAL, TRUTH, RankClass, Sort, Term, element_of, variable

SORTS = {"int": INT, "real": REAL, "pred": TRUTH}


class Undecided(Exception):
    """The rule leaves what is decided; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of a rule under one assignment of types."""

    rule: Rule
    classes: dict[Name, RankClass]
    singles: frozenset[Name]
    nonempty: frozenset[str]
    tensors: dict[Name, TensorDeclaration]
    scalars: dict[Name, ElementType]
    domain: dict[Name, str]
    combined: frozenset[ElementType]

    def home(self, group: Name) -> str:
        """Where facts about a group's axes are kept."""
        return self.classes[group] or EVERYWHERE

    def of_class(self, rank_class: Name) -> RankClass:
        """The class for terms: None if it is a single axis."""
        return None if rank_class in self.singles else rank_class

    def sort(self, type_: ElementType) -> Sort:
        """The sort of elements of a type. Raises `Undecided` for machine types."""
        name = type_.name if type_.parameter is None else self.domain[type_.parameter]
        if name == "any" and type_ in self.combined:
            return REAL
        if name == "any":
            return Sort(f"any {type_.parameter}")
        if name not in SORTS:
            raise Undecided(f"elements of type `{name}` are not decided yet; int, real, pred and any are")
        return SORTS[name]

    def scalar(self, name: Name) -> Term:
        """A scalar as an element; an integer scalar is the element of its value as an index."""
        sort = self.sort(self.scalars[name])
        return element_of(variable(name, None), INT) if sort == INT else variable(name, None, sort)


def scope_of(question: RuleQuestion) -> Scope:
    """The surroundings of a question."""
    rule = question.rule
    singles = frozenset(group.rank_class for group in rule.groups if group.extent is Extent.SINGLE)
    return Scope(
        rule,
        {group.name: None if group.rank_class in singles else group.rank_class for group in rule.groups},
        singles,
        frozenset(group.rank_class for group in rule.groups if group.extent is Extent.NONEMPTY),
        {tensor.name: tensor for tensor in rule.tensors},
        {scalar.name: scalar.type for scalar in rule.scalars},
        dict(question.domain),
        _combined(rule, dict(question.domain)),
    )


def _combined(rule: Rule, domain: dict[Name, str]) -> frozenset[ElementType]:
    """The types whose elements a `monoid` combines. Raises `Undecided` where more is done with them.

    An equation between combinations of elements holds in every commutative monoid if and only if it holds of sums of
    real numbers (docs/soundness.md, "Declared monoids"): both say how often each element is combined. So the elements
    are taken for reals and the monoid for addition.
    """
    types = [monoid.type for monoid in rule.monoids]
    for type_ in types:
        if type_.parameter is None or domain[type_.parameter] != "any":
            raise Undecided("a `monoid` is decided over `any`, not over elements that have operators of their own")
        if types.count(type_) > 1:
            raise Undecided("two monoids on the same elements are not decided yet")
        if any(type_ in (*function.parameters, function.result) for function in rule.functions):
            raise Undecided("a `monoid` and a function of the same elements are not decided yet")
    return frozenset(types)


def rank_classes(scope: Scope) -> tuple[Name, ...]:
    """The rank classes of a rule that may have any rank, in declared order."""
    return tuple(
        dict.fromkeys(group.rank_class for group in scope.rule.groups if group.rank_class not in scope.singles)
    )
