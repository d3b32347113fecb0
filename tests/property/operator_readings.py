"""What the operator table says, made executable: for each text of a column, what it means on one instance.

Owns the readings of the texts, by the text itself, so that a row that says something else has none. They are written
from the words alone, on sizes and functions of an index, and share nothing with the semantics that they judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from rewright.replay.elements import UNDEFINED

Index = Mapping[str, tuple[int, ...]]
Sizes = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Operand:
    """A tensor, or a scalar without groups, which is spread: the same at every index."""

    sizes: Sizes
    element: Callable[[Index], Any]

    def __call__(self, index: Index) -> Any:
        return self.element({group: index[group] for group in self.sizes})


@dataclass(frozen=True)
class View:
    """One instance of a call: its operands by name and in order, its attributes by group, its other arguments."""

    operands: Mapping[str, Operand]
    attributes: Mapping[str, Mapping[str, tuple[int, ...]]]
    arguments: Mapping[str, Any]

    def __getitem__(self, name: str) -> Operand:
        return self.operands[name]

    def along(self, group: str, name: str = "X") -> list[dict[str, int]]:
        """For each axis of a group its attributes, and as n the operand's size."""
        sizes = self[name].sizes[group] if name in self.operands else self.attributes[group]["size"]
        given = self.attributes.get(group, {})
        return [{"n": size, **{key: given[key][k] for key in given}} for k, size in enumerate(sizes)]

    def every(self, name: str = "X") -> Iterator[dict[str, int]]:
        """The axes of all groups with attributes."""
        return (axis for group in self.attributes for axis in self.along(group, name))

    def result(self, size: Callable[[dict[str, int]], int]) -> Sizes:
        """The sizes of X, on groups with attributes as given."""
        changed = {group: tuple(size(axis) for axis in self.along(group)) for group in self.attributes}
        return {**self["X"].sizes, **changed}


# --------------------------------------------------------------------------------------------------------------- shape


def _of_operands(view: View) -> Sizes:
    return next((operand.sizes for operand in view.operands.values() if operand.sizes), {})


def _sum_on_axis(view: View) -> Sizes:
    axis = view.arguments["axis"]
    total = sum(operand.sizes[axis][0] for operand in view.operands.values())
    return {**_of_operands(view), axis: (total,)}


def _renamed(view: View) -> Sizes:
    names = view.arguments["renaming"]
    return {names.get(group, group): sizes for group, sizes in view["X"].sizes.items()}


def _reshaped(view: View) -> Sizes:
    dropped, added = view.arguments["dropped"], view.arguments["added"]
    kept = {group: sizes for group, sizes in view["X"].sizes.items() if group not in dropped}
    return {**kept, **{group: (1,) * rank for group, rank in added.items()}}


def _without_reduced(view: View) -> Sizes:
    return {group: sizes for group, sizes in view["X"].sizes.items() if group not in view.arguments["reduced"]}


_P_AND_D = "with p = low + n + max(n − 1, 0) · (base − 1) + high and d = (size − 1) · window + 1"


def _positions(a: dict[str, int]) -> int:
    p = a["low"] + a["n"] + max(a["n"] - 1, 0) * (a["base"] - 1) + a["high"]
    d = (a["size"] - 1) * a["window"] + 1
    return 0 if p == 0 or d > p else math.floor(Fraction(p - d, a["stride"])) + 1


def _windows(view: View) -> Iterator[tuple[str, int, dict[str, int]]]:
    """The spatial axes of a convolution with their attributes, and as size that of W."""
    for group in view.attributes:
        for number, a in enumerate(view.along(group)):
            yield group, number, {**a, "size": view["W"].sizes[group][number]}


def _convolved(view: View) -> Sizes:
    _, b = view.arguments["parts"]
    batch = {group: n for group, n in view["X"].sizes.items() if group not in view["W"].sizes}
    output = {group: n for group, n in view["W"].sizes.items() if group not in view["X"].sizes}
    spatial: dict[str, list[int]] = {group: [] for group in view.attributes}
    for group, _, a in _windows(view):
        spatial[group].append(_positions(a))
    cut = {group: n if b == 1 else (n[0] // b,) for group, n in batch.items()}
    return {**cut, **output, **{group: tuple(sizes) for group, sizes in spatial.items()}}


def _without_contracted(view: View) -> Sizes:
    left = {group: sizes for group, sizes in view["X"].sizes.items() if group not in view.arguments["contracted"]}
    return {**left, **{group: sizes for group, sizes in view["Y"].sizes.items() if group not in view["X"].sizes}}


SHAPE: dict[str, Callable[[View], Sizes]] = {
    "that of the operands": _of_operands,
    "X's groups and the new ones, with the sizes given": lambda view: {
        **view["X"].sizes,
        **{group: given["size"] for group, given in view.attributes.items()},
    },
    "as listed": lambda view: {group: given["size"] for group, given in view.attributes.items()},
    "⌈(limit − start) / stride⌉ on A": lambda view: view.result(
        lambda a: math.ceil(Fraction(a["limit"] - a["start"], a["stride"]))
    ),
    "length on A": lambda view: view.result(lambda a: a["length"]),
    "low + n + max(n − 1, 0) · interior + high on A": lambda view: view.result(
        lambda a: a["low"] + a["n"] + max(a["n"] - 1, 0) * a["interior"] + a["high"]
    ),
    "that of X": lambda view: view["X"].sizes,
    "the sum on d": _sum_on_axis,
    "X's with the groups renamed": _renamed,
    "X's without D, and E with 1 on each axis": _reshaped,
    "X's without C; `[C, D]` for several": _without_reduced,
    "X's without C, and Y's other groups": _without_contracted,
    "n / b on N, O's sizes, and on S as for `reduce_window` with the sizes of W": _convolved,
    f"{_P_AND_D}: 0 on A if p = 0 or d > p, else ⌊(p − d) / stride⌋ + 1": lambda view: view.result(_positions),
}

# --------------------------------------------------------------------------------------------------------------- valid


def _shapes_equal(view: View) -> bool:
    shapes = [operand.sizes for operand in view.operands.values() if operand.sizes]
    return all(shape == shapes[0] for shape in shapes)


def _update_fits(view: View) -> bool:
    sizes, inner = view["X"].sizes, view["U"].sizes
    return all(u <= n for group in sizes for u, n in zip(inner[group], sizes[group], strict=True))


def _equal_elsewhere(view: View) -> bool:
    shapes = [{**operand.sizes, view.arguments["axis"]: ()} for operand in view.operands.values()]
    return all(shape == shapes[0] for shape in shapes)


def _parts_agree(view: View) -> bool:
    a, b = view.arguments["parts"]
    image, kernel = view["X"].sizes, view["W"].sizes
    batch = [n for group in image if group not in kernel for n in image[group]]
    output = [n for group in kernel if group not in image for n in kernel[group]]
    features = [(x, w) for f in view.arguments["feature"] for x, w in zip(image[f], kernel[f], strict=True)]
    divided = all(n % b == 0 for n in batch) and all(n % a == 0 and n % b == 0 for n in output)
    return divided and all(x == a * w for x, w in features)


VALID: dict[str, Callable[[View], bool]] = {
    "shapes equal; a scalar is spread": _shapes_equal,
    "B is not a group of X; m >= 0": lambda view: all(a["size"] >= 0 for a in view.every("")),
    "d is an `axis`; sizes >= 0": lambda view: all(a["size"] >= 0 for a in view.every("")),
    "0 <= start <= limit <= n, stride >= 1": lambda view: all(
        0 <= a["start"] <= a["limit"] <= a["n"] and a["stride"] >= 1 for a in view.every()
    ),
    "0 <= length <= n": lambda view: all(0 <= a["length"] <= a["n"] for a in view.every()),
    "same groups; size u of U: u <= n": _update_fits,
    "interior >= 0, result >= 0": lambda view: all(
        a["interior"] >= 0 and a["low"] + a["n"] + max(a["n"] - 1, 0) * a["interior"] + a["high"] >= 0
        for a in view.every()
    ),
    "d is an `axis`; same groups, sizes equal elsewhere": _equal_elsewhere,
    "": lambda view: True,
    "a group is renamed within its rank class, no two alike": lambda view: True,
    "D is a group of X with n = 1; E is not a group of X; `[D, E]` for several": lambda view: all(
        size == 1 for group in view.arguments["dropped"] for size in view["X"].sizes[group]
    ),
    "z is a scalar; without it, the identity": lambda view: True,
    "size >= 1, stride >= 1, base >= 1, window >= 1; z is a scalar; without it, the identity": lambda view: all(
        min(a["size"], a["stride"], a["base"], a["window"]) >= 1 for a in view.every()
    ),
    "N: all groups of X alone, O: of W alone, F and S: of both; stride, base, window, W's size on S, a, b >= 1; "
    "a = 1 or b = 1; n = a · (W's size) on F, b divides n on N, a and b divide O's; "
    "what a or b other than 1 cuts is an `axis`": lambda view: (
        _parts_agree(view)
        and all(min(a["size"], a["stride"], a["base"], a["window"]) >= 1 for _, _, a in _windows(view))
    ),
    "C and B are all groups of both, `[C, D]` for several, none by default; equal sizes on them": lambda view: all(
        view["X"].sizes[group] == view["Y"].sizes[group] for group in view["X"].sizes if group in view["Y"].sizes
    ),
}

# ------------------------------------------------------------------------------------------------------------- defined


def _all_defined(view: View, index: Index) -> bool:
    return all(operand(index) is not UNDEFINED for operand in view.operands.values())


def _finite(element: Any) -> bool:
    return element is not UNDEFINED and not isinstance(element, float)


def _all_finite(view: View, index: Index) -> bool:
    return all(_finite(operand(index)) for operand in view.operands.values())


def _chosen_by_predicate(view: View, index: Index) -> bool:
    predicate = view["P"](index)
    return predicate is not UNDEFINED and view["X" if predicate else "Y"](index) is not UNDEFINED


def _all_combined_defined(view: View, elements: list[Any]) -> bool:
    start = view.arguments["start"](view)
    if any(element is UNDEFINED for element in (*elements, start)):
        return False
    finite = view.arguments["monoid"] not in {"add", "multiply"} or all(map(_finite, elements))
    return finite and (_finite(start) or not elements or view.arguments["monoid"] not in {"add", "multiply"})


DEFINED: dict[str, Callable[[View, Index], bool] | None] = {
    "operands defined": _all_defined,
    "operands defined and finite": _all_finite,
    "operands defined and finite, Y[i] ≠ 0": lambda view, i: _all_finite(view, i) and view["Y"](i) != 0,
    "P[i] is defined and the operand chosen is defined": _chosen_by_predicate,
    "z and all X[i, c] are defined; what is added or multiplied is finite": lambda view, i: _all_combined_defined(
        view, list(_reduced(view, i))
    ),
    "z and all P[i · stride + k · window] are defined; what is added or multiplied is finite": lambda view, i: (
        _all_combined_defined(view, list(_in_window(view, i)))
    ),
    "all X[i, c] and Y[i, c] are defined and finite": lambda view, i: all(
        _finite(x) and _finite(y) for x, y in _pairs(view, i)
    ),
    "all that is multiplied is defined and finite": lambda view, i: all(
        _finite(x) and _finite(w) for x, w in _multiplied(view, i)
    ),
    "always": lambda view, i: True,
    "X is defined there": None,
    "the operand chosen is defined": None,
}
"""None: where the element read is, whatever the column "element" says it is."""

# ------------------------------------------------------------------------------------------------------------- element


def _padded(view: View, i: Index, value: Any, interior: Callable[[dict[str, int]], int]) -> Any:
    place: dict[str, tuple[int, ...]] = dict(i)
    for group in view.attributes:
        found = []
        for at, a in zip(i[group], view.along(group), strict=True):
            k = [k for k in range(a["n"]) if at == a["low"] + k * (interior(a) + 1)]
            if not k:
                return value
            found += k
        place[group] = tuple(found)
    return view["X"](place)


def _in_window(view: View, i: Index) -> Iterator[Any]:
    """P[i · stride + k · window] for all k."""
    z = view.arguments["start"](view)
    axes = [(group, number, a) for group in view.attributes for number, a in enumerate(view.along(group))]
    for ks in product(*(range(a["size"]) for _, _, a in axes)):
        place = {group: list(at) for group, at in i.items()}
        for k, (group, number, a) in zip(ks, axes, strict=True):
            place[group][number] = i[group][number] * a["stride"] + k * a["window"]
        yield _padded(view, {group: tuple(at) for group, at in place.items()}, z, lambda a: a["base"] - 1)


def _updated(view: View, i: Index) -> Any:
    place = {}
    for group, sizes in view["X"].sizes.items():
        starts = view.attributes.get(group, {}).get("start", (0,) * len(sizes))
        inner = view["U"].sizes[group]
        s = [min(max(start, 0), n - u) for start, n, u in zip(starts, sizes, inner, strict=True)]
        place[group] = tuple(at - start for at, start in zip(i[group], s, strict=True))
        if not all(0 <= at < u for at, u in zip(place[group], inner, strict=True)):
            return view["X"](i)
    return view["U"](place)


def _concatenated(view: View, i: Index) -> Any:
    axis = view.arguments["axis"]
    (at,) = i[axis]
    for operand in view.operands.values():
        (size,) = operand.sizes[axis]
        if at < size:
            return operand({**i, axis: (at,)})
        at -= size
    raise AssertionError


def _moved(view: View, i: Index, to: Callable[[int, dict[str, int]], int]) -> Any:
    """X at the index with the axes of groups with attributes moved."""
    place = {
        group: tuple(to(at, a) for at, a in zip(i[group], view.along(group), strict=True)) for group in view.attributes
    }
    return view["X"]({**i, **place})


def _reversed(view: View, i: Index) -> Any:
    sizes = view["X"].sizes
    place = {
        group: tuple(n - 1 - at for at, n in zip(i[group], sizes[group], strict=True))
        for group in view.arguments["reversed"]
    }
    return view["X"]({**i, **place})


def _transposed(view: View, i: Index) -> Any:
    names = view.arguments["renaming"]
    return view["X"]({group: i[names.get(group, group)] for group in view["X"].sizes})


def _without_units(view: View, i: Index) -> Any:
    dropped = view.arguments["dropped"]
    sizes = view["X"].sizes
    return view["X"]({group: (0,) * len(sizes[group]) if group in dropped else i[group] for group in sizes})


def _reduced(view: View, i: Index) -> Iterator[Any]:
    """X[i, c] for all c."""
    groups = view.arguments["reduced"]
    axes = [product(*map(range, view["X"].sizes[group])) for group in groups]
    for c in product(*axes):
        yield view["X"]({**i, **dict(zip(groups, c, strict=True))})


def _pairs(view: View, i: Index) -> Iterator[tuple[Any, Any]]:
    """X[i, c] and Y[i, c] for all c."""
    groups = view.arguments["contracted"]
    for c in product(*(product(*map(range, view["X"].sizes[group])) for group in groups)):
        place = {**i, **dict(zip(groups, c, strict=True))}
        yield view["X"](place), view["Y"](place)


def _multiplied(view: View, i: Index) -> Iterator[tuple[Any, Any]]:
    """P[j, f', i · stride + k · window] and W[o, f, k] for all f, k."""
    (a, b), features, kernel = view.arguments["parts"], view.arguments["feature"], view["W"].sizes
    output = {group: i[group] for group in kernel if group not in view["X"].sizes}
    batch = {group: i[group] for group in view["X"].sizes if group not in kernel}
    j, shift = dict(batch), 0
    if a > 1 or b > 1:
        (((o,), (size,)),) = ((at, kernel[group]) for group, at in output.items())
        if b > 1:
            ((group, (at,)),) = batch.items()
            j[group] = (at + o * b // size * (view["X"].sizes[group][0] // b),)
        else:
            shift = o * a // size * (view["X"].sizes[features[0]][0] // a)
    axes = list(_windows(view))
    for f in product(*(product(*map(range, kernel[group])) for group in features)):
        for k in product(*(range(at["size"]) for _, _, at in axes)):
            place: dict[str, list[int]] = {group: [] for group in view.attributes}
            within: dict[str, list[int]] = {group: [] for group in view.attributes}
            for step, (group, number, along) in zip(k, axes, strict=True):
                place[group].append(i[group][number] * along["stride"] + step * along["window"])
                turned = group in view.arguments["reversed"]
                within[group].append(along["size"] - 1 - step if turned else step)
            seen = {group: tuple(at + shift for at in part) for group, part in zip(features, f, strict=True)}
            image = {**j, **seen, **{group: tuple(at) for group, at in place.items()}}
            weights = {**output, **dict(zip(features, f, strict=True))}
            weight = view["W"]({**weights, **{group: tuple(at) for group, at in within.items()}})
            yield _padded(view, image, 0, lambda along: along["base"] - 1), weight


def _combined(view: View, elements: Iterator[Any]) -> Any:
    total = view.arguments["start"](view)
    for element in elements:
        total = MONOIDS[view.arguments["monoid"]](total, element)
    return total


MONOIDS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "multiply": lambda x, y: x * y,
    "maximum": max,
    "minimum": min,
    "and": lambda x, y: x and y,
    "or": lambda x, y: x or y,
}

IDENTITIES: dict[str, Any] = {
    "add": 0,
    "multiply": 1,
    "maximum": -math.inf,
    "minimum": math.inf,
    "and": True,
    "or": False,
}


def _truncated(number: Fraction) -> int:
    return math.floor(number) if number >= 0 else math.ceil(number)


def _quotient(x: Any, y: Any) -> Any:
    return Fraction(x) / y if isinstance(y, Fraction) else _truncated(Fraction(x, y))


def _of(view: View, i: Index, of: Callable[..., Any]) -> Any:
    return of(*(operand(i) for operand in view.operands.values()))


ELEMENT: dict[str, Callable[[View, Index], Any]] = {
    "X[i] + Y[i]": lambda view, i: _of(view, i, lambda x, y: x + y),
    "X[i] − Y[i]": lambda view, i: _of(view, i, lambda x, y: x - y),
    "X[i] · Y[i]": lambda view, i: _of(view, i, lambda x, y: x * y),
    "X[i] / Y[i]; truncated on integers": lambda view, i: _of(view, i, _quotient),
    "X[i] rem Y[i], with the sign of X[i]": lambda view, i: _of(
        view, i, lambda x, y: x - y * _truncated(Fraction(x) / y)
    ),
    "|X[i]|": lambda view, i: _of(view, i, lambda x: max(x, -x)),
    "the sign of X[i]: −1, 0 or 1": lambda view, i: _of(view, i, lambda x: (x > 0) - (x < 0)),
    "e to the power X[i]": lambda view, i: _of(view, i, lambda x: math.exp(x) if x else 1),
    "−X[i]": lambda view, i: _of(view, i, lambda x: -x),
    "the greater of X[i] and Y[i]": lambda view, i: _of(view, i, max),
    "the lesser of X[i] and Y[i]": lambda view, i: _of(view, i, min),
    "X[i] = Y[i]": lambda view, i: _of(view, i, lambda x, y: x == y),
    "X[i] ≠ Y[i]": lambda view, i: _of(view, i, lambda x, y: x != y),
    "X[i] < Y[i]": lambda view, i: _of(view, i, lambda x, y: x < y),
    "X[i] ≤ Y[i]": lambda view, i: _of(view, i, lambda x, y: x <= y),
    "X[i] > Y[i]": lambda view, i: _of(view, i, lambda x, y: x > y),
    "X[i] ≥ Y[i]": lambda view, i: _of(view, i, lambda x, y: x >= y),
    "X[i] ∧ Y[i]": lambda view, i: _of(view, i, lambda x, y: x and y),
    "X[i] ∨ Y[i]": lambda view, i: _of(view, i, lambda x, y: x or y),
    "¬X[i]": lambda view, i: _of(view, i, lambda x: not x),
    "P[i] ? X[i] : Y[i]": lambda view, i: view["X" if view["P"](i) else "Y"](i),
    "min(max(X[i], lo[i]), hi[i])": lambda view, i: min(max(view["X"](i), view["lo"](i)), view["hi"](i)),
    "X[i without B]": lambda view, i: view["X"](i),
    "elem(i_d)": lambda view, i: i["d"][0],
    "X[start + i · stride]": lambda view, i: _moved(view, i, lambda at, a: a["start"] + at * a["stride"]),
    "X[min(max(start, 0), n − length) + i]": lambda view, i: _moved(
        view, i, lambda at, a: min(max(a["start"], 0), a["n"] - a["length"]) + at
    ),
    "s <= i < s + u on every axis ? U[i − s] : X[i], with s = min(max(start, 0), n − u); start 0 if left out": _updated,
    "i = low + k · (interior + 1) with 0 <= k < n on every axis ? X[k] : v": lambda view, i: _padded(
        view, i, view["v"]({}), lambda a: a["interior"]
    ),
    "the operand that i_d falls into, i_d less the sizes before it": _concatenated,
    "X[n − 1 − i on A]": _reversed,
    "X[i by the old names]": _transposed,
    "X[i without E, 0 on D]": _without_units,
    "z combined with X[i, c] over all c": lambda view, i: _combined(view, _reduced(view, i)),
    "z combined with P[i · stride + k · window] over all 0 <= k < size, with P = pad(X, z, A: (low, high, base − 1))": (
        lambda view, i: _combined(view, _in_window(view, i))
    ),
    "the sum over all f, k of P[j, f', i · stride + k · window] · W[o, f, k], k from its end if reversal, with "
    "P = pad(X, 0, S: (low, high, base − 1)), j = i + ⌊o · b / O⌋ · (n / b) on N, "
    "f' = f + ⌊o · a / O⌋ · (n / a) on F": (lambda view, i: sum(x * w for x, w in _multiplied(view, i))),
    "the sum of X[i, c] · Y[i, c] over all c": lambda view, i: sum(x * y for x, y in _pairs(view, i)),
}
