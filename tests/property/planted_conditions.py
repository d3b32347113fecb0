"""Random tiny kernels that are right exactly under a condition which is known, and what small sizes say of it.

What a kernel accesses is said twice: in its text, and in Python, which looks at every access. A condition that is found
is read as Python reads it. No code is shared with what finds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random

Sizes = Mapping[str, int]
Contents = Mapping[str, tuple[int, ...]]
SMALL = 13
"""Sizes are looked at from 1 up to this."""

_CONTENTS = 40
"""Random contents for each choice of sizes."""


@dataclass(frozen=True)
class Planted:
    """A kernel: its text, the names of its free sizes, its index array with that array's size, and what it accesses.

    `inside` says of sizes and contents whether every access is inside its array; `large` are sizes where it is.
    """

    text: str
    names: tuple[str, ...]
    table: str | None
    inside: Callable[[Sizes, Contents], bool]
    large: Sizes


def planted(random: Random) -> Planted:
    """A random kernel with a condition."""
    return random.choice([_divisible, _ordered, _at_least, _scaled, _ranged, _beyond])(random)


def _divisible(random: Random) -> Planted:
    unit, block = random.choice([2, 3, 4, 8]), random.choice([8, 16, 32])
    text = f"""kernel k<K>(y: out f32[K]) {{
  launch block({block})
  for i in thread.x..(K + {unit - 1}) / {unit} step {block} {{ y[{unit} * i + {unit - 1}] = 1.0 }}
}}
"""

    def inside(sizes: Sizes, _: Contents) -> bool:
        rows = -(-sizes["K"] // unit)
        return all(unit * row + unit - 1 < sizes["K"] for row in range(rows))

    return Planted(text, ("K",), None, inside, {"K": 1024 * unit})


def _ordered(random: Random) -> Planted:
    block, more = random.choice([8, 32]), random.choice([0, 1])
    text = f"""kernel k<M, N>(x: in f32[M], y: out f32[N]) {{
  launch block({block})
  for i in thread.x..M step {block} {{ y[i + {more}] = x[i] }}
}}
"""

    def inside(sizes: Sizes, _: Contents) -> bool:
        return all(i + more < sizes["N"] for i in range(sizes["M"]))

    return Planted(text, ("M", "N"), None, inside, {"M": 1024, "N": 1024 + more})


def _at_least(random: Random) -> Planted:
    least = random.randint(2, 8)
    text = f"kernel k<N>(y: out f32[N]) {{ launch block(8); if thread.x == 0 {{ y[{least - 1}] = 1.0 }} }}\n"
    return Planted(text, ("N",), None, lambda sizes, _: least - 1 < sizes["N"], {"N": 1024})


def _scaled(random: Random) -> Planted:
    block = random.choice([8, 16])
    text = f"""kernel k<A, B, C>(y: out f32[C]) {{
  launch block({block})
  for i in thread.x..A * B step {block} {{ y[i] = 1.0 }}
}}
"""

    def inside(sizes: Sizes, _: Contents) -> bool:
        return all(i < sizes["C"] for i in range(sizes["A"] * sizes["B"]))

    return Planted(text, ("A", "B", "C"), None, inside, {"A": 32, "B": 32, "C": 1024})


def _ranged(random: Random) -> Planted:
    block = random.choice([8, 32])
    text = f"""kernel k<N, V>(t: in s32[N], x: in f32[V], y: out f32[N]) {{
  launch block({block})
  for i in thread.x..N step {block} {{ y[i] = x[t[i]] }}
}}
"""

    def inside(sizes: Sizes, held: Contents) -> bool:
        return all(0 <= each < sizes["V"] for each in held["t"])

    return Planted(text, ("N", "V"), "N", inside, {"N": 1024, "V": 1024})


def _beyond(random: Random) -> Planted:
    text = """kernel k<N, V>(t: in s32[N], x: in f32[V], y: out f32[N]) {
  launch block(16)
  for i in thread.x..N step 16 {
    var sum = 0.0
    for j in 0..t[i] { sum += x[j] }
    y[i] = sum
  }
}
"""

    def inside(sizes: Sizes, held: Contents) -> bool:
        return all(j < sizes["V"] for each in held["t"] for j in range(each))

    return Planted(text, ("N", "V"), "N", inside, {"N": 1024, "V": 1024})


# ----------------------------------------------------------------------------------------------------------- what holds


def inputs(kernel: Planted, random: Random) -> Iterator[tuple[Sizes, Contents]]:
    """All small sizes, with random contents."""
    most = SMALL if len(kernel.names) < 3 else 7
    for values in product(range(1, most + 1), repeat=len(kernel.names)):
        sizes = dict(zip(kernel.names, values, strict=True))
        if kernel.table is None:
            yield sizes, {}
            continue
        for spread in range(_CONTENTS if max(values) <= 6 else 2):
            yield sizes, {"t": tuple(random.randint(-(spread % 3), 2 + spread % 9) for _ in range(sizes[kernel.table]))}


_FORALL = re.compile(r"forall (\w+) in 0\.\.(\w+): (.*)")


def holds(condition: str, sizes: Sizes, contents: Contents) -> bool:
    """Whether a condition holds, as it is written."""
    match = _FORALL.fullmatch(condition)
    if match is None:
        return bool(eval(condition, {"__builtins__": {}}, dict(sizes)))
    index, size, body = match.groups()
    scope = {**sizes, **contents}
    return all(eval(body, {"__builtins__": {}}, {**scope, index: each}) for each in range(sizes[size]))
