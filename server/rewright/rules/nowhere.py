"""Is there any element at which the left side is defined?

Owns the one question whether what is given of an element contradicts itself, by normal forms alone: each part of it is
simplified under the others. "Yes" holds at every rank and size; "no" means that none was found.
"""

from __future__ import annotations

from rewright.equality import simplify
from rewright.rules.claim import Claim
from rewright.rules.decision import Mode
from rewright.rules.obligations import setting
from rewright.terms import FALSE, TRUE, conjoin, conjuncts


def is_defined_nowhere(claim: Claim) -> bool:
    """Whether no element of the left side is defined, whatever the input is: nothing is claimed of any."""
    if claim.left_entry.defined is TRUE:
        return False
    inside = setting(claim, (*claim.facts, *claim.left_valid, *claim.in_range), Mode.NORMAL_FORMS)
    defined = simplify(inside.term(claim.left_entry.defined), inside.facts)
    parts = list(conjuncts(defined))
    for place, part in enumerate(parts):
        others = conjoin(*parts[:place], *parts[place + 1 :])
        if simplify(part, inside.facts.also(others)) is FALSE:
            return True
    return False
