"""Random identities of functions and of sums of them, each with a false twin.

Owns the laws and what they are applied to. A rule is a text, and a function of the seed and its place in the sequence.
An identity holds wherever its left side is defined; of its twin that is not known, since it may hold by chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

DECLARED = """axes A
axis k
map n on A
int a
tensor X, Y: T[A: n]
tensor S, R: T[A: n, k: a]
"""
NOT_EMPTY = "where a >= 1"

Law = tuple[str, str, str]
"""A left side, the right one that equals it, and one that does not; `e`, `f` are any elements, `p`, `q` above 0."""

LAWS: tuple[Law, ...] = (
    ("log(p * q)", "log(p) + log(q)", "log(p) - log(q)"),
    ("log(p / q)", "log(p) - log(q)", "log(q) - log(p)"),
    ("log(sqrt(p))", "log(p) / 2", "2 * log(p)"),
    ("log(p) + log(q) - log(p + q)", "log(p * q / (p + q))", "log(p * q / (p * q))"),
    ("exp(log(p) + e)", "p * exp(e)", "p + exp(e)"),
    ("exp(2 * log(p) - log(q))", "p * p / q", "2 * p / q"),
    ("sqrt(p) * sqrt(q)", "sqrt(p * q)", "sqrt(p + q)"),
    ("sqrt(p) * sqrt(p)", "p", "p * p"),
    ("p / sqrt(p)", "sqrt(p)", "rsqrt(p)"),
    ("sqrt(e * e)", "abs(e)", "e"),
    ("sqrt(e * e * p)", "abs(e) * sqrt(p)", "e * sqrt(p)"),
    ("rsqrt(p)", "1 / sqrt(p)", "sqrt(p)"),
    ("e / sqrt(p)", "e * rsqrt(p)", "e * sqrt(p)"),
    ("rsqrt(p) * rsqrt(p)", "1 / p", "p"),
    ("tanh(e)", "2 * logistic(2 * e) - 1", "2 * logistic(e) - 1"),
    ("tanh(-e)", "-tanh(e)", "tanh(e)"),
    ("tanh(e)", "(exp(e) - exp(-e)) / (exp(e) + exp(-e))", "(exp(e) + exp(-e)) / (exp(e) - exp(-e) + 3)"),
    ("logistic(e)", "exp(e) / (1 + exp(e))", "exp(-e) / (1 + exp(-e))"),
    ("logistic(-e)", "1 - logistic(e)", "-logistic(e)"),
    ("exp(e) / (exp(e) + exp(f))", "logistic(e - f)", "logistic(f - e)"),
    ("log(logistic(e))", "-log1p(exp(-e))", "-log1p(exp(e))"),
    ("log1p(exp(e))", "e + log1p(exp(-e))", "e - log1p(exp(-e))"),
    ("log1p(expm1(e))", "e", "-e"),
    ("expm1(log1p(e * e))", "e * e", "e"),
    ("expm1(e + f)", "exp(e) * exp(f) - 1", "expm1(e) * expm1(f)"),
    ("power(p, 0.5)", "sqrt(p)", "p / 2"),
    ("power(e, 3)", "e * e * e", "e * e"),
    ("power(p, -1.5)", "1 / (p * sqrt(p))", "1 / (p * p)"),
    ("power(exp(e), f)", "exp(e * f)", "exp(e + f)"),
    ("floor(e + 2)", "floor(e) + 2", "floor(e) + 1"),
    ("ceil(e)", "-floor(-e)", "floor(e) + 1"),
    ("sine(-e)", "-sine(e)", "sine(e)"),
    ("cosine(e - f)", "cosine(f - e)", "-cosine(e - f)"),
    ("erf(-e)", "-erf(e)", "erf(e)"),
    ("max(e, f) + log1p(exp(-abs(e - f)))", "log(exp(e) + exp(f))", "log(exp(e) + exp(-f))"),
    ("log(sum(exp(S + wide(e))))", "e + log(sum(exp(S)))", "log(sum(exp(S))) - e"),
    ("sum(exp(S) * wide(p))", "p * sum(exp(S))", "sum(exp(S)) / p"),
    ("sum(exp(S)) / sum(exp(S + wide(e)))", "exp(-e)", "exp(e)"),
    ("reduce(multiply, exp(S), k)", "exp(sum(S))", "exp(-sum(S))"),
    ("sum(S * wide(rsqrt(p)))", "sum(S) / sqrt(p)", "sum(S) * sqrt(p)"),
    ("sum(logistic(S))", "elem(a) - sum(logistic(-S))", "sum(logistic(-S)) - elem(a)"),
    ("sum(tanh(S) + R)", "2 * sum(logistic(2 * S)) + sum(R) - elem(a)", "2 * sum(logistic(2 * S)) + sum(R)"),
    ("sum(sqrt(S * S) * R)", "sum(abs(S) * R)", "sum(S * R)"),
    ("sum(log(exp(S) / wide(sum(exp(S)))))", "sum(S) - elem(a) * log(sum(exp(S)))", "sum(S) - log(sum(exp(S)))"),
)

CONTEXTS = (
    *("{}", "{}", "{}", "Y + {}", "X * ({})", "exp({})", "tanh({})", "select(X > 0, {}, Y)", "-({})", "sine({})"),
    *("max({}, Y)", "sum(wide({}) * S)", "({}) / (1 + X * X)", "log(exp({}) + 1)"),
)


@dataclass(frozen=True)
class Pair:
    """An identity, and the same with a false right side."""

    law: Law
    true: Rule
    twin: Rule


def pairs(seed: int, count: int) -> Iterator[Pair]:
    """`count` identities, no two the same."""
    rng = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        law, context = rng.choice(LAWS), rng.choice(CONTEXTS)
        parts = {name: (positive if name in "pq" else element)(rng, 1) for name in "efpq"}
        left, right, wrong = (_text(context.format(side), parts) for side in law)
        if (text := f"{left} => {right}") not in seen:
            seen.add(text)
            yield Pair(law, _rule(text), _rule(f"{left} => {wrong}"))


def element(rng: random.Random, depth: int) -> str:
    """Any element."""
    if depth == 0 or rng.random() < 0.4:
        return rng.choice(["X", "Y", "X", "Y", "sum(S)"])
    one, other = element(rng, depth - 1), element(rng, depth - 1)
    forms = f"({one} + {other})", f"({one} - {other})", f"({one} * {other})", f"(2 * {one})", f"abs({one})"
    return rng.choice([*forms, f"(-{one})", f"(1 - {one})"])


def positive(rng: random.Random, depth: int) -> str:
    """An element above 0, where there is one along k."""
    one = element(rng, depth)
    forms = f"exp({one})", f"(1 + {one} * {one})", f"(1 + abs({one}))", f"logistic({one})", "sum(exp(S))"
    if depth > 0 and rng.random() < 0.2:
        return f"({positive(rng, depth - 1)} * {positive(rng, depth - 1)})"
    return rng.choice(forms)


def _text(side: str, parts: dict[str, str]) -> str:
    """The side with its parts; `sum` and `wide` are written out."""
    words = []
    word = ""
    for sign in f"{side} ":
        if sign.isalnum() or sign == "_":
            word += sign
            continue
        words += [f"({parts[word]})" if word in parts else word, sign]
        word = ""
    return _written("".join(words).strip())


def _written(text: str) -> str:
    for name, form in (("sum", "reduce(add, {}, k)"), ("wide", "broadcast({}, k: a)")):
        while (start := _call(text, name)) >= 0:
            end = _closing(text, start + len(name))
            text = text[:start] + form.format(text[start + len(name) + 1 : end]) + text[end + 1 :]
    return text


def _call(text: str, name: str) -> int:
    start = text.find(f"{name}(")
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start = text.find(f"{name}(", start + 1)
    return start


def _closing(text: str, opening: int) -> int:
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place
    raise ValueError(text)


def _rule(sides: str) -> Rule:
    return rule_of(f"{DECLARED}{sides}\n{NOT_EMPTY}")


def rule_of(items: str) -> Rule:
    """The rule over the reals with these items."""
    text = f"rule drawn<T: real> {{\n{items}\n}}\n"
    (declared,) = check_file(parse(Text.of("drawn.rw", text)), lambda path: None).declarations
    assert isinstance(declared.value, Rule), (text, declared.findings, declared.unsupported)
    return declared.value
