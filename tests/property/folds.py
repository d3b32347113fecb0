"""Rules whose truth hangs on the rank: tests on all axes, quantifiers, reads at many places, ties between tensors.

Owns the drawing of such rules as text. Most are false at some rank; where the least such rank lies varies.
"""

from __future__ import annotations

import random
from collections.abc import Callable

HEAD = (
    "axes A, B\nmap n, s, t, u on A\nmap m, v on B\nint k\n"
    "tensor X: T[A: n]\ntensor Y: T[A: n]\ntensor Z: T[A: n, B: m]\n"
)
BOX = ("1, A: (1, 1, 0)", "2, A: (1, 0, 0)", "2, A: (0, 1, 0)", "2, A: (0, 0, 1)", "3, A: (0, 0, 0)", "1, A: (2, 0, 0)")
INDICES = ("0 <= s, s <= 1", "0 <= t, t <= 1", "0 <= u, u <= 1")
ON_A = ("n == 1", "n == 2", "n <= s", "s == 0", "t < s", "n != 2", "s == k")
ON_B = ("m == 1", "m == v", "m != 1", "v < k")


def drawn(rng: random.Random) -> str:
    """The items of a rule."""
    return rng.choice((boxes, places, turned, tied))(rng)


def condition(rng: random.Random, depth: int = 2) -> str:
    """A precondition of any form."""
    if depth == 0:
        return rng.choice((*ON_A, *ON_B, "k == 1", "k <= 0"))
    inner: Callable[[], str] = lambda: condition(rng, depth - 1)  # noqa: E731
    match rng.randrange(6):
        case 0:
            return f"({inner()}) and ({inner()})"
        case 1:
            return f"({inner()}) or ({inner()})"
        case 2:
            return f"not ({inner()})"
        case _:
            return quantified(rng, depth)


def quantified(rng: random.Random, depth: int) -> str:
    """A quantifier; others may stand inside it."""
    name, atoms = rng.choice((("A", ON_A), ("B", ON_B)))
    parts = [rng.choice(atoms)]
    if rng.random() < 0.3:
        parts.append(rng.choice(atoms))
    if depth > 1 and rng.random() < 0.4:
        parts.append(f"({quantified(rng, depth - 1)})")
    return f"({rng.choice(('some', 'every'))} {name}: " + rng.choice((" and ", " or ")).join(parts) + ")"


def conditions(rng: random.Random, most: int) -> list[str]:
    return [condition(rng) for _ in range(rng.randint(0, most))]


def rule(sides: str, where: list[str], assumptions: list[str] | None = None) -> str:
    given = f"\nwhere {', '.join(where)}" if where else ""
    return "\n".join([f"{HEAD}{sides}{given}", *(assumptions or [])])


def boxes(rng: random.Random) -> str:
    """A Boolean combination of tests on all axes, against a constant or another."""
    return rule(
        f"{combination(rng, 3)} => {rng.choice((combination(rng, 2), 'broadcast(true, A: 3)'))}", conditions(rng, 1)
    )


def combination(rng: random.Random, size: int) -> str:
    if size == 1:
        inside, outside = rng.choice((("false", "true"), ("true", "false")))
        sizes, paddings = rng.choice(BOX).split(", ", 1)
        return f"pad(broadcast({inside}, A: {sizes}), {outside}, {paddings})"
    left = rng.randint(1, size - 1)
    joined = f"({combination(rng, left)} {rng.choice(('and', 'or'))} {combination(rng, size - left)})"
    return f"(not {joined})" if rng.random() < 0.2 else joined


def places(rng: random.Random) -> str:
    """Of several entries of a tensor some are equal, or are not."""
    entries = ["slice(X, 0, 1)", "slice(X, 1, 2)", *(f"slice(X, {name}, {name} + 1)" for name in "stu")]
    chosen = rng.sample(entries, rng.randint(2, 5))
    pairs = [f"({a} == {b})" for i, a in enumerate(chosen) for b in chosen[:i]]
    kept = rng.sample(pairs, rng.randint(1, len(pairs)))
    return rule(f"{' or '.join(kept)} => broadcast(true, A: 1)", ["n == 2", *INDICES, *conditions(rng, 1)])


def turned(rng: random.Random) -> str:
    """A tensor turned round on one class or both, where sizes make that the same or not."""
    groups = rng.choice(("A", "B", "[A, B]"))
    where = [f"(some A: {rng.choice(ON_A)})", *conditions(rng, 2)]
    return rule(f"reverse(Z, {groups}) => {rng.choice(('Z', 'reverse(Z, B)', 'reverse(Z, A)'))}", where)


def tied(rng: random.Random) -> str:
    """Tensors of which an assumption speaks, read at other places."""
    tie = rng.choice(("X[i] == Y[i]", "X[i] <= Y[i]", "X[i] == 0 or Y[i] == 0"))
    assumptions = [f"assume forall i on A: {tie}"]
    if rng.random() < 0.4:
        assumptions.append("assume forall i on A: forall j on B: X[i] <= Z[i, j]")
    sides = (
        "max(X, Y) => Y",
        "X => reverse(Y, A)",
        "max(X, reverse(Y, A)) => reverse(Y, A)",
        "X * Y => X * X",
        "max(broadcast(X, B: m), Z) => Z",
        "max(broadcast(reverse(X, A), B: m), Z) => Z",
    )
    return rule(rng.choice(sides), conditions(rng, 2), assumptions)
