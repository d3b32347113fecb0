"""The formula of the reduction at a place of a document. Must not know how it is shown."""

from __future__ import annotations

from rewright.lsp.names import Spot
from rewright.model.rule import Rule
from rewright.report.formulas.elements import Source, formula_at
from rewright.report.formulas.tree import Formula


def formula_of(spot: Spot) -> Formula | None:
    """The formula of the reduction or contraction whose name a place touches; None elsewhere, and in wrong rules."""
    use, rule = spot.declared.operator_at(spot.offset), spot.declared.value
    if use is None or not isinstance(rule, Rule):
        return None
    text = spot.text.slice(spot.placed.span)
    return formula_at(Source(rule, spot.declared.sites, text), use.span.start)
