"""What the operator table says of elements, made executable: when one is defined, and what it is.

Owns the readings of these texts by the text itself, as `operator_readings` does for shapes and validity. They are
written from the words alone and share nothing with the semantics that they judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from operator_readings import Index, View, regrouped, spatial_axes

from rewright.replay.elements import UNDEFINED


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


def _has_power(x: Any, y: Any) -> bool:
    if isinstance(x, int) and isinstance(y, int):
        return y >= 0
    return bool(x > 0 or (x == 0 and y >= 0) or (x < 0 and Fraction(y).denominator == 1))


DEFINED: dict[str, Callable[[View, Index], bool] | None] = {
    "operands defined": _all_defined,
    "operands defined and finite": _all_finite,
    "operands defined and finite, Y[i] ≠ 0": lambda view, i: _all_finite(view, i) and view["Y"](i) != 0,
    "operands defined and finite, X[i] > 0": lambda view, i: _all_finite(view, i) and view["X"](i) > 0,
    "operands defined and finite, X[i] > −1": lambda view, i: _all_finite(view, i) and view["X"](i) > -1,
    "operands defined and finite, X[i] >= 0": lambda view, i: _all_finite(view, i) and view["X"](i) >= 0,
    "operands defined and finite, over int: Y[i] >= 0; over real: X[i] > 0, or X[i] = 0 and Y[i] >= 0, or X[i] < 0 and "
    "Y[i] is whole": lambda view, i: _all_finite(view, i) and _has_power(view["X"](i), view["Y"](i)),
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


def _same_place(view: View, i: Index) -> Any:
    """Counts up to the index, and as far along the axes that go."""
    new = regrouped(view)
    before = list(_places(new.values())).index(tuple(i[group] for group in new))
    old = view.arguments["old"]
    place = list(_places(view["X"].sizes[group] for group in old))[before]
    kept = {group: i[group] for group in view["X"].sizes if group not in old}
    return view["X"]({**kept, **dict(zip(old, place, strict=True))})


def _places(sizes: Iterable[tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The indices of groups with these sizes, row-major."""
    return product(*(list(product(*map(range, each))) for each in sizes))


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
    axes = list(spatial_axes(view))
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


def _power(x: Any, y: Any) -> Any:
    whole = Fraction(y).denominator == 1
    return (x ** int(y) if y >= 0 else 1 / Fraction(x) ** int(-y)) if whole else math.pow(x, y)


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
    "e to the power X[i], less 1": lambda view, i: _of(view, i, math.expm1),
    "the natural logarithm of X[i]": lambda view, i: _of(view, i, math.log),
    "the natural logarithm of X[i] + 1": lambda view, i: _of(view, i, math.log1p),
    "the square root of X[i]": lambda view, i: _of(view, i, math.sqrt),
    "1 / sqrt(X[i])": lambda view, i: _of(view, i, lambda x: 1 / math.sqrt(x)),
    "1 / (1 + exp(−X[i]))": lambda view, i: _of(view, i, lambda x: 1 / (1 + math.exp(-x))),
    "the hyperbolic tangent of X[i]": lambda view, i: _of(view, i, math.tanh),
    "X[i] to the power Y[i], 1 if Y[i] = 0": lambda view, i: _of(view, i, _power),
    "the sine of X[i]": lambda view, i: _of(view, i, math.sin),
    "the cosine of X[i]": lambda view, i: _of(view, i, math.cos),
    "2 / sqrt(π) times the integral of exp(−t²) over 0 <= t <= X[i]": lambda view, i: _of(view, i, math.erf),
    "X[i] rounded down": lambda view, i: _of(view, i, math.floor),
    "X[i] rounded up": lambda view, i: _of(view, i, math.ceil),
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
    "X[i] ⊕ Y[i]": lambda view, i: _of(view, i, lambda x, y: (x or y) and not (x and y)),
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
    "X at the same place, row-major in the order listed": _same_place,
    "z combined with X[i, c] over all c": lambda view, i: _combined(view, _reduced(view, i)),
    "z combined with P[i · stride + k · window] over all 0 <= k < size, with P = pad(X, z, A: (low, high, base − 1))": (
        lambda view, i: _combined(view, _in_window(view, i))
    ),
    "the sum over all f, k of P[j, f', i · stride + k · window] · W[o, f, k], k from its end if reversal, with "
    "P = pad(X, 0, S: (low, high, base − 1)), j = i + ⌊o · b / O⌋ · (n / b) on N, "
    "f' = f + ⌊o · a / O⌋ · (n / a) on F": (lambda view, i: sum(x * w for x, w in _multiplied(view, i))),
    "the sum of X[i, c] · Y[i, c] over all c": lambda view, i: sum(x * y for x, y in _pairs(view, i)),
}
