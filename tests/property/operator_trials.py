"""Calls of every decided operator.

Owns which calls are tried: each with operands of several shapes and, over numbers, with operands that are undefined or
infinite at places. Must not know what an operator means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from operator_elements import IDENTITIES

from rewright.model.operator_table import DECIDED, MONOIDS
from rewright.model.operators import Family, Operator
from rewright.model.types import Need

GROUPS = {"A": "A", "B": "B", "C": "C", "D": "D", "E": "E", "I": "I", "J": "I", "d": "d", "x": "x", "y": "y"}
"""The axis groups with their rank classes; the ones in lower case are single axes."""

Shape = tuple[tuple[str, str], ...]
"""Groups with the maps that are their sizes."""


class Contents(Enum):
    """What an operand holds besides plain elements."""

    PLAIN = "plain"
    UNDEFINED = "undefined at places"
    INFINITE = "infinite at places"


@dataclass(frozen=True)
class Trial:
    """A call of an operator: operands with their shapes, those of type pred, attributes as maps or numbers by group."""

    operator: Operator
    call: str
    operands: Mapping[str, Shape]
    domain: str
    contents: Contents = Contents.PLAIN
    truths: frozenset[str] = frozenset()
    attributes: Mapping[str, Mapping[str, str | int]] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.operator.name}: {self.call} over {self.domain}, {self.contents.value}"


def shape(text: str) -> Shape:
    """`A: n, d: k`."""
    return tuple((group, size) for group, _, size in (part.partition(": ") for part in text.split(", ") if part))


# -------------------------------------------------------------------------------------------------------------- trials


def trials() -> Iterator[Trial]:
    """Trials of every decided operator."""
    for operator in DECIDED:
        if operator.family in {Family.POINTWISE, Family.COMPARISON}:
            yield from _elementwise(operator, [*"XYZ"][: operator.operands or 0], frozenset())
        elif operator.family is Family.SELECT:
            yield from _elementwise(operator, ["P", "X", "Y"], frozenset("P"))
        elif operator.family is Family.CLAMP:
            yield from _elementwise(operator, ["lo", "X", "hi"], frozenset())
        else:
            yield from _structural(operator)


SHAPES = ("A: n", "A: m"), ("A: n, d: k", "d: k, A: m"), ("A: n", ""), ("", "A: n"), ("", "")


def _elementwise(operator: Operator, names: Sequence[str], truths: frozenset[str]) -> Iterator[Trial]:
    call = operator.texts.call
    logic = operator.need is Need.LOGIC
    for shapes in SHAPES if len(names) > 1 else SHAPES[1:3]:
        given = {name: shape(shapes[k % 2]) for k, name in enumerate(names)}
        pred = frozenset(names) if logic else truths
        yield from _over(Trial(operator, call, given, "", truths=pred), _domains(operator))


def _domains(operator: Operator) -> Sequence[str]:
    match operator.need:
        case Need.FRACTION:
            return ("real",)
        case Need.NUMBER:
            return ("real", "int")
        case Need.ORDER | Need.EQUALITY:
            return ("real", "int", "pred")
        case Need.LOGIC | None:
            return ("any", "int")


def _over(trial: Trial, domains: Sequence[str]) -> Iterator[Trial]:
    for domain in domains:
        for contents in Contents if domain in {"int", "real"} else [Contents.PLAIN]:
            yield replace(trial, domain=domain, contents=contents)


def _structural(operator: Operator) -> Iterator[Trial]:
    for trial in _STRUCTURAL[operator.family](operator):
        yield from _over(trial, ("real", "int") if operator.need is Need.NUMBER or trial.domain else ("any", "real"))


def _broadcast(operator: Operator) -> Iterator[Trial]:
    size: Mapping[str, Mapping[str, str | int]] = {"B": {"size": "m"}}
    yield Trial(operator, "broadcast(X, B: m)", {"X": shape("A: n")}, "", attributes=size)
    yield Trial(operator, "broadcast(X, B: m)", {"X": shape("")}, "", attributes=size)
    two: Mapping[str, Mapping[str, str | int]] = {"B": {"size": "m"}, "d": {"size": "k"}}
    yield Trial(operator, "broadcast(X, B: m, d: k)", {"X": shape("A: n")}, "", attributes=two)


def _iota(operator: Operator) -> Iterator[Trial]:
    sizes: Mapping[str, Mapping[str, str | int]] = {"A": {"size": "n"}, "d": {"size": "k"}}
    yield Trial(operator, "iota(T, d, A: n, d: k)", {}, "", attributes=sizes)


def _ranged(operator: Operator) -> Iterator[Trial]:
    """`slice`, `dynamic_slice` and `pad`: all attributes on one group, the defaults on one of two groups."""
    names = [attribute.name for attribute in operator.attributes]
    full = {name: name for name in names}
    given = f"({', '.join(names)})" if len(names) > 1 else names[0]
    scalar = {"v": shape("")} if operator.family is Family.PAD else {}
    inserted = ", v" if scalar else ""
    call = f"{operator.name}(X{inserted}, A: {given})"
    yield Trial(operator, call, {"X": shape("A: n, d: k"), **scalar}, "", attributes={"A": full})
    needed = {attribute.name: f"{attribute.name}2" for attribute in operator.attributes if attribute.default is None}
    first = {names[0]: f"{names[0]}2", **needed}
    default = {a.name: _default(a.default) for a in operator.attributes if a.default is not None}
    both = f"{operator.name}(X{inserted}, d: ({', '.join(f'{k} = {v}' for k, v in first.items())}), A: {given})"
    attributes: Mapping[str, Mapping[str, str | int]] = {"A": full, "d": {**default, **first}}
    yield Trial(operator, both, {"X": shape("A: n, d: k"), **scalar}, "", attributes=attributes)


def _default(text: str) -> str | int:
    return "k" if text == "the size" else int(text)


def _update(operator: Operator) -> Iterator[Trial]:
    operands = {"X": shape("A: n, d: k"), "U": shape("d: k2, A: m")}
    one: Mapping[str, Mapping[str, str | int]] = {"A": {"start": "start"}}
    yield Trial(operator, "dynamic_update_slice(X, U, A: start)", operands, "", attributes=one)
    two: Mapping[str, Mapping[str, str | int]] = {**one, "d": {"start": "start2"}}
    yield Trial(operator, "dynamic_update_slice(X, U, d: start2, A: start)", operands, "", attributes=two)


def _concatenate(operator: Operator) -> Iterator[Trial]:
    operands = {"X": shape("A: n, d: k"), "Y": shape("d: k2, A: m"), "Z": shape("A: n, d: k3")}
    for names in ("X", "XY", "XYZ"):
        chosen = {name: operands[name] for name in names}
        yield Trial(operator, f"concatenate({', '.join(names)}, d)", chosen, "", arguments={"axis": "d"})


def _reverse(operator: Operator) -> Iterator[Trial]:
    operands = {"X": shape("A: n, d: k")}
    yield Trial(operator, "reverse(X, A)", operands, "", arguments={"reversed": ("A",)})
    yield Trial(operator, "reverse(X, [d, A])", operands, "", arguments={"reversed": ("A", "d")})


def _transpose(operator: Operator) -> Iterator[Trial]:
    operands = {"X": shape("I: h, J: w")}
    swapped = {"I": "J", "J": "I"}
    yield Trial(operator, "transpose(X, I -> J, J -> I)", operands, "", arguments={"renaming": swapped})
    yield Trial(operator, "transpose(X, I -> J)", {"X": shape("I: h")}, "", arguments={"renaming": {"I": "J"}})


def _reshape(operator: Operator) -> Iterator[Trial]:
    for call, dropped, added in (
        ("reshape(X, D -> [])", ("D",), ()),
        ("reshape(X, [] -> E)", (), ("E",)),
        ("reshape(X, D -> [], [] -> E)", ("D",), ("E",)),
        ("reshape(X, [D, d] -> [], [] -> [B, E])", ("D", "d"), ("B", "E")),
        ("reshape(X, [A, D, d] -> [])", ("A", "D", "d"), ()),
    ):
        operands = {"X": shape("A: n, D: o, d: k")}
        yield Trial(operator, call, operands, "", arguments={"dropped": dropped, "added": added})


def _bitcast(operator: Operator) -> Iterator[Trial]:
    sizes = {"x": {"size": "half"}, "y": {"size": "even2"}, "d": {"size": "k"}, "A": {"size": "n"}}
    for call, operand, old, new in (
        ("bitcast(X, [d, x] -> y)", "d: k, A: n, x: half", "dx", {"y": None}),
        ("reshape(X, [x, d] -> y)", "d: k, A: n, x: half", "xd", {"y": None}),
        ("bitcast(X, d -> [x: half, y: even2])", "A: n, d: k", "d", {"x": "half", "y": "even2"}),
        ("reshape(X, d -> [y: even2, x: half])", "d: k, A: n", "d", {"y": "even2", "x": "half"}),
        ("bitcast(X, [d, x] -> [y: even2])", "d: k, A: n, x: half", "dx", {"y": "even2"}),
        ("bitcast(X, [] -> [y: even2])", "A: n", "", {"y": "even2"}),
        ("bitcast(X, [d, A] -> y)", "A: n, d: k", "dA", {"y": None}),
        ("bitcast(X, [A, d] -> [d: k, A: n])", "A: n, d: k", "Ad", {"d": "k", "A": "n"}),
    ):
        given = {group: sizes[group] for group, size in new.items() if size is not None}
        arguments = {"old": tuple(old), "new": tuple(new)}
        yield Trial(operator, call, {"X": shape(operand)}, "", attributes=given, arguments=arguments)


def _reduce(operator: Operator) -> Iterator[Trial]:
    for monoid, truths in _monoids():
        for call, operands, reduced in (
            (f"reduce({monoid}, X, C, init = z)", {"X": "A: n, C: c", "z": ""}, ("C",)),
            (f"reduce({monoid}, X, C)", {"X": "A: n, C: c"}, ("C",)),
            (f"reduce({monoid}, X, [d, C])", {"X": "d: k, A: n, C: c"}, ("C", "d")),
        ):
            shapes = {name: shape(text) for name, text in operands.items()}
            arguments = {"monoid": monoid, "reduced": reduced, "start": _start(monoid, truths)}
            yield Trial(operator, call, shapes, "number", truths=truths, arguments=arguments)


def _dot(operator: Operator) -> Iterator[Trial]:
    for call, operands, contracted in (
        ("dot(X, Y, contract = C, batch = B)", {"X": "A: n, C: c, B: b", "Y": "B: b2, D: o, C: c2"}, ("C",)),
        ("dot(X, Y, contract = [d, C])", {"X": "d: k, A: n, C: c", "Y": "C: c2, d: k2"}, ("C", "d")),
        ("dot(X, Y, batch = B)", {"X": "B: b, A: n", "Y": "B: b2"}, ()),
        ("dot(X, Y)", {"X": "A: n", "Y": "D: o"}, ()),
    ):
        shapes = {name: shape(text) for name, text in operands.items()}
        yield Trial(operator, call, shapes, "", arguments={"contracted": contracted})


_PLAIN: Mapping[str, str | int] = {"stride": 1, "low": 0, "high": 0, "base": 1, "window": 1}
_FULL: Mapping[str, str | int] = {name: name for name in _PLAIN}
_MOVED: Mapping[str, str | int] = {**_PLAIN, "stride": "stride", "low": "low"}


def _reduce_window(operator: Operator) -> Iterator[Trial]:
    names = ("size", "stride", "low", "high", "base", "window")
    full: Mapping[str, str | int] = {name: name for name in names}
    for monoid, truths in _monoids():
        arguments = {"monoid": monoid, "start": _start(monoid, truths)}
        both: Mapping[str, Mapping[str, str | int]] = {"A": full, "d": {**_PLAIN, "size": "k2", "low": "low2"}}
        for call, operands, attributes in (
            ("A: (size, stride, low, high, base, window), init = z", {"X": "A: n", "z": ""}, {"A": full}),
            ("d: (k2, low = low2), A: (size, stride, low, high, base, window)", {"X": "A: n, d: k"}, both),
        ):
            shapes = {name: shape(text) for name, text in operands.items()}
            written = f"reduce_window({monoid}, X, {call})"
            yield Trial(operator, written, shapes, "number", Contents.PLAIN, truths, attributes, arguments)


_WRITTEN = "A: (stride, low, high, base, window"
_CONVOLUTIONS: tuple[tuple[str, dict[str, str], str, Mapping[str, Mapping[str, str | int]], tuple[int, int]], ...] = (
    (
        f"batch = B, feature = C, output = D, {_WRITTEN}, true)",
        {"X": "B: b, C: c, A: n", "W": "D: o, C: c2, A: m"},
        "C",
        {"A": _FULL},
        (1, 1),
    ),
    (
        f"feature = C, output = D, {_WRITTEN}), d: (low = low2)",
        {"X": "A: n, C: c, d: k", "W": "C: c2, d: k2, A: m, D: o"},
        "C",
        {"A": _FULL, "d": {**_PLAIN, "low": "low2"}},
        (1, 1),
    ),
    (
        "batch = B, feature = x, output = y, A: (stride, low), feature_groups = 2",
        {"X": "B: b, x: even, A: n", "W": "x: half, y: even2, A: m"},
        "x",
        {"A": _MOVED},
        (2, 1),
    ),
    (
        "batch = x, feature = C, output = y, A: (stride, low), batch_groups = 2",
        {"X": "C: c, x: even, A: n", "W": "C: c2, y: even2, A: m"},
        "C",
        {"A": _MOVED},
        (1, 2),
    ),
)
"""What is written behind the operands, these with their shapes, the feature, the attributes, and the parts."""


def _convolution(operator: Operator) -> Iterator[Trial]:
    for written, operands, feature, attributes, parts in _CONVOLUTIONS:
        shapes = {name: shape(text) for name, text in operands.items()}
        turned = ("A",) if "true" in written else ()
        arguments = {"feature": (feature,), "reversed": turned, "parts": parts}
        call = f"convolution(X, W, {written})"
        yield Trial(operator, call, shapes, "", attributes=attributes, arguments=arguments)


def _monoids() -> Iterator[tuple[str, frozenset[str]]]:
    """The operators of reductions, with the operands that are truths."""
    for row in MONOIDS:
        if row.need is not Need.LOGIC:
            yield row.name, frozenset()
        if row.need is not Need.NUMBER:
            yield row.name, frozenset("Xz")


def _start(monoid: str, truths: frozenset[str]) -> Any:
    identity = {"maximum": False, "minimum": True}.get(monoid) if truths else None
    return lambda view: view["z"]({}) if "z" in view.operands else IDENTITIES[monoid] if identity is None else identity


_STRUCTURAL = {
    Family.BROADCAST: _broadcast,
    Family.IOTA: _iota,
    Family.SLICE: _ranged,
    Family.DYNAMIC_SLICE: _ranged,
    Family.DYNAMIC_UPDATE_SLICE: _update,
    Family.PAD: _ranged,
    Family.CONCATENATE: _concatenate,
    Family.REVERSE: _reverse,
    Family.TRANSPOSE: _transpose,
    Family.RESHAPE: _reshape,
    Family.BITCAST: _bitcast,
    Family.REDUCE: _reduce,
    Family.DOT: _dot,
    Family.CONVOLUTION: _convolution,
    Family.REDUCE_WINDOW: _reduce_window,
}
