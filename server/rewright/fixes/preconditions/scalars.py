"""Comparisons of a rule's scalars with each other, and with 0 and 1, as elements.

Owns which scalars a precondition may compare: those of types with an order that stand for no index. Must not
know which comparisons are worth a look.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Sequence

from rewright.fixes.preconditions.expressions import SITE
from rewright.fixes.preconditions.lanes import Bits
from rewright.model.formula import Comparison, ElementComparison, Formula
from rewright.model.index import IntegerReference, Name
from rewright.model.rule import Rule, RuleQuestion
from rewright.model.tensor import Constant, ScalarReference
from rewright.model.walk import nodes
from rewright.replay.elements import domain_of
from rewright.replay.inputs import Inputs

ORDERED = ("int", "real")
"""The domains whose scalars are compared."""

MOST = 6
"""Scalars that are compared; a rule with more has them for paddings and the like."""

_Valued = tuple[ScalarReference | Constant, Sequence[object]]
"""What is compared, and its value on each input."""

_COMPARE: dict[Comparison, Callable[[object, object], bool]] = {
    "==": operator.eq,
    "<=": operator.le,  # type: ignore[dict-item]
    ">=": operator.ge,  # type: ignore[dict-item]
    "<": operator.lt,  # type: ignore[dict-item]
    ">": operator.gt,  # type: ignore[dict-item]
    "!=": operator.ne,
}


def indices_among_scalars(rule: Rule) -> frozenset[Name]:
    """The scalars that may stand for an index: those that an attribute uses, and those of no type but `int`."""
    parts = nodes((rule.left, rule.right, rule.where))
    used = {node.name for node in parts if isinstance(node, IntegerReference)}
    whole = {each.name for each in rule.type_parameters if each.constraint == "int"}
    return frozenset(
        each.name
        for each in rule.scalars
        if each.name in used or each.type.name == "int" or each.type.parameter in whole
    )


def comparisons_of_scalars(
    question: RuleQuestion, inputs: Sequence[Inputs], with_constants: bool
) -> Iterator[tuple[Formula, Bits, int]]:
    """Comparisons with 0 and 1, or with each other, the inputs on which they hold, and how much there is to read."""
    rule, domain = question.rule, dict(question.domain)
    used = indices_among_scalars(rule)
    scalars = [each for each in rule.scalars if domain_of(each.type, domain) in ORDERED and each.name not in used]
    compared: list[_Valued] = [
        (ScalarReference(each.name, each.type, (), SITE), [given.scalars[each.name] for given in inputs])
        for each in scalars[:MOST]
    ]
    pairs: list[tuple[_Valued, _Valued]] = []
    if with_constants:
        for each in compared:
            for text in ("0", "1"):
                pairs.append((each, (Constant(text, each[0].type, (), SITE), [int(text)] * len(inputs))))
    else:
        pairs += [each for each in itertools.combinations(compared, 2) if each[0][0].type == each[1][0].type]
    for (left, values), (right, others) in pairs:
        for sign, compare in _COMPARE.items():
            held = (compare(value, other) for value, other in zip(values, others, strict=True))
            yield (
                ElementComparison(sign, left, right, SITE),
                sum(1 << place for place, one in enumerate(held) if one),
                2,
            )
