"""Random graphs of products, exponentials and sums along a sharded axis, with what the ranks compute in another order.

Owns texts in which each step of the sequential graph has a right counterpart on the ranks: a factor that leaves a sum,
a maximum of the rank's own part, a product in another order. Inputs are above 0, so that logarithms have values.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from rewright.model.file import check_file
from rewright.model.graph import Refinement
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text


@dataclass
class Texts:
    """The statements of both graphs; `wide` tensors are `[a, b]`, sharded along `b`, `narrow` ones `[a]`."""

    rng: random.Random
    sequential: list[str] = field(default_factory=list)
    distributed: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=lambda: ["x", "y"])
    narrow: list[str] = field(default_factory=lambda: ["u"])

    def say(self, names: list[str], sequential: str, distributed: str | None = None) -> None:
        name = f"t{len(self.sequential)}"
        self.sequential.append(f"  {name} = {sequential}")
        self.distributed.append(f"  {name} = {(distributed or sequential).replace('j: b)', 'j: b/tp)')}")
        names.append(name)

    def step(self) -> None:
        one, other = self.rng.choice(self.wide), self.rng.choice(self.wide)
        row, column = self.rng.choice(self.narrow), self.rng.choice(self.narrow)
        wide = f"broadcast({row}, j: b)"
        match self.rng.randrange(16):
            case 0:
                self.say(self.wide, f"{one} * {other}", f"{other} * {one}")
            case 1:
                self.say(self.wide, f"{one} / {wide}", f"{one} * (1 / {wide})")
            case 2:
                self.say(self.wide, f"exp({one} / 4 - {wide})", f"exp({one} / 4) / exp({wide})")
            case 3:
                self.say(self.narrow, f"reduce(add, {one}, 1)", f"all_reduce(add, reduce(add, {one}, 1), over = tp)")
            case 4:
                inner = f"reduce(add, {one} * broadcast({row}, j: b/tp), 1)"
                self.say(self.narrow, f"{row} * reduce(add, {one}, 1)", f"all_reduce(add, {inner}, over = tp)")
            case 5:
                self.say(self.narrow, f"reduce(max, {one}, 1)", f"all_reduce(max, reduce(max, {one}, 1), over = tp)")
            case 6:
                self.say(self.narrow, f"log(reduce(add, exp({one}), 1))", self.by_parts(one))
            case 7:
                self.say(self.narrow, f"sqrt({row}) * rsqrt({column})", f"1 / sqrt({column}) * sqrt({row})")
            case 8:
                self.say(self.wide, f"({one} + {other}) * {wide}", f"{one} * {wide} + {wide} * {other}")
            case 9:
                self.say(self.narrow, f"log({row}) + {column}", f"log({row} * exp({column}))")
            case 10:
                self.say(self.wide, f"power({one}, 2) - {other} * {one}", f"({one} - {other}) * {one}")
            case 11:
                self.say(self.wide, *self.masked(one, "-9"))
            case 12:
                self.say(self.wide, *self.masked(one, self.rng.choice(("0", other))))
            case 13:
                mean = f"all_reduce(add, reduce(add, {one}, 1) / (b / tp), over = tp) / tp"
                self.say(self.narrow, f"reduce(add, {one}, 1) / b", mean)
            case 14:
                mean = f"all_reduce(add, reduce(add, {one} * 0 + {wide}, 1), over = tp)"
                self.say(self.narrow, f"{row} * b", mean)
            case _:
                combined = f"reduce(add, ({one} * broadcast({row}, j: b/tp)) @ w, 1)"
                self.say(self.narrow, f"{row} * reduce(add, {one} @ w, 1)", f"all_reduce(add, {combined}, over = tp)")

    def masked(self, one: str, otherwise: str) -> tuple[str, str]:
        """A tensor where columns are not beyond rows, or less than two rows apart, another one elsewhere."""
        by = self.rng.choice(("0", "1", "b / 2"))
        condition = "iota(i, i: a, j: b) + {by} >= iota(j, i: a, j: b)"
        own = "iota(i, i: a, j: b/tp) + {by} >= iota(j, i: a, j: b/tp) + rank(tp) * b / tp"
        if self.rng.random() < 0.5:
            condition, own = f"{condition} and {one} > 1/2", f"{one} * 2 > 1 and {own}"
        return f"select({condition}, {one}, {otherwise})".format(by=by), f"select({own}, {one}, {otherwise})".format(
            by=by
        )

    def by_parts(self, one: str) -> str:
        """The logarithm of a sum of exponentials, each rank with its own maximum."""
        own = f"reduce(max, {one}, 1)"
        part = f"reduce(add, exp({one} - broadcast({own}, j: b/tp)), 1)"
        return f"log(all_reduce(add, exp({own} + log({part})), over = tp))"


def softmaxes(seed: int | str) -> Refinement:
    """A refinement that holds wherever both graphs have values."""
    made = Texts(random.Random(seed))
    for _ in range(made.rng.randint(3, 9)):
        made.step()
    result = f"t{len(made.sequential) - 1}"
    placed = "shard(1, tp)" if result in made.wide else "replicate"
    text = "\n".join(
        (
            f"graph whole(x: f32[a, b], y: f32[a, b], u: f32[a], w: f32[b, c]) -> {result} {{",
            *made.sequential,
            "}",
            f"graph parts(x: f32[a, b/tp], y: f32[a, b/tp], u: f32[a], w: f32[b/tp, c]) -> {result} on mesh(tp = 2) {{",
            *made.distributed,
            "}",
            "refine parts of whole {",
            f"  x: shard(1, tp)\n  y: shard(1, tp)\n  w: shard(0, tp)\n  expect {result}: {placed}",
            "}",
        )
    )
    (*_, last) = check_file(parse(Text.of("softmaxes.rw", text)), lambda path: None).declarations
    assert isinstance(last.value, Refinement), text
    return last.value
