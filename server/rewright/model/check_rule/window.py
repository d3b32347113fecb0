"""`reduce_window`: its reducer and how windows lie on each axis group.

Owns the reading of windows. Invariant: at least one group has windows. Must not know sizes.
"""

from __future__ import annotations

from rewright.model.check_rule.arguments import Values, group_attributes
from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.structural_call import (
    StructuralCall,
    in_order,
    initial_value,
    monoid_of,
    site_of,
    suits,
)
from rewright.model.index import Number
from rewright.model.tensor import ReduceWindow, Tensor, Window
from rewright.verdict.diagnostics.names import OperatorNeeds


def reduce_window(context: RuleContext, call: StructuralCall) -> Tensor | None:
    """The value of a call of `reduce_window`."""
    monoid = monoid_of(context, call)
    given = group_attributes(context, (call.node, call.operator), call.rest[1:], call.groups)
    operand = call.first
    if given == {}:
        needed = "a window, as in `A: (size = w)`"
        context.notes.error(OperatorNeeds(call.name, needed), call.node.callee.span)
    if monoid is None or not given or operand is None:
        return None
    init = initial_value(context, call, operand.type)
    if call.init is not None and init is None:
        return None
    if not suits(context, call, monoid, operand.type):
        return None
    site = site_of(context, call)
    windows = tuple((group, window_of(values, site)) for group, values in in_order(given, operand.groups))
    return ReduceWindow(monoid.name, operand, windows, init, operand.type, operand.groups, site, monoid.by)


def window_of(values: Values, site: int) -> Window:
    """The window that the attributes of one group give."""
    low, high = (values.get(name, Number(0, site)) for name in ("low", "high"))
    stride, base, dilation = (values.get(name, Number(1, site)) for name in ("stride", "base", "window"))
    return Window(values.get("size"), stride, low, high, base, dilation)
