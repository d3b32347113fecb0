"""Small instances of calls: each call as a rule's left side, inputs of that, and the view that the readings have.

An operand `X` is made of two declared tensors, so that its elements are known without evaluating anything. Must not
know what an operator means.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from operator_readings import Index, Operand, View
from operator_trials import GROUPS, Contents, Shape, Trial

from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.model.operator_table import DECIDED
from rewright.model.operators import Family
from rewright.model.rule import Rule, RuleQuestion
from rewright.replay.arrays import Array, from_flat, positions
from rewright.replay.elements import UNDEFINED
from rewright.replay.inputs import Inputs
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

ATTRIBUTES = dict.fromkeys(a.name for row in DECIDED for a in row.attributes if not a.is_truth)
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
    **dict.fromkeys(ATTRIBUTES, "A"),
    **{f"{name}2": "d" for name in ATTRIBUTES},
}
"""The maps that a trial may name, with their groups: each attribute of the table on A and, with a 2, on d.

`m` is on B where it is the size of that.
"""


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
