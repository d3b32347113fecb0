"""Conditions of any form: the terms that the prover reads hold on exactly the inputs on which the replay says so."""

from __future__ import annotations

import itertools
import math
import os
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import symbolic
from term_values import World, value

from rewright.meaning.scope import NotCovered
from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.model.rule import Rule, RuleQuestion
from rewright.replay.arrays import Array, from_flat
from rewright.replay.formulas import assumption_holds, holds
from rewright.replay.functions import remembering
from rewright.replay.inputs import Inputs
from rewright.rules.claim import claim_of
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

COUNT = 3000 if os.environ.get("REWRIGHT_SOAK") else 300
INPUTS = 8

DECLARED = """axes A, B, C
axis d
map n, s, e on A
map m on B
map o on d
int j, k
scalar a, b: T
scalar c: int
scalar p: pred
fn f: (T, T) -> T
fn q: (T) -> pred
tensor X: T[A: n]
tensor Y: T[A: s]
tensor Z: T[B: m, A: n]
tensor P: pred[A: n]"""
SIZES = {"X": ("n",), "Y": ("s",), "Z": ("m", "n"), "P": ("n",)}
GROUPS = {"n": "A", "s": "A", "m": "B", "o": "d", "e": "A"}


def test_preconditions_of_any_form() -> None:
    rng = random.Random(5)
    seen = {True: 0, False: 0}
    undecided = 0
    for number in range(COUNT):
        domain = rng.choice(["int", "real"])
        where = formula(rng, rng.randint(1, 4), None)
        question = _question(f"where {where}", domain)
        try:
            claim = claim_of(question)
        except NotCovered:
            undecided += 1
            continue
        for inputs in _inputs(rng, domain):
            world = World(inputs, {})
            facts = [fact for condition in claim.preconditions for fact in condition.facts]
            read = all(symbolic.holds(fact, world) for fact in facts) and bool(value(claim.given, world))
            replayed = all(holds(each, inputs) for each in question.rule.where)
            assert read == replayed, (number, where, inputs)
            seen[replayed] += 1
    assert min(seen.values()) > INPUTS * COUNT / 5
    assert undecided < COUNT / 20


def test_assumptions_of_any_form() -> None:
    rng = random.Random(6)
    seen = {True: 0, False: 0}
    for number in range(COUNT):
        domain = rng.choice(["int", "real"])
        assume = f"assume forall u on A, forall v on B: {contents(rng, rng.randint(0, 3))}".replace(
            ", forall", ": forall"
        )
        question = _question(assume, domain)
        (linked,) = claim_of(question).linked
        for inputs in _inputs(rng, domain):
            places: list[dict[str, tuple[int, ...]]] = [
                dict(zip(linked.at, indices, strict=True))
                for indices in itertools.product(
                    *(itertools.product(range(4), repeat=inputs.ranks[g]) for g in linked.at)
                )
            ]
            worlds = [World(inputs, place) for place in places]
            read = all(value(linked.body, world) for world in worlds if value(linked.inside, world))
            replayed = assumption_holds(question.rule.assumptions[0], inputs)
            assert read == replayed, (number, assume, inputs)
            seen[replayed] += 1
    assert min(seen.values()) > INPUTS * COUNT / 5


def contents(rng: random.Random, depth: int) -> str:
    """The text of a random condition on contents."""
    if not depth:
        atom = rng.choice(["X[u]", "X[u]", "Y[u]", "Z[u, v]", "f(X[u], a)", "X[u] / b", "a / Y[u]"])
        return rng.choice(
            ["p", "P[u]", "not P[u]", "q(X[u])", "n < s", *[f"{atom} {rng.choice(['<', '==', '!='])} b"] * 5]
        )
    inner = contents(rng, depth - 1)
    word = rng.choice(["and", "or", "not"])
    return f"not ({inner})" if word == "not" else f"({inner}) {word} ({contents(rng, depth - 1)})"


def formula(rng: random.Random, depth: int, axis: str | None) -> str:
    """The text of a random precondition, read on one axis of the group if that is given."""
    if not depth or rng.random() < 0.1:
        return _comparison(rng, axis)
    inner = formula(rng, depth - 1, axis)
    match rng.choice(["and", "and", "or", "or", "not", "some", "every"]):
        case "not":
            return f"not ({inner})"
        case "and" | "or" as word:
            return f"({inner}) {word} ({formula(rng, depth - 1, axis)})"
        case word:
            group = rng.choice("ABd")
            return f"({word} {group}: {formula(rng, depth - 1, group)})"


def _comparison(rng: random.Random, axis: str | None) -> str:
    sign = rng.choice(["==", "==", "!=", "<", "<=", ">", ">="])
    if rng.random() < 0.35:
        return rng.choice(["p", "q(a)", "q(f(a, b))", "true", "false", f"{_element(rng)} {sign} {_element(rng)}"])
    maps = {"A": ["n", "s", "e"], "B": ["m"], "d": ["o"]}[axis or rng.choice("AABd")]
    return f"{_index(rng, maps)} {sign} {_index(rng, maps)}"


def _index(rng: random.Random, maps: list[str]) -> str:
    atom = rng.choice([*maps, *maps, "j", "k", "c", "0", "1", "2", f"prod({maps[0]})", "prod(o)"])
    if rng.random() < 0.6:
        return atom
    other = rng.choice([*maps, "j", "1", "3"])
    return rng.choice([f"{atom} + {other}", f"{atom} / {other}", f"{atom} % {other}", f"max({atom}, {other})"])


def _element(rng: random.Random) -> str:
    atom = rng.choice(["a", "b", "0", "1", "elem(T, k)", "elem(T, prod(n))", "f(a, b)", "lowest"])
    if rng.random() < 0.6:
        return f"{atom} + a" if atom in {"0", "1", "lowest"} else atom
    return rng.choice(
        [f"{atom} / b", f"a / ({atom} - b)", f"abs({atom} - a)", f"select(p, {atom}, a)", f"sign(a - {atom})"]
    )


def _question(condition: str, domain: str) -> RuleQuestion:
    text = f"rule r<T: {domain}> {{\n{DECLARED}\nX => X\n{condition}\n}}\n"
    (declared,) = check_file(parse(Text.of("where.rw", text)), lambda path: None).declarations
    assert isinstance(declared.value, Rule), (condition, declared.findings, declared.unsupported)
    return RuleQuestion(declared.value, ((Name("T"), domain),), "=>")


def _inputs(rng: random.Random, domain: str) -> Iterator[Inputs]:
    for _ in range(INPUTS):
        ranks = {"A": rng.choice([0, 1, 1, 2]), "B": rng.choice([0, 1, 1, 2]), "C": 0, "d": 1}
        maps = {
            name: tuple(
                rng.choice([0, 1, 1, 2, 3] if name in "nsm" else [-2, -1, 0, 1, 2]) for _ in range(ranks[group])
            )
            for name, group in GROUPS.items()
        }
        scalars = {"a": _drawn(rng, domain), "b": _drawn(rng, domain), "c": rng.randint(-1, 2), "p": rng.random() < 0.5}
        yield Inputs(
            {Name(name): rank for name, rank in ranks.items()},
            {Name(name): values for name, values in maps.items()},
            {Name(name): rng.randint(-1, 2) for name in "jk"},
            {Name(name): element for name, element in scalars.items()},
            {Name(name): _tensor(rng, name, maps, domain) for name in SIZES},
            {
                Name("f"): remembering(lambda operands: _drawn(rng, domain)),
                Name("q"): remembering(lambda operands: rng.random() < 0.5),
            },
            {Name("T"): domain},
        )


def _tensor(rng: random.Random, name: str, maps: Mapping[str, tuple[int, ...]], domain: str) -> Array:
    shape = tuple(size for map_ in SIZES[name] for size in maps[map_])
    elements = [rng.random() < 0.5 if name == "P" else _drawn(rng, domain) for _ in range(math.prod(shape))]
    return Array(tuple(Name(GROUPS[map_]) for map_ in SIZES[name]), from_flat(shape, elements))


def _drawn(rng: random.Random, domain: str) -> Any:
    number = rng.randint(-2, 2)
    return number if domain == "int" else Fraction(number, rng.choice([1, 1, 2]))
