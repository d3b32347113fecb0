"""Random refinements of graphs with opaque operators, right by construction, and the same with a fault.

Owns the texts: a tensor of rows goes through opaque kernels and known operators, held in rows or as copies, and the
functions that the opaque operators are, which satisfy the lemmas. Must not know how anything is decided.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

Array = Any

DECLARED = """operator norm(x: f32[t, d], w: f32[d]) -> f32[t, d]
operator act(x: f32[t, 2 * h]) -> f32[t, h]
operator flash(q: f32[h, s, d], k: f32[h, t, d], v: f32[h, t, d]) -> f32[h, s, d]
operator lin(x: f32[n], z: f32[n]) -> f32[n]
operator sym(x: f32[t, d], y: f32[t, d]) -> f32[t, d]
operator fused(x: f32[t, d], y: f32[t, d]) -> f32[t, d]
lemma norm_rows(x: f32[s, d], y: f32[t, d], w: f32[d]) {
  norm(concatenate(x, y, 0), w) => concatenate(norm(x, w), norm(y, w), 0)
}
lemma act_columns(a: f32[t, h], b: f32[t, g], c: f32[t, h], e: f32[t, g]) {
  act(concatenate(concatenate(a, b, 1), concatenate(c, e, 1), 1)) =>
    concatenate(act(concatenate(a, c, 1)), act(concatenate(b, e, 1)), 1)
}
lemma act_rows(x: f32[s, 2 * h], y: f32[t, 2 * h]) {
  act(concatenate(x, y, 0)) => concatenate(act(x), act(y), 0)
}
lemma flash_heads(
  q: f32[h, s, d], r: f32[g, s, d], k: f32[h, t, d], l: f32[g, t, d], v: f32[h, t, d], w: f32[g, t, d]
) {
  flash(concatenate(q, r, 0), concatenate(k, l, 0), concatenate(v, w, 0)) =>
    concatenate(flash(q, k, v), flash(r, l, w), 0)
}
lemma lin_sums(x: f32[n], y: f32[n], z: f32[n]) { lin(x + y, z) => lin(x, z) + lin(y, z) }
lemma sym_swapped(x: f32[t, d], y: f32[t, d]) { sym(x, y) <=> sym(y, x) }
lemma sym_rows(x: f32[s, d], y: f32[t, d], u: f32[s, d], v: f32[t, d]) {
  sym(concatenate(x, y, 0), concatenate(u, v, 0)) => concatenate(sym(x, u), sym(y, v), 0)
}
lemma fused_is(x: f32[t, d], y: f32[t, d]) { fused(x, y) => sym(x, y) * exp(x - y) + x }
"""
LEMMAS = "norm_rows, act_columns, act_rows, flash_heads, lin_sums, sym_swapped, sym_rows, fused_is"


def _norm(x: Array, w: Array) -> Array:
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1) * w + np.cumsum(x, axis=1)


def _act(x: Array) -> Array:
    gate, up = np.split(x, 2, axis=1)
    return gate / (1 + np.exp(-gate)) * up


def _flash(q: Array, k: Array, v: Array) -> Array:
    scores = np.einsum("hsd,htd->hst", q, k)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    return np.einsum("hst,htd->hsd", weights / weights.sum(axis=2, keepdims=True), v)


def _sym(x: Array, y: Array) -> Array:
    return np.tanh(x * y) + np.cumsum(x + y, axis=1)


FUNCTIONS: Mapping[str, Callable[..., Array]] = MappingProxyType(
    {
        "norm": _norm,
        "act": _act,
        "flash": _flash,
        "lin": lambda x, z: np.cumsum(x * (1 + z * z)) - 2 * x,
        "sym": _sym,
        "fused": lambda x, y: _sym(x, y) * np.exp(x - y) + x,
    }
)
"""A function for each operator, which satisfies the lemmas."""

FAULTS = ("none", "operand", "scale", "slice", "reduction", "rank")


@dataclass(frozen=True)
class OpaqueRefinement:
    """A refinement as text, and whether something in it is wrong on purpose."""

    text: str
    ranks: int
    has_fault: bool


@dataclass
class _Drawing:
    rng: random.Random
    ranks: int
    fault_at: int
    inputs: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    sequential: list[str] = field(default_factory=list)
    distributed: list[str] = field(default_factory=list)
    at: int = 0
    faulty: bool = False

    def input(self, shape: str, local: str | None = None, placed: str = "replicate") -> str:
        name = f"i{len(self.inputs)}"
        self.inputs[name] = shape, local or shape, placed
        return name

    def step(self, sequential: str, distributed: str, wrong: str | None = None) -> None:
        """One tensor more; of a step at which a fault is due what is wrong is taken."""
        if wrong is not None and self.at >= self.fault_at and not self.faulty:
            self.faulty, distributed = True, wrong
        self.at += 1
        self.sequential.append(f"h{self.at} = {sequential}")
        self.distributed.append(f"h{self.at} = {distributed}")

    @property
    def h(self) -> str:
        return f"h{self.at}"


def opaque_refinement(seed: int | str, *, faulty: bool) -> OpaqueRefinement:
    """A refinement; the same seed gives the same."""
    rng = random.Random(f"opaque {seed}")
    ranks = rng.choice((1, 2, 2, 3, 4))
    count = rng.randint(2, 5)
    drawing = _Drawing(rng, ranks, rng.randrange(count) if faulty else 99)
    in_rows = rng.random() < 0.5
    x = drawing.input("t, d", "t / sp, d" if in_rows else None, "shard(0, sp)" if in_rows else "replicate")
    drawing.step(f"{x} + 0", f"{x} + 0")
    for _ in range(count):
        in_rows = _step(drawing, in_rows)
    results = [drawing.h]
    if rng.random() < 0.4:
        _heads(drawing)
        results.append(drawing.h)
    if rng.random() < 0.4:
        _sum(drawing)
        results.append(drawing.h)
    inputs = drawing.inputs.items()
    whole = ", ".join(f"{name}: f32[{shape}]" for name, (shape, _, _) in inputs)
    parts = ", ".join(f"{name}: f32[{local}]" for name, (_, local, _) in inputs)
    placed = "; ".join(f"{name}: {how}" for name, (_, _, how) in inputs)
    names = ", ".join(results)
    text = f"""{DECLARED}
graph whole({whole}) -> {names} {{ {"; ".join(drawing.sequential)} }}
graph parts({parts}) -> {names} on mesh(sp = {ranks}) {{ {"; ".join(drawing.distributed)} }}
refine parts of whole {{ {placed}; using {LEMMAS} }}
"""
    return OpaqueRefinement(text, ranks, drawing.faulty)


def _step(drawing: _Drawing, in_rows: bool) -> bool:
    """One more step on the tensor of rows; whether it is held in rows afterwards."""
    rng, h, rows = drawing.rng, drawing.h, "t / sp" if in_rows else "t"
    kinds = ["norm", "dense", "soft", "sym", "fused", "act", "move", "halves", "empty"]
    match rng.choice(kinds if in_rows else [*kinds, "mlp"]):
        case "norm":
            w, other = drawing.input("d"), drawing.input("d")
            drawing.step(f"norm({h}, {w})", f"norm({h}, {w})", f"norm({h}, {other})")
        case "dense":
            a = drawing.input("d, d")
            drawing.step(f"{h} @ {a}", f"{h} @ {a}", f"2 * ({h} @ {a})")
        case "soft":
            formula = f"exp({h}) / broadcast(reduce(add, exp({h}), 1), d: d)"
            drawing.step(formula, formula, f"exp({h}) / broadcast(reduce(max, exp({h}), 1), d: d)")
        case "sym":
            a = drawing.input("d, d")
            drawing.step(f"sym({h}, {h} @ {a})", f"sym({h} @ {a}, {h})", f"sym({h} @ {a}, {h} @ {a})")
        case "fused":
            a = drawing.input("d, d")
            plain = f"sym({h}, {h} @ {a}) * exp({h} - {h} @ {a}) + {h}"
            drawing.step(f"fused({h}, {h} @ {a})", plain, f"fused({h} @ {a}, {h})")
        case "act":
            u, v = drawing.input("d, d"), drawing.input("d, d")
            both = f"act(concatenate({h} @ {u}, {h} @ {v}, 1))"
            drawing.step(both, both, f"act(concatenate({h} @ {v}, {h} @ {u}, 1))")
        case "halves":
            w = drawing.input("d")
            rest = f"{rows} / 2"
            ends = f"slice({h}, 0, 0, {rest})", f"slice({h}, 0, {rest}, {rows})"
            cut = [f"norm({each}, {w})" for each in ends]
            wrong = f"concatenate({cut[1]}, {cut[0]}, 0)"
            drawing.step(f"norm({h}, {w})", f"concatenate({cut[0]}, {cut[1]}, 0)", wrong)
        case "empty":
            w = drawing.input("d")
            nothing = f"concatenate(slice({h}, 0, 0, 0), {h}, 0)"
            drawing.step(f"norm({h}, {w})", f"norm({nothing}, {w})")
        case "move" if in_rows:
            drawing.step(f"{h} + 0", f"all_gather({h}, 0, over = sp)")
            return False
        case "move":
            own = f"slice({h}, 0, rank(sp) * t / sp, (rank(sp) + 1) * t / sp)"
            wrong = f"slice({h}, 0, ({drawing.ranks - 1} - rank(sp)) * t / sp, ({drawing.ranks} - rank(sp)) * t / sp)"
            drawing.step(f"{h} + 0", own, wrong if drawing.ranks > 1 else None)
            return True
        case _:
            u, v = (drawing.input("d, h", "d, h / sp", "shard(1, sp)") for _ in range(2))
            b = drawing.input("h, d", "h / sp, d", "shard(0, sp)")
            formula = f"act(concatenate({h} @ {u}, {h} @ {v}, 1)) @ {b}"
            drawing.step(formula, f"all_reduce(add, {formula}, over = sp)", f"({formula}) + 0")
    return in_rows


def _heads(drawing: _Drawing) -> None:
    q, k, v = (drawing.input(f"n, {rows}, e", f"n / sp, {rows}, e", "shard(0, sp)") for rows in ("s", "r", "r"))
    drawing.step(f"tanh(flash({q}, {k}, {v}))", f"tanh(flash({q}, {k}, {v}))", f"tanh(flash({q}, {v}, {k}))")


def _sum(drawing: _Drawing) -> None:
    x, z = drawing.input("m, k", "m, k / sp", "shard(1, sp)"), drawing.input("m")
    formula = f"lin(reduce(add, {x}, 1), {z})"
    drawing.step(formula, f"all_reduce(add, {formula}, over = sp)", f"all_reduce(add, {formula}, over = sp) * 2")
