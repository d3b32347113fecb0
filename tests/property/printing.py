"""A rule's value as `.rw` text, so that random rules also go through the parser and the model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from rewright.model import formula as mf
from rewright.model import index as mi
from rewright.model import rule as m
from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.model.operator_table import ROWS
from rewright.model.rule import Extent
from rewright.verdict.codec import encode


def rule_text(rule: m.Rule) -> str:
    """The declaration; parsed and checked again it is the same rule, but for site numbers."""
    parameters = ", ".join(f"{p.name}: {p.constraint}" for p in rule.type_parameters if _uses(rule, p.name))
    lines = [f"rule {rule.name}{f'<{parameters}>' if parameters else ''} {{"]
    lines += [f"  {item}" for item in _declarations(rule)]
    lines.append(f"  {tensor(rule.left)} {'<=>' if rule.both else '=>'} {tensor(rule.right)}")
    lines += [f"  where {formula(each)}" for each in rule.where]
    lines += [f"  assume {_assumption(each)}" for each in rule.assumptions]
    return "\n".join([*lines, "}", ""])


def _declarations(rule: m.Rule) -> Iterable[str]:
    for first in (group for group in rule.groups if group.name == group.rank_class):
        word = "axis" if first.extent is Extent.SINGLE else "axes"
        plus = "+" if first.extent is Extent.NONEMPTY else ""
        alike = [group.name for group in rule.groups if group.rank_class == first.name]
        yield f"{word} " + " ~ ".join(f"{name}{plus}" for name in alike)
    yield from (f"map {declared.name} on {declared.rank_class}" for declared in rule.maps)
    yield from (f"int {name}" for name in rule.integers)
    for fn in rule.functions:
        operands = ", ".join(map(_type, fn.parameters))
        bracketed = f"({operands})" if len(fn.parameters) != 1 else operands
        yield f"fn {fn.name}: {bracketed} -> {_type(fn.result)}"
    yield from (f"monoid {declared.name}: {_type(declared.type)}" for declared in rule.monoids)
    yield from (f"scalar {declared.name}: {_type(declared.type)}" for declared in rule.scalars)
    for declared in rule.tensors:
        yield f"tensor {declared.name}: {_type(declared.type)}[{_sizes(declared.shape)}]"


def _uses(rule: m.Rule, parameter: Name) -> bool:
    declared = (rule.scalars, rule.tensors, rule.functions, rule.monoids, rule.left, rule.right)
    return f'"parameter":"{parameter}"' in encode(declared)


def _type(type_: mt.ElementType) -> str:
    return str(type_.parameter or type_.name)


def index(node: mi.Index) -> str:
    match node:
        case mi.Number(value=value):
            return str(value) if value >= 0 else f"({value})"
        case mi.MapReference(name=name) | mi.IntegerReference(name=name):
            return name
        case mi.BoundIndex(group=group):
            return f"@{group}"
        case mi.IndexOperation(operator="min" | "max" as operator, left=left, right=right):
            return f"{operator}({index(left)}, {index(right)})"
        case mi.IndexOperation(operator=operator, left=left, right=right):
            return f"({index(left)} {'/' if operator == '//' else operator} {index(right)})"
        case mi.Product(operand=operand):
            return f"prod({index(operand)})"
        case _:
            assert_never(node)


def tensor(node: mt.Tensor) -> str:
    match node:
        case mt.TensorReference(name=name) | mt.ScalarReference(name=name):
            return name
        case mt.Constant(text=text):
            return text
        case mt.ElementOf(index=inner):
            return f"elem({_type(node.type)}, {index(inner)})"
        case mt.Pointwise():
            return _pointwise(node)
        case mt.Apply(function=name, operands=operands):
            return f"{name}({', '.join(map(tensor, operands))})"
        case mt.Combine(monoid=name, operands=operands):
            return f"{name}({', '.join(map(tensor, operands))})" if operands else f"identity({name})"
        case mt.Iota(axis=axis, sizes=sizes):
            return f"iota({_type(node.type)}, {axis}, {_sizes(sizes)})"
        case mt.Concatenate(operands=operands, axis=axis):
            return f"concatenate({', '.join(map(tensor, operands))}, {axis})"
        case mt.DynamicUpdateSlice(operand=operand, update=update, starts=starts):
            return f"dynamic_update_slice({tensor(operand)}, {tensor(update)}, {_sizes(starts)})"
        case mt.Pad(operand=operand, value=value, paddings=paddings):
            groups = (f"{g}: ({index(p.low)}, {index(p.high)}, {index(p.interior)})" for g, p in paddings)
            return f"pad({tensor(operand)}, {tensor(value)}, {', '.join(groups)})"
        case mt.Reduce():
            init = "" if node.init is None else f", init = {tensor(node.init)}"
            return f"reduce({_reducer(node)}, {tensor(node.operand)}, [{', '.join(node.reduced)}]{init})"
        case mt.ReduceWindow():
            init = "" if node.init is None else f", init = {tensor(node.init)}"
            groups = (f"{group}: {_window(window)}" for group, window in node.windows)
            return f"reduce_window({_reducer(node)}, {tensor(node.operand)}, {', '.join(groups)}{init})"
        case mt.Convolution():
            return _convolution(node)
        case mt.Dot(left=left, right=right, contracted=contracted):
            batch = [group for group in left.groups if group in right.groups and group not in contracted]
            roles = f"contract = [{', '.join(contracted)}], batch = [{', '.join(batch)}]"
            return f"dot({tensor(left)}, {tensor(right)}, {roles})"
        case _:
            return _of_one_operand(node)


def _reducer(node: mt.Reduce | mt.ReduceWindow) -> str:
    return node.by or ROWS[node.monoid].short


def _convolution(node: mt.Convolution) -> str:
    image, kernel = node.operand.groups, node.kernel.groups
    roles = {
        "batch": [group for group in image if group not in kernel],
        "feature": node.feature,
        "output": [group for group in kernel if group not in image],
    }
    parts = [f"{role} = [{', '.join(groups)}]" for role, groups in roles.items()]
    parts += [f"feature_groups = {index(node.feature_groups)}", f"batch_groups = {index(node.batch_groups)}"]
    for group, window in node.windows:
        reversal = "true" if group in node.reversed else "false"
        parts.append(f"{group}: {_window(window)[:-1]}, reversal = {reversal})")
    return f"convolution({tensor(node.operand)}, {tensor(node.kernel)}, {', '.join(parts)})"


def _window(window: mt.Window) -> str:
    given = {
        "size": window.size,
        "stride": window.stride,
        "low": window.low,
        "high": window.high,
        "base": window.base,
        "window": window.window,
    }
    return f"({', '.join(f'{name} = {index(value)}' for name, value in given.items() if value is not None)})"


def _of_one_operand(
    node: mt.Broadcast | mt.Slice | mt.DynamicSlice | mt.Reverse | mt.Reshape | mt.Bitcast | mt.Transpose,
) -> str:
    match node:
        case mt.Broadcast(sizes=sizes):
            name, arguments = "broadcast", _sizes(sizes)
        case mt.Slice(ranges=ranges):
            name, arguments = "slice", ", ".join(f"{g}: ({_range(r)})" for g, r in ranges)
        case mt.DynamicSlice(ranges=windows):
            name = "dynamic_slice"
            arguments = ", ".join(f"{g}: ({index(r.start)}, {index(r.length)})" for g, r in windows)
        case mt.Reverse(reversed=groups):
            name, arguments = "reverse", f"[{', '.join(groups)}]"
        case mt.Reshape(dropped=dropped, added=added):
            ways = [f"[{', '.join(dropped)}] -> []"] * bool(dropped) + [f"[] -> [{', '.join(added)}]"] * bool(added)
            name, arguments = "reshape", ", ".join(ways)
        case mt.Bitcast(sources=sources, targets=targets):
            new = ", ".join(group if size is None else f"{group}: {index(size)}" for group, size in targets)
            name, arguments = "bitcast", f"[{', '.join(sources)}] -> [{new}]"
        case mt.Transpose(renaming=renaming):
            name, arguments = "transpose", ", ".join(f"{old} -> {new}" for old, new in renaming)
        case _:
            assert_never(node)
    return f"{name}({tensor(node.operand)}, {arguments})"


def _range(range_: mt.SliceRange) -> str:
    limit = "" if range_.limit is None else f"limit = {index(range_.limit)}, "
    return f"start = {index(range_.start)}, {limit}stride = {index(range_.stride)}"


def _sizes(sizes: Iterable[tuple[Name, mi.Index]]) -> str:
    return ", ".join(f"{group}: {index(size)}" for group, size in sizes)


def _pointwise(node: mt.Pointwise) -> str:
    row, operands = ROWS[node.operator], [tensor(operand) for operand in node.operands]
    sign = row.signs[0] if row.signs else "-" if row.name == "negate" else ""
    before = f"{sign} " if sign.isalpha() else sign
    match operands:
        case [left, right] if sign:
            return f"({left} {sign} {right})"
        case [operand] if sign:
            return f"({before}{operand})"
        case _:
            return f"{row.short}({', '.join(operands)})"


def formula(node: mf.Formula) -> str:
    match node:
        case mf.Truth(value=value):
            return "true" if value else "false"
        case mf.IndexComparison(operator=operator, left=left, right=right):
            return f"{index(left)} {operator} {index(right)}"
        case mf.ElementComparison(operator=operator, left=left_element, right=right_element):
            return f"{tensor(left_element)} {operator} {tensor(right_element)}"
        case mf.Conjunction(left=first, right=second):
            return f"({formula(first)} and {formula(second)})"
        case mf.Disjunction(left=first, right=second):
            return f"({formula(first)} or {formula(second)})"
        case mf.Negation(operand=operand):
            return f"(not ({formula(operand)}))"
        case mf.Quantified(quantifier=quantifier, rank_class=group, body=body):
            return f"({quantifier} {group}: {formula(body)})"
        case _:
            assert_never(node)


def _assumption(assumption: mf.Assumption) -> str:
    names = {group: f"i{number}" for number, group in enumerate(assumption.groups)}
    bound = "forall " + ", ".join(f"{names[group]} on {group}" for group in assumption.groups) + ": "
    body = re.sub(r"@(\w+)", lambda group: names[Name(group[1])], formula(assumption.body))
    for name, groups in sorted(_entries(assumption.body)):
        body = re.sub(rf"\b{name}\b", f"{name}[{', '.join(names[group] for group in groups)}]", body)
    return bound + body


def _entries(body: mf.Formula) -> set[tuple[Name, tuple[Name, ...]]]:
    """The tensors that an assumption reads, with their groups."""
    match body:
        case mf.ElementComparison(left=left, right=right):
            return {(side.name, side.groups) for side in (left, right) if isinstance(side, mt.TensorReference)}
        case mf.Conjunction(left=first, right=second) | mf.Disjunction(left=first, right=second):
            return _entries(first) | _entries(second)
        case mf.Negation(operand=operand):
            return _entries(operand)
        case _:
            return set()
