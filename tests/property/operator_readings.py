"""What the operator table says, made executable: for each text of a column, what it means on one instance.

Owns the readings of shapes and of validity by the text itself, so that a row that says something else has none; those
of elements are in `operator_elements`. They are written from the words alone, on sizes and functions of an index, and
share nothing with the semantics that they judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

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


def elements_along(view: View) -> int:
    """The number of elements along the axes that a bitcast takes away."""
    return math.prod(size for group in view.arguments["old"] for size in view["X"].sizes[group])


def regrouped(view: View) -> Sizes:
    """The axes that a bitcast brings, with their sizes."""
    known = view.attributes
    return {
        group: known[group]["size"] if group in known else (elements_along(view),) for group in view.arguments["new"]
    }


def _bitcast(view: View) -> Sizes:
    kept = {group: sizes for group, sizes in view["X"].sizes.items() if group not in view.arguments["old"]}
    return {**kept, **regrouped(view)}


def _as_many(view: View) -> bool:
    sizes = [size for each in regrouped(view).values() for size in each]
    return min(sizes, default=0) >= 0 and math.prod(sizes) == elements_along(view)


def _without_reduced(view: View) -> Sizes:
    return {group: sizes for group, sizes in view["X"].sizes.items() if group not in view.arguments["reduced"]}


_P_AND_D = "with p = low + n + max(n − 1, 0) · (base − 1) + high and d = (size − 1) · window + 1"


def _positions(a: dict[str, int]) -> int:
    p = a["low"] + a["n"] + max(a["n"] - 1, 0) * (a["base"] - 1) + a["high"]
    d = (a["size"] - 1) * a["window"] + 1
    return 0 if p == 0 or d > p else math.floor(Fraction(p - d, a["stride"])) + 1


def spatial_axes(view: View) -> Iterator[tuple[str, int, dict[str, int]]]:
    """The spatial axes of a convolution with their attributes, and as size that of W."""
    for group in view.attributes:
        for number, a in enumerate(view.along(group)):
            yield group, number, {**a, "size": view["W"].sizes[group][number]}


def _convolved(view: View) -> Sizes:
    _, b = view.arguments["parts"]
    batch = {group: n for group, n in view["X"].sizes.items() if group not in view["W"].sizes}
    output = {group: n for group, n in view["W"].sizes.items() if group not in view["X"].sizes}
    spatial: dict[str, list[int]] = {group: [] for group in view.attributes}
    for group, _, a in spatial_axes(view):
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
    "X's without A, b, and C of sizes p, d of size q; of an `axis` d alone, that is the number of elements": _bitcast,
    "X's without C; `[C, D]` for several": _without_reduced,
    "X's without C, and Y's other groups": _without_contracted,
    "n / b on N, O's sizes, and on S as for `reduce_window` with the sizes of W": _convolved,
    f"{_P_AND_D}: 0 on A if p = 0 or d > p, else ⌊(p − d) / stride⌋ + 1": lambda view: view.result(_positions),
}

# --------------------------------------------------------------------------------------------------------------- valid


def always(view: View) -> bool:
    """What makes such a call wrong is known before there is an instance."""
    return True


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
    "": always,
    "a group is renamed within its rank class, no two alike": always,
    "D is a group of X with n = 1; E is not a group of X; `[D, E]` for several": lambda view: all(
        size == 1 for group in view.arguments["dropped"] for size in view["X"].sizes[group]
    ),
    "A, b are groups of X, C, d new or these; p, q >= 0, together as many elements as along A and b": _as_many,
    "z is a scalar; without it, the identity": always,
    "size >= 1, stride >= 1, base >= 1, window >= 1; z is a scalar; without it, the identity": lambda view: all(
        min(a["size"], a["stride"], a["base"], a["window"]) >= 1 for a in view.every()
    ),
    "N: all groups of X alone, O: of W alone, F and S: of both; stride, base, window, W's size on S, a, b >= 1; "
    "a = 1 or b = 1; n = a · (W's size) on F, b divides n on N, a and b divide O's; "
    "what a or b other than 1 cuts is an `axis`": lambda view: (
        _parts_agree(view)
        and all(min(a["size"], a["stride"], a["base"], a["window"]) >= 1 for _, _, a in spatial_axes(view))
    ),
    "C and B are all groups of both, `[C, D]` for several, none by default; equal sizes on them": lambda view: all(
        view["X"].sizes[group] == view["Y"].sizes[group] for group in view["X"].sizes if group in view["Y"].sizes
    ),
}
