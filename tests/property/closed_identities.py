"""Random rules about sums and products in closed form, each with a false twin.

Owns what is summed and how it is mixed with other operators: shifts, strides, pads, masks, factors free of the index.
The right sides are sympy's sums, so they share nothing with what is compared.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import sympy
from function_identities import rule_of

from rewright.model.rule import Rule

DECLARED = """axes A
axis k
map a on A
int n, s, m, p, l, h, t
scalar c, r: T
tensor X, Y: T[A: a]
"""
SCALARS = ("c", "r")
NUMBERS = {name: sympy.Symbol(name) for name in ("n", "s", "m", "p", "l", "h", "t", *SCALARS)}
K, J = sympy.symbols("k j")
CONTEXTS = ("{}", "{}", "X * ({})", "Y + abs({})", "exp({})")


@dataclass(frozen=True)
class Pair:
    """An identity, and the same with a false right side."""

    true: Rule
    twin: Rule


@dataclass(frozen=True)
class Identity:
    """A left side, the right one, one that differs from it, and what has to hold."""

    left: str
    right: str
    wrong: str
    where: str = "n >= 0"


def pairs(seed: int, count: int) -> Iterator[Pair]:
    """`count` identities with their twins."""
    for place in range(count):
        rng = random.Random(f"closed {seed} {place}")
        identity, context = rng.choice(FAMILIES)(rng), rng.choice(CONTEXTS)
        left = context.format(identity.left)
        true, twin = (f"{left} => {context.format(side)}" for side in (identity.right, identity.wrong))
        yield Pair(*(rule_of(f"{DECLARED}{sides}\nwhere {identity.where}") for sides in (true, twin)))


def _polynomials(rng: random.Random) -> Identity:
    """Σ f over all indices, over those of a slice, with a padding, below a bound, in reverse, or with factors."""
    term = _polynomial(rng, rng.randint(1, 4))
    n, s, m, p, low, high, t, c, r = (NUMBERS[name] for name in ("n", "s", "m", "p", "l", "h", "t", "c", "r"))
    body, plain = _written(term, "n"), _sum(term, n)
    match rng.randrange(6):
        case 0:
            return _twin(rng, body, plain, (1, n, n * (n - 1)))
        case 1:
            reached = sympy.expand(term.subs(K, s + p * K))
            sliced = _twin(rng, f"slice({body}, s, s + m * p, p)", _sum(reached, m), (1, m, s))
            return replace(sliced, where="p >= 1, m >= 0")
        case 2:
            padded = f"pad({body}, c, low = l, high = h)"
            found = _twin(rng, padded, plain + c * (low + high), (c, c * low, 1))
            return replace(found, where="l >= 0, h >= 0")
        case 3:
            other = _polynomial(rng, rng.randint(0, 2))
            masked = f"select(iota(T, k, k: n) < elem(t), {body}, {_written(other, 'n')})"
            found = _twin(rng, masked, _sum(term, t) + _sum(other, n) - _sum(other, t), (1, t, n - t))
            return replace(found, where="0 <= t, t <= n")
        case 4:
            return _twin(rng, f"reverse({body}, k)", plain, (1, n))
        case _:
            return _twin(rng, f"{body} * c + r", c * plain + n * r, (r, c))


def _polynomial(rng: random.Random, degree: int) -> sympy.Expr:
    lesser = sum(rng.randint(-2, 2) * K**power for power in range(degree))
    return sympy.expand(rng.choice([1, 2, -1]) * K**degree + lesser)


def _sum(term: sympy.Expr, count: sympy.Expr) -> sympy.Expr:
    """Of the terms at k = 0, …, count − 1."""
    return sympy.expand(sympy.summation(term, (K, 0, J - 1)).subs(J, count))


def _twin(rng: random.Random, body: str, right: sympy.Expr, by: Sequence[sympy.Expr | int]) -> Identity:
    wrong = right + rng.choice([1, -1]) * rng.choice(by)
    return Identity(f"reduce(add, {body}, k)", *(_written(sympy.expand(side)) for side in (right, wrong)))


def _geometric(rng: random.Random) -> Identity:
    """Σ kᵖ·bᵏ, for a base that is known not to be 1. The twin forgets that, or has a power too many."""
    base = rng.choice(["r", "r", "2", "(-1)", "3", "(-r)"])
    known = {"r": ", r != 1", "(-r)": ", r != -1"}.get(base, "")
    power, form = rng.choice(SUMS_BESIDE_A_BASE)
    body = " * ".join([*["iota(T, k, k: n)"] * power, f"power(broadcast({base}, k: n), iota(T, k, k: n))"])
    left = f"reduce(add, {body}, k)"
    right, wrong = (form.format(b=base, w=f"power({base}, elem({size}))") for size in ("n", "n + 1"))
    return Identity(left, right, wrong, f"n >= 0{known}")


SUMS_BESIDE_A_BASE = (
    (0, "({w} - 1) / ({b} - 1)"),
    (0, "({w} - 1) / ({b} - 1)"),
    (1, "({b} - elem(n) * {w} + elem(n - 1) * {w} * {b}) / (({b} - 1) * ({b} - 1))"),
    (
        2,
        "({b} + {b} * {b} - elem(n * n) * {w} + elem(2 * n * n - 2 * n - 1) * {b} * {w}"
        " - elem((n - 1) * (n - 1)) * {b} * {b} * {w}) / ((1 - {b}) * (1 - {b}) * (1 - {b}))",
    ),
)
"""By the power p, Σ kᵖ·bᵏ as collections of formulas have it; w is bⁿ."""


def _products(rng: random.Random) -> Identity:
    """Π of one factor beside others, and of powers."""
    factor = rng.choice(["r", "(2 * r)", "(r * c)", "(-r)"])
    rest = rng.choice(["iota(T, k, k: n)", "(iota(T, k, k: n) + c)"])
    alone = f"reduce(multiply, {rest}, k)"
    whole = f"power({factor}, elem(n))"
    if rng.random() < 0.3:
        left = f"reduce(multiply, power(broadcast({factor}, k: n), iota(T, k, k: n)), k)"
        return Identity(left, *(f"power({factor}, elem(n * (n {sign} 1) / 2))" for sign in "-+"))
    left = f"reduce(multiply, {rest} * {factor}, k)"
    return Identity(left, f"{alone} * {whole}", rng.choice([f"{alone} * {factor} * elem(n)", f"{whole} + {alone}"]))


FAMILIES = (_polynomials, _polynomials, _geometric, _products)


def _written(term: sympy.Expr, size: str | None = None) -> str:
    """A polynomial as a rule's text; with a size as a tensor along k."""
    parts = sympy.Add.make_args(sympy.expand(term))
    text = f"({' + '.join(_product(part, size) for part in parts)})"
    return text if size is None or K in term.free_symbols else f"broadcast({text}, k: {size})"


def _product(term: sympy.Expr, size: str | None) -> str:
    factor, rest = term.as_coeff_Mul()
    words = [f"({factor})"]
    for part in sympy.Mul.make_args(rest):
        base, power = part.as_base_exp()
        words += [_atom(base, size)] * int(power) if part != 1 else []
    return " * ".join(words)


def _atom(atom: sympy.Expr, size: str | None) -> str:
    if atom == K:
        return f"iota(T, k, k: {size})"
    return str(atom) if atom.name in SCALARS else f"elem({atom})"
