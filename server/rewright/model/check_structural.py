"""The operators that move, make or combine data: their arguments, and the shape of what they give.

Each function takes a call whose operands were checked already and gives the operator's value, or None where something
is wrong, which was reported. Must not know how operands are written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rewright.model.check_arguments import Values, group_attributes, in_groups, selection, selections
from rewright.model.check_operands import (
    Operands,
    common_groups,
    common_type,
    groups_text,
    must_be_scalar,
    require,
    same_type,
)
from rewright.model.context import RuleContext
from rewright.model.operator_table import operator_named
from rewright.model.operators import Family, Operator
from rewright.model.rule import (
    Broadcast,
    Concatenate,
    DynamicRange,
    DynamicSlice,
    DynamicUpdateSlice,
    ElementType,
    Extent,
    Group,
    Index,
    Iota,
    Name,
    Number,
    Pad,
    Padding,
    Reduce,
    Reverse,
    Slice,
    SliceRange,
    Tensor,
    Transpose,
)
from rewright.model.scope import Operation
from rewright.model.written import kind_of
from rewright.syntax.nodes import Argument, Call, Expression, ListExpr, Missing, Positional, Renaming
from rewright.syntax.nodes import Name as Written
from rewright.syntax.text import Span


@dataclass(frozen=True, slots=True)
class StructuralCall:
    """A call with its operands checked (None where one is wrong), and the arguments that are no operands.

    `type` is the element type that the call names itself, as `iota(T, …)` does; `init` is the operand of that key.
    """

    node: Call
    operator: Operator
    operands: tuple[Tensor | None, ...]
    spans: tuple[Span, ...]
    rest: tuple[Argument, ...]
    type: ElementType | None = None
    init: tuple[Tensor | None, Span] | None = None

    @property
    def first(self) -> Tensor | None:
        """The operand whose groups count."""
        return self.operands[0] if self.operands else None

    @property
    def groups(self) -> tuple[Name, ...] | None:
        """The first operand's groups, None if it is wrong."""
        return None if self.first is None else self.first.groups

    @property
    def name(self) -> str:
        """The operator as it is written."""
        return self.node.callee.text


def structural(context: RuleContext, call: StructuralCall) -> Tensor | None:
    """The value of a call of one of the operators here."""
    return _BUILDERS[call.operator.family](context, call)


def _broadcast(context: RuleContext, call: StructuralCall) -> Tensor | None:
    sizes = _sizes(context, call, call.rest)
    operand = call.first
    if sizes is None or operand is None:
        return None
    for argument in call.rest:
        name = getattr(argument, "name", None)
        if isinstance(name, Written) and name.text in operand.groups:
            _report_group(context, call, (name.text, name.span), "present", operand.groups)
            return None
    groups = operand.groups + tuple(group for group, _ in sizes)
    return Broadcast(operand, sizes, operand.type, groups, _site(context, call))


def _iota(context: RuleContext, call: StructuralCall) -> Tensor | None:
    axes = [argument for argument in call.rest if isinstance(argument, Positional)]
    sizes = _sizes(context, call, [argument for argument in call.rest if not isinstance(argument, Positional)])
    axis = _single_axis(context, call, axes)
    if sizes is None or axis is None or call.type is None:
        return None
    group, span = axis
    groups = tuple(name for name, _ in sizes)
    if not in_groups(context, (group, span), groups, call.name):
        return None
    require(context, call.type, call.operator.need, (call.name, call.node.span))
    return Iota(group.name, sizes, call.type, groups, _site(context, call))


def _slice(context: RuleContext, call: StructuralCall) -> Tensor | None:
    given = group_attributes(context, (call.node, call.operator), call.rest, call.groups)
    operand = call.first
    if given is None or operand is None:
        return None
    site = _site(context, call)
    ranges = tuple(
        (
            group,
            SliceRange(
                values.get("start", Number(0, site)), values.get("limit"), values.get("stride", Number(1, site))
            ),
        )
        for group, values in _in_order(given, operand.groups)
    )
    return Slice(operand, ranges, operand.type, operand.groups, site)


def _dynamic_slice(context: RuleContext, call: StructuralCall) -> Tensor | None:
    given = group_attributes(context, (call.node, call.operator), call.rest, call.groups)
    operand = call.first
    if given is None or operand is None:
        return None
    ranges = tuple(
        (group, DynamicRange(values["start"], values["length"])) for group, values in _in_order(given, operand.groups)
    )
    return DynamicSlice(operand, ranges, operand.type, operand.groups, _site(context, call))


def _dynamic_update_slice(context: RuleContext, call: StructuralCall) -> Tensor | None:
    given = group_attributes(context, (call.node, call.operator), call.rest, call.groups)
    pair = _operands(context, call)
    if given is None or pair is None:
        return None
    operand, update = pair.tensors
    if set(operand.groups) != set(update.groups):
        left, right = groups_text(operand.groups), groups_text(update.groups)
        context.notes.error("RW105", pair.spans[1], operator=call.name, left=left, right=right)
        return None
    if common_type(context, pair) is None:
        return None
    starts = tuple((group, values["start"]) for group, values in _in_order(given, operand.groups))
    return DynamicUpdateSlice(operand, update, starts, operand.type, operand.groups, _site(context, call))


def _pad(context: RuleContext, call: StructuralCall) -> Tensor | None:
    given = group_attributes(context, (call.node, call.operator), call.rest, call.groups)
    pair = _operands(context, call)
    if pair is None:
        return None
    operand, value = pair.tensors
    scalar = must_be_scalar(context, value, pair.spans[1])
    if given is None or not scalar or common_type(context, pair) is None:
        return None
    site = _site(context, call)
    paddings = tuple(
        (group, Padding(*(values.get(part, Number(0, site)) for part in ("low", "high", "interior"))))
        for group, values in _in_order(given, operand.groups)
    )
    return Pad(operand, value, paddings, operand.type, operand.groups, site)


def _concatenate(context: RuleContext, call: StructuralCall) -> Tensor | None:
    axis = _single_axis(context, call, call.rest)
    operands = _operands(context, call)
    if axis is None or operands is None:
        return None
    group, span = axis
    for tensor, place in zip(operands.tensors, operands.spans, strict=True):
        if not tensor.groups:
            _report_group(context, call, (group.name, place), "absent", ())
            return None
    groups = common_groups(context, operands)
    type_ = common_type(context, operands)
    if groups is None or type_ is None or not in_groups(context, (group, span), groups, call.name):
        return None
    return Concatenate(operands.tensors, group.name, type_, groups, _site(context, call))


def _reverse(context: RuleContext, call: StructuralCall) -> Tensor | None:
    chosen = _chosen(context, call, selections(context, call.rest, call.node.callee))
    operand = call.first
    if chosen is None or operand is None:
        return None
    return Reverse(operand, chosen, operand.type, operand.groups, _site(context, call))


def _transpose(context: RuleContext, call: StructuralCall) -> Tensor | None:
    renaming = _renaming(context, call)
    operand = call.first
    if renaming is None or operand is None:
        return None
    renamed: dict[Name, Name] = {}
    for source, (target, span) in renaming:
        if not in_groups(context, source, operand.groups, call.name):
            return None
        if source[0].rank_class != target.rank_class:
            context.notes.error("RW121", span, source=source[0].name, target=target.name)
            return None
        renamed[source[0].name] = target.name
    groups = tuple(renamed.get(group, group) for group in operand.groups)
    for _, (target, span) in renaming:
        if groups.count(target.name) > 1:
            _report_group(context, call, (target.name, span), "twice", groups)
            return None
    return Transpose(operand, tuple(renamed.items()), operand.type, groups, _site(context, call))


def _reduce(context: RuleContext, call: StructuralCall) -> Tensor | None:
    monoid = _monoid(context, call)
    chosen = _chosen(context, call, selections(context, call.rest[1:], call.node.callee) if call.rest else None)
    operand = call.first
    if monoid is None or chosen is None or operand is None:
        return None
    init = None
    if call.init is not None:
        init, span = call.init
        if init is None or not must_be_scalar(context, init, span):
            return None
        if not same_type(context, call.name, (operand.type, init.type), span):
            return None
    require(context, operand.type, monoid.need, (call.name, call.node.span))
    groups = tuple(group for group in operand.groups if group not in chosen)
    return Reduce(monoid.name, operand, chosen, init, operand.type, groups, _site(context, call))


_BUILDERS: dict[Family, Callable[[RuleContext, StructuralCall], Tensor | None]] = {
    Family.BROADCAST: _broadcast,
    Family.IOTA: _iota,
    Family.SLICE: _slice,
    Family.DYNAMIC_SLICE: _dynamic_slice,
    Family.DYNAMIC_UPDATE_SLICE: _dynamic_update_slice,
    Family.PAD: _pad,
    Family.CONCATENATE: _concatenate,
    Family.REVERSE: _reverse,
    Family.TRANSPOSE: _transpose,
    Family.REDUCE: _reduce,
}


def _site(context: RuleContext, call: StructuralCall) -> int:
    return context.notes.site(call.node.span)


def _operands(context: RuleContext, call: StructuralCall) -> Operands | None:
    tensors = tuple(operand for operand in call.operands if operand is not None)
    return Operands(call.name, tensors, call.spans) if len(tensors) == len(call.operands) else None


def _in_order(given: dict[Name, Values], groups: tuple[Name, ...]) -> list[tuple[Name, Values]]:
    """In the operand's order, so that the order in which groups are written does not matter."""
    return [(group, given[group]) for group in groups if group in given]


def _sizes(
    context: RuleContext, call: StructuralCall, rest: tuple[Argument, ...] | list[Argument]
) -> tuple[tuple[Name, Index], ...] | None:
    """The sizes of new groups; there is no operand that could tell which group a bare size is for."""
    if any(isinstance(argument, Positional) for argument in rest):
        context.notes.error(
            "RW108", call.node.callee.span, operator=call.name, problem="by group", form="A: size", groups=""
        )
        return None
    if not rest:
        context.notes.error(
            "RW108", call.node.callee.span, operator=call.name, problem="missing", attribute="a size, as in `A: n`"
        )
        return None
    given = group_attributes(context, (call.node, call.operator), rest, None)
    return None if given is None else tuple((group, values["size"]) for group, values in given.items())


def _single_axis(
    context: RuleContext, call: StructuralCall, arguments: tuple[Argument, ...] | list[Positional]
) -> tuple[Group, Span] | None:
    """The one `axis` that an operator works along."""
    chosen = selections(context, arguments, call.node.callee)
    if chosen is None:
        return None
    if not chosen:
        missing = "the axis"
        context.notes.error("RW108", call.node.callee.span, operator=call.name, problem="missing", attribute=missing)
        return None
    if len(chosen) > 1:
        _report_group(context, call, (chosen[1][0].name, chosen[1][1]), "surplus", ())
        return None
    group, span = chosen[0]
    if group.extent is not Extent.SINGLE:
        context.notes.error("RW110", span, operator=call.name, group=group.name)
        return None
    return group, span


def _chosen(
    context: RuleContext, call: StructuralCall, chosen: list[tuple[Group, Span]] | None
) -> tuple[Name, ...] | None:
    """The chosen groups in the operand's order; each must be one of its groups, once."""
    if chosen is None or call.groups is None:
        return None
    names = [group.name for group, _ in chosen]
    for position, (group, span) in enumerate(chosen):
        if not in_groups(context, (group, span), call.groups, call.name):
            return None
        if group.name in names[:position]:
            _report_group(context, call, (group.name, span), "twice", call.groups)
            return None
    return tuple(group for group in call.groups if group in names)


def _renaming(context: RuleContext, call: StructuralCall) -> list[tuple[tuple[Group, Span], tuple[Group, Span]]] | None:
    pairs: list[tuple[tuple[Group, Span], tuple[Group, Span]]] = []
    complete = bool(call.rest)
    for argument in call.rest:
        if not isinstance(argument, Renaming):
            context.notes.error("RW117", argument.span, what="this", wanted="a renaming `I -> J`")
            complete = False
            continue
        sources, targets = selection(context, argument.source), selection(context, argument.target)
        if sources is None or targets is None:
            complete = False
        elif len(sources) != len(targets):
            context.notes.error("RW117", argument.span, what="this", wanted="as many groups after `->` as before it")
            complete = False
        else:
            pairs += zip(sources, targets, strict=True)
    if not call.rest:
        missing = "a renaming `I -> J`"
        context.notes.error("RW108", call.node.callee.span, operator=call.name, problem="missing", attribute=missing)
    return pairs if complete else None


def _monoid(context: RuleContext, call: StructuralCall) -> Operator | None:
    """The first argument of `reduce`: a commutative operator of the table, or a `monoid` of the rule."""
    node = _expression(call.rest[0]) if call.rest else None
    if isinstance(node, Written):
        operator = operator_named(node.text)
        if operator is not None and operator.monoid:
            context.notes.use_operator(node.span, operator.name)
            return operator
        entry = context.scope.entry(node.text)
        if entry is not None and isinstance(entry.meaning, Operation):
            context.scope.look_up(node, "operator")
            return None
    if node is None or not isinstance(node, Missing):
        span = call.node.callee.span if node is None else node.span
        what = f"`{call.name}()`" if node is None else kind_of(node)
        wanted = "a commutative operator: `add`, `multiply`, `max`, `min`, `and`, `or`"
        context.notes.error("RW117", span, what=what, wanted=wanted)
    return None


def _expression(argument: Argument) -> Expression | ListExpr | None:
    return argument.value if isinstance(argument, Positional) else None


def _report_group(
    context: RuleContext, call: StructuralCall, group: tuple[str, Span], problem: str, groups: tuple[Name, ...]
) -> None:
    name, span = group
    context.notes.error("RW114", span, group=name, operator=call.name, problem=problem, groups=groups_text(groups))
