"""The surroundings of a rule's question: what its names stand for.

Owns the way from the declarations of a rule to terms' rank classes and sorts. Invariant: a single axis (`axis d`) has
no rank class, its maps are single unknowns; a class declared `A+` is known to have an axis.
"""

from __future__ import annotations

from rewright.meaning.scope import MeaningScope, NotCovered
from rewright.model.index import Name
from rewright.model.rule import Extent, Rule, RuleQuestion
from rewright.model.tensor import ElementType


def scope_of(question: RuleQuestion) -> MeaningScope:
    """The surroundings of a question."""
    rule = question.rule
    singles = frozenset(group.rank_class for group in rule.groups if group.extent is Extent.SINGLE)
    return MeaningScope(
        {group.name: None if group.rank_class in singles else group.rank_class for group in rule.groups},
        singles,
        frozenset(group.rank_class for group in rule.groups if group.extent is Extent.NONEMPTY),
        {tensor.name: tensor for tensor in rule.tensors},
        {scalar.name: scalar.type for scalar in rule.scalars},
        dict(question.domain),
        _combined(rule, dict(question.domain)),
    )


def _combined(rule: Rule, domain: dict[Name, str]) -> frozenset[ElementType]:
    """The types whose elements a `monoid` combines. Raises `NotCovered` where more is done with them.

    An equation between combinations of elements holds in every commutative monoid if and only if it holds of sums of
    real numbers (docs/soundness.md, "Declared monoids"): both say how often each element is combined. So the elements
    are taken for reals and the monoid for addition.
    """
    types = [monoid.type for monoid in rule.monoids]
    for type_ in types:
        if type_.parameter is None or domain[type_.parameter] != "any":
            raise NotCovered("a `monoid` is decided over `any`, not over elements that have operators of their own")
        if types.count(type_) > 1:
            raise NotCovered("two monoids on the same elements are not decided yet")
        if any(type_ in (*function.parameters, function.result) for function in rule.functions):
            raise NotCovered("a `monoid` and a function of the same elements are not decided yet")
    return frozenset(types)
