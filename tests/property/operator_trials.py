"""Calls of every decided operator, and small instances of them.

Owns which calls are tried: each with operands of several shapes and, over numbers, with operands that are undefined or
infinite at places. An operand `X` is made of two declared tensors, so that its elements are known without evaluating
anything. Must not know what an operator means.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

from operator_readings import IDENTITIES, Index, Operand, View

from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.model.operator_table import DECIDED
from rewright.model.operators import Family, Operator
from rewright.model.rule import Rule, RuleQuestion
from rewright.model.types import Need
from rewright.replay.arrays import Array, from_flat, positions
from rewright.replay.elements import UNDEFINED
from rewright.replay.inputs import Inputs
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

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
            yield from _elementwise(operator, [*"XYZ"][: operator.operands], frozenset())
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
        case Need.NUMBER | Need.ORDER:
            return ("real", "int")
        case Need.EQUALITY:
            return ("real", "int", "pred")
        case Need.LOGIC | None:
            return ("any", "int")


def _over(trial: Trial, domains: Sequence[str]) -> Iterator[Trial]:
    for domain in domains:
        for contents in Contents if domain in {"int", "real"} else [Contents.PLAIN]:
            yield Trial(
                trial.operator,
                trial.call,
                trial.operands,
                domain,
                contents,
                trial.truths,
                trial.attributes,
                trial.arguments,
            )


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


def _reduce(operator: Operator) -> Iterator[Trial]:
    for monoid in IDENTITIES:
        logic = monoid in {"and", "or"}
        truths = frozenset("Xz") if logic else frozenset()
        for call, operands, reduced in (
            (f"reduce({monoid}, X, C, init = z)", {"X": "A: n, C: c", "z": ""}, ("C",)),
            (f"reduce({monoid}, X, C)", {"X": "A: n, C: c"}, ("C",)),
            (f"reduce({monoid}, X, [d, C])", {"X": "d: k, A: n, C: c"}, ("C", "d")),
        ):
            shapes = {name: shape(text) for name, text in operands.items()}
            arguments = {"monoid": monoid, "reduced": reduced, "start": _start(monoid)}
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


def _reduce_window(operator: Operator) -> Iterator[Trial]:
    names = ("size", "stride", "low", "high", "base", "window")
    full: Mapping[str, str | int] = {name: name for name in names}
    plain: Mapping[str, str | int] = {"stride": 1, "low": 0, "high": 0, "base": 1, "window": 1}
    for monoid in ("add", "multiply", "maximum", "and"):
        truths = frozenset("Xz") if monoid == "and" else frozenset()
        arguments = {"monoid": monoid, "start": _start(monoid)}
        both: Mapping[str, Mapping[str, str | int]] = {"A": full, "d": {**plain, "size": "k2", "low": "low2"}}
        for call, operands, attributes in (
            ("A: (size, stride, low, high, base, window), init = z", {"X": "A: n", "z": ""}, {"A": full}),
            ("d: (k2, low = low2), A: (size, stride, low, high, base, window)", {"X": "A: n, d: k"}, both),
        ):
            shapes = {name: shape(text) for name, text in operands.items()}
            written = f"reduce_window({monoid}, X, {call})"
            yield Trial(operator, written, shapes, "number", Contents.PLAIN, truths, attributes, arguments)


def _convolution(operator: Operator) -> Iterator[Trial]:
    plain: Mapping[str, str | int] = {"stride": 1, "low": 0, "high": 0, "base": 1, "window": 1}
    full: Mapping[str, str | int] = {name: name for name in plain}
    written = "A: (stride, low, high, base, window"
    every: Mapping[str, Mapping[str, str | int]] = {"A": full}
    both: Mapping[str, Mapping[str, str | int]] = {"A": full, "d": {**plain, "low": "low2"}}
    moved: Mapping[str, Mapping[str, str | int]] = {"A": {**plain, "stride": "stride", "low": "low"}}
    for roles, operands, feature, attributes, parts in (
        (
            f"batch = B, feature = C, output = D, {written}, true)",
            {"X": "B: b, C: c, A: n", "W": "D: o, C: c2, A: m"},
            "C",
            every,
            (1, 1),
        ),
        (
            f"feature = C, output = D, {written}), d: (low = low2)",
            {"X": "A: n, C: c, d: k", "W": "C: c2, d: k2, A: m, D: o"},
            "C",
            both,
            (1, 1),
        ),
        (
            "batch = B, feature = x, output = y, A: (stride, low), feature_groups = 2",
            {"X": "B: b, x: even, A: n", "W": "x: half, y: even2, A: m"},
            "x",
            moved,
            (2, 1),
        ),
        (
            "batch = x, feature = C, output = y, A: (stride, low), batch_groups = 2",
            {"X": "C: c, x: even, A: n", "W": "C: c2, y: even2, A: m"},
            "C",
            moved,
            (1, 2),
        ),
    ):
        shapes = {name: shape(text) for name, text in operands.items()}
        turned = ("A",) if "true" in roles else ()
        arguments = {"feature": (feature,), "reversed": turned, "parts": parts}
        call = f"convolution(X, W, {roles})"
        yield Trial(operator, call, shapes, "", attributes=attributes, arguments=arguments)


def _start(monoid: str) -> Any:
    return lambda view: view["z"]({}) if "z" in view.operands else IDENTITIES[monoid]


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
    Family.REDUCE: _reduce,
    Family.DOT: _dot,
    Family.CONVOLUTION: _convolution,
    Family.REDUCE_WINDOW: _reduce_window,
}

# --------------------------------------------------------------------------------------------------------------- rules

_OF_A = ("start", "limit", "stride", "length", "low", "high", "interior", "size", "base", "window")
MAPS = {
    "n": "A",
    "m": "A",
    "c": "C",
    "c2": "C",
    "b": "B",
    "b2": "B",
    "k": "d",
    "k2": "d",
    "k3": "d",
    "even": "x",
    "half": "x",
    "even2": "y",
    "h": "I",
    "w": "J",
    "o": "D",
    **{f"{name}": "A" for name in _OF_A},
    **{f"{name}2": "d" for name in ("start", "limit", "length", "low")},
}
"""The maps that a trial may name, with their groups; `m` is on B where it is the size of that."""


def question(trial: Trial) -> RuleQuestion:
    """The question whose left side is the call."""
    domain = ((Name("T"), trial.domain),)
    declared = check_file(parse(Text.of("trial.rw", _text(trial))), lambda path: None).declarations[0]
    assert isinstance(declared.value, Rule), (_text(trial), declared.findings, declared.unsupported)
    return RuleQuestion(declared.value, domain, "=>")


def _text(trial: Trial) -> str:
    items = ["axes A, B, C, D, E", "axes I ~ J", "axis d, x, y"]
    items += [f"map {name} on {group}" for name, group in maps_of(trial).items()]
    for name, sizes in trial.operands.items():
        type_ = "pred" if name in trial.truths and trial.contents is Contents.PLAIN else "T"
        written = f"{type_}[{', '.join(f'{group}: {size}' for group, size in sizes)}]"
        items.append(f"{'tensor' if sizes else 'scalar'} {name}_1, {name}_2: {written if sizes else type_}")
        items.append(f"let {name} = {_held(trial, name)}")
    return f"rule r<T: {trial.domain}> {{\n" + "\n".join([*items, f"{trial.call} => {trial.call}"]) + "\n}\n"


def _held(trial: Trial, name: str) -> str:
    one, other = f"{name}_1", f"{name}_2"
    quotient = f"{one} / {other}"
    match trial.contents:
        case Contents.PLAIN:
            return one
        case Contents.UNDEFINED:
            return f"{quotient} < {one}" if name in trial.truths else quotient
        case Contents.INFINITE:
            infinite = f"select({one} < {other}, lowest, select({other} < {one}, highest, {one}))"
            return f"{infinite} < 0" if name in trial.truths else infinite


def maps_of(trial: Trial) -> dict[str, str]:
    """The maps of a trial with their groups."""
    return {**MAPS, "m": "B"} if trial.operator.family is Family.BROADCAST else MAPS


# ----------------------------------------------------------------------------------------------------------- instances


def instances(trial: Trial, rng: random.Random, count: int) -> Iterator[tuple[Inputs, View]]:
    """Inputs at ranks 0 to 2 and sizes 0 to 3, with the view that the readings have of each."""
    for _ in range(count):
        inputs = _drawn(trial, rng)
        yield inputs, _view(trial, inputs)


def _drawn(trial: Trial, rng: random.Random) -> Inputs:
    classes = {name: 1 if name.islower() else rng.choice([0, 1, 1, 2]) for name in dict.fromkeys(GROUPS.values())}
    ranks = {group: classes[rank_class] for group, rank_class in GROUPS.items()}
    declared = {size for sizes in trial.operands.values() for _, size in sizes}
    base = {group: tuple(rng.choice([0, 1, 1, 2, 3]) for _ in range(ranks[group])) for group in GROUPS}
    maps = {name: _map(name, base[group], name in declared, rng) for name, group in maps_of(trial).items()}
    types = {name: _type(trial, name) for name in trial.operands}
    tensors = {
        f"{name}_{k}": _tensor(sizes, types[name], maps, rng)
        for name, sizes in trial.operands.items()
        for k in (1, 2)
        if sizes
    }
    scalars = {
        f"{name}_{k}": _element(types[name], rng) for name, sizes in trial.operands.items() for k in (1, 2) if not sizes
    }
    return Inputs(
        {Name(group): rank for group, rank in ranks.items()},
        {Name(name): values for name, values in maps.items()},
        {},
        {Name(name): element for name, element in scalars.items()},
        {Name(name): array for name, array in tensors.items()},
        {},
        {Name("T"): trial.domain},
    )


def _map(name: str, base: tuple[int, ...], declared: bool, rng: random.Random) -> tuple[int, ...]:
    """A size is often that of its group's others; an attribute is near one, or about as large as the size."""
    if name.startswith("even"):
        return tuple(rng.choice([2, 2, 2, 4, 0, 1]) for _ in base)
    if declared:
        return base if rng.random() < 0.7 else tuple(rng.choice([0, 1, 1, 2, 3]) for _ in base)
    distances = dict.fromkeys(("size", "base", "window"), (1, 1, 1, 2, 2, 3, 0))
    usual = {"stride": (1, 1, 2, 3, 0), "interior": (0, 0, 1, 2, -1), **distances}.get(
        name.rstrip("2"), (0, 0, 1, 2, 3, -1)
    )
    large = 0.6 if name.rstrip("2") in {"limit", "length"} else 0.1
    return tuple(n if rng.random() < large else rng.choice(usual) for n in base)


def _type(trial: Trial, name: str) -> str:
    return "pred" if name in trial.truths and trial.contents is Contents.PLAIN else trial.domain


def _tensor(sizes: Shape, type_: str, maps: Mapping[str, tuple[int, ...]], rng: random.Random) -> Array:
    extent = tuple(size for _, name in sizes for size in maps[name])
    elements = [_element(type_, rng) for _ in range(math.prod(extent))]
    return Array(tuple(Name(group) for group, _ in sizes), from_flat(extent, elements))


def _element(type_: str, rng: random.Random) -> Any:
    match type_:
        case "pred":
            return rng.random() < 0.5
        case "int":
            return rng.choice([-4, -3, -2, -1, 0, 0, 1, 2, 3])
        case "real":
            return Fraction(rng.choice([-4, -2, -1, 0, 0, 1, 3]), rng.choice([1, 1, 2, 3]))
        case _:
            return f"t{rng.randrange(9)}"


def _view(trial: Trial, inputs: Inputs) -> View:
    def given(value: str | int, group: str) -> tuple[int, ...]:
        return inputs.maps[Name(value)] if isinstance(value, str) else (value,) * inputs.ranks[Name(group)]

    operands = {name: _operand(trial, inputs, name) for name in trial.operands}
    attributes = {
        group: {name: given(value, group) for name, value in values.items()}
        for group, values in trial.attributes.items()
    }
    arguments = dict(trial.arguments)
    if "added" in arguments:
        arguments["added"] = {group: inputs.ranks[Name(group)] for group in arguments["added"]}
    return View(operands, attributes, arguments)


def _operand(trial: Trial, inputs: Inputs, name: str) -> Operand:
    shape = trial.operands[name]
    sizes = {group: inputs.maps[Name(size)] for group, size in shape}

    def declared(k: int, index: Index) -> Any:
        if not shape:
            return inputs.scalars[Name(f"{name}_{k}")]
        return inputs.tensors[Name(f"{name}_{k}")].data[tuple(at for group, _ in shape for at in index[group])]

    def element(index: Index) -> Any:
        one, other = declared(1, index), declared(2, index)
        match trial.contents:
            case Contents.PLAIN:
                return one
            case Contents.UNDEFINED:
                return _as_truth(trial, name, _ratio(one, other), one)
            case Contents.INFINITE:
                infinite = -math.inf if one < other else math.inf if other < one else one
                return _as_truth(trial, name, infinite, 0)

    return Operand(sizes, element)


def _ratio(one: Any, other: Any) -> Any:
    if other == 0:
        return UNDEFINED
    exact = Fraction(one) / other
    return exact if isinstance(one, Fraction) else math.trunc(exact)


def _as_truth(trial: Trial, name: str, element: Any, bound: Any) -> Any:
    if name not in trial.truths or element is UNDEFINED:
        return element
    return element < bound


def indices(sizes: Mapping[str, tuple[int, ...]]) -> Iterator[dict[str, tuple[int, ...]]]:
    """Every index of a result with these sizes."""
    extent = tuple(size for of_group in sizes.values() for size in of_group)
    for position in positions(extent):
        remaining = iter(position)
        yield {group: tuple(next(remaining) for _ in of_group) for group, of_group in sizes.items()}
