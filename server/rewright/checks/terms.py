"""The terms of reductions that differ, as a witness tells them.

Owns which terms are shown, a dozen of each side, and what text stands for where a term comes from. Must not know how
they are drawn.
"""

from __future__ import annotations

from rewright.model.operator_table import applied, is_call
from rewright.replay.elements import Element, element_text
from rewright.replay.outcomes import Fails
from rewright.replay.provenance import Computed, EntryOf, Origin, PaddingOf, Term, WrittenConstant
from rewright.replay.terms import Terms
from rewright.verdict import ReducedTerm, SideTerms

MOST = 12
"""So many terms of a side are shown; those without a partner come first when some have to be left out."""

LONGEST = 60
"""Where it would take more characters to say what a term is made of, its value is all."""


def shown_terms(outcome: Fails) -> tuple[SideTerms, ...]:
    """The terms of the left and of the right side; none where no reduction differs."""
    if outcome.terms is None:
        return ()
    left, right = outcome.terms
    return _side("left", left), _side("right", right)


def _side(side: str, found: Terms) -> SideTerms:
    places = sorted(range(len(found.terms)), key=lambda place: place not in found.alone)[:MOST]
    terms = tuple(_reduced(found.terms[place], place in found.alone) for place in sorted(places))
    return SideTerms(side, found.monoid, terms, len(found.terms) - len(terms))


def _reduced(term: Term, alone: bool) -> ReducedTerm:
    source = _source(term.element, term.origin)
    value = element_text(term.element)
    return ReducedTerm(term.index, "" if len(source) > LONGEST else source, value, alone)


def _source(element: Element, origin: Origin) -> str:
    """What an element is made of: entries and scalars by name, all else by value."""
    match origin:
        case EntryOf(name=name, index=index):
            return f"{name}[{', '.join(map(str, index))}]" if index else str(name)
        case PaddingOf(value=value):
            return _source(element, value)
        case Computed(operator=operator, operands=operands, origins=origins) if origins:
            within = _source if is_call(operator, len(operands)) else _operand
            return applied(operator, [within(*each) for each in zip(operands, origins, strict=True)])
        case WrittenConstant(text=text):
            return text
        case _:
            return element_text(element)


def _operand(element: Element, origin: Origin) -> str:
    """The same within an infix operator: in parentheses where it is one of an infix operator itself."""
    source = _source(element, origin)
    return f"({source})" if _is_infix(origin) else source


def _is_infix(origin: Origin) -> bool:
    match origin:
        case PaddingOf(value=value):
            return _is_infix(value)
        case Computed(operator=operator, operands=operands, origins=origins) if origins:
            return not is_call(operator, len(operands))
        case _:
            return False
