"""The formula of the reduction at a place of a document, and the condition there. Must not know how they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rewright.lsp.names import Spot
from rewright.model import formula as f
from rewright.model.rule import Rule
from rewright.report.formulas.conditions import shortened
from rewright.report.formulas.elements import Source, formula_at
from rewright.report.formulas.tree import Formula


def formula_of(spot: Spot) -> Formula | None:
    """The formula of the reduction or contraction whose name a place touches; None elsewhere, and in wrong rules."""
    use, rule = spot.declared.operator_at(spot.offset), spot.declared.value
    if use is None or not isinstance(rule, Rule):
        return None
    text = spot.text.slice(spot.placed.span)
    return formula_at(Source(rule, spot.declared.sites, text), use.span.start)


def shorter_condition(spot: Spot) -> str | None:
    """The precondition that a place stands in, in fewer words; None where it stands in none, or there are no fewer."""
    rule = spot.declared.value
    for part in _conjuncts(rule.where) if isinstance(rule, Rule) else ():
        span = spot.declared.sites[part.site]
        if span.contains(spot.offset):
            written = " ".join(spot.text.slice(spot.placed.absolute(span)).split())
            short = shortened(part)
            return short if short is not None and len(short) < len(written) else None
    return None


def _conjuncts(where: Iterable[f.Formula]) -> Iterator[f.Formula]:
    for part in where:
        if isinstance(part, f.Conjunction):
            yield from _conjuncts((part.left, part.right))
        else:
            yield part
