"""Preconditions and expressions that are found: proved, weakest first, nothing vacuous, the same on every call."""

from __future__ import annotations

from math import prod
from typing import Literal

import pytest
from msgspec.structs import replace

from rewright.checks.table import rule_questions
from rewright.fixes.preconditions.alternatives import alternatives
from rewright.fixes.preconditions.atoms import Atom, Grammar, Tier
from rewright.fixes.preconditions.covering import covers
from rewright.fixes.preconditions.exploring import pool_of
from rewright.fixes.preconditions.lanes import Lanes, Values
from rewright.fixes.preconditions.near import failing_inputs
from rewright.fixes.preconditions.question import RuleFixes, RuleSearch
from rewright.fixes.preconditions.repair import repaired
from rewright.fixes.preconditions.rule_fixes import rule_fixes
from rewright.fixes.preconditions.search import preconditions
from rewright.fixes.preconditions.work import Limit
from rewright.fixes.preconditions.written import formula_text, index_text
from rewright.fixes.questions import answer, restore_fixes, rule_search
from rewright.model.file import check_file
from rewright.model.formula import Conjunction, Disjunction, Formula, IndexComparison, Negation, Quantified, Truth
from rewright.model.index import Index, IndexOperation, MapReference, Name, Number
from rewright.model.rule import Rule, holes
from rewright.replay.formulas import holds
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Proved, Refuted
from rewright.rules.restated import restates_validity
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import TensorValue
from rewright.verdict.codec import decode, encode


def forever() -> Limit:
    """Work that steps do not end; its guard begins now."""
    return Limit.of(10**12)


FULL_LENGTH = "axes A\nmap n, start, length on A\ntensor X: T[A: n]\ndynamic_slice(X, start, length) => X"
WHOLE = "axes A\nmap n, start, limit, stride on A\ntensor X: T[A: n]\nslice(X, start, limit, stride) => X"
PADS = """axes A
map n, low, high, outer_low, outer_high on A
scalar v: T
tensor X: T[A: n]
pad(pad(X, v, low, high), v, outer_low, outer_high) => pad(X, v, low + outer_low, high + outer_high)"""


N, M = (MapReference(Name(name), Name("A"), 0) for name in "nm")


def compare(operator: Literal["==", "<", "<="], left: Index, right: Index) -> IndexComparison:
    return IndexComparison(operator, left, right, Name("A"), 0)


def less(left: Index, right: Index) -> IndexComparison:
    return compare("<", left, right)


def rule(items: str, domain: str = "any") -> Rule:
    text = Text.of("asked.rw", f"rule asked<T: {domain}> {{\n{items}\n}}\n")
    declared = check_file(parse(text), lambda path: None).declarations[0]
    assert isinstance(declared.value, Rule), declared.findings
    return declared.value


def found(items: str, domain: str = "any") -> RuleFixes:
    """What a worker answers, in the declaration's names."""
    asked = rule_search(rule(items, domain))
    answered = answer(decode(RuleSearch, asked.payload), Budget())
    fixes = restore_fixes(encode(answered), asked.names)
    assert isinstance(fixes, RuleFixes)
    return fixes


@pytest.mark.parametrize(
    ("items", "parts"),
    [
        (FULL_LENGTH, ("n == length",)),
        (f"{WHOLE}\nwhere n >= 2, stride >= 1, start == 0", ("n == limit", "stride == 1")),
        ("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(X, A) => X", ("n <= 1",)),
    ],
)
def test_the_precondition_that_is_missing_is_found(items: str, parts: tuple[str, ...]) -> None:
    texts = [set(each.parts) for each in found(items).found]
    assert set(parts) in texts


STRIDES = """axes A
map n, start, limit, stride, to on A
tensor X: T[A: n]
slice(slice(X, start, limit, stride), 0, to) => slice(X, start, start + to * stride, stride)"""
CLIPS = "axes A\nmap n on A\nscalar a, b: T\ntensor X: T[A: n]\nmin(max(X, a), b) => max(min(X, b), a)"


@pytest.mark.parametrize(
    ("items", "domain", "first"),
    [
        (CLIPS, "real", "a <= b"),
        ("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(X, A) => X", "any", "n <= 1 or (some A: n == 0)"),
        (STRIDES, "any", "n >= start + to * stride"),
    ],
)
def test_the_weakest_that_is_found_comes_first(items: str, domain: str, first: str) -> None:
    assert found(items, domain).found[0].parts == (first,)


def test_a_rule_without_axes_is_searched() -> None:
    assert found("scalar x, high: T\nclamp(0, x, high) => x", "int").found


def test_inputs_that_are_too_large_to_replay_are_left_out() -> None:
    items = """axes A
axis d
map n, low, high, interior on A
map m, d_low, d_high, d_interior on d
scalar v: T
tensor X: T[A: n, d: m]
pad(X, v, A: (low, high, interior), d: (d_low, d_high, d_interior))
  => broadcast(v, A: low + n + max(n - 1, 0) * interior + high, d: d_low + d_high)"""
    assert ("m == 0",) in [each.parts for each in found(items).found]


def test_what_is_found_is_proved_and_the_weakest_comes_first() -> None:
    asked = rule(PADS)
    offered = preconditions(rule_questions(asked), forever())
    assert 1 <= len(offered) <= 3
    assert [each.kept for each in offered] == sorted((each.kept for each in offered), reverse=True)
    for each in offered:
        assert 0 < each.kept <= each.of
        (question,) = rule_questions(replace(asked, where=each.parts))
        proved = decide(question, Budget())
        assert isinstance(proved, Proved) and not proved.only_empty


@pytest.mark.parametrize("items", [FULL_LENGTH, WHOLE])
def test_each_weaker_precondition_that_is_told_of_is_refuted_by_the_input_beside_it(items: str) -> None:
    first, *_ = found(items).found
    assert first.weaker
    for weaker in first.weaker:
        asked = rule(f"{items}\nwhere {weaker.precondition}")
        (question,) = rule_questions(asked)
        assert isinstance(decide(question, Budget()), Refuted)
        shape = dict(weaker.fails.maps)["n"]
        contents = TensorValue(shape, tuple(map(str, range(1, prod(shape) + 1))))
        assert isinstance(replay(question, replace(weaker.fails, tensors=(("X", contents),))), Fails)


def test_a_search_finds_the_same_every_time() -> None:
    first, second = ([each.parts for each in found(FULL_LENGTH).found] for _ in range(2))
    assert first == second


def test_preconditions_that_there_are_stay_and_are_added_to() -> None:
    texts = [each.parts for each in found(f"{WHOLE}\nwhere start == 0, limit == n").found]
    assert ("stride == 1",) in texts or any("stride == 1" in part for parts in texts for part in parts)


def test_cases_that_lie_on_different_axes_are_listed() -> None:
    items = """axes A, C, D
map n on A
map k on C
map l on D
tensor X: T[A: n, C: k, D: l]
tensor Y: T[C: k, D: l]
dot(X, Y, contract = [C, D]) => broadcast(0, A: n)"""
    texts = [part for each in found(items, "num").found for part in each.parts]
    assert any("some C: k == 0" in text and "some D: l == 0" in text for text in texts), texts


def test_coincidences_that_are_needed_at_once_are_found() -> None:
    items = """axes A
map n, low, high, interior, start, limit, stride on A
scalar v: T
tensor X: T[A: n]
slice(pad(X, v, low, high, interior), start, limit, stride) => X"""
    (question,) = rule_questions(rule(items))
    failing = [each for each in pool_of(question, forever()).negative if max(each.ranks.values()) == 1]
    made = repaired(question, failing, forever())
    several = [each for each in made.positive.values() if all(size > 1 for size in each.maps[Name("n")])]
    assert several
    for each in several:
        assert each.maps[Name("start")] == each.maps[Name("low")]
        assert all(
            one == 1 + gap for one, gap in zip(each.maps[Name("stride")], each.maps[Name("interior")], strict=True)
        )


def test_a_start_that_is_clamped_is_a_special_case() -> None:
    (question,) = rule_questions(rule(FULL_LENGTH))
    pool = pool_of(question, forever())
    typical = [each for place, each in enumerate(pool.positive) if pool.typical >> place & 1]
    assert typical
    for each in typical:
        for size, start, length in zip(*(each.maps[Name(name)] for name in ("n", "start", "length")), strict=True):
            assert 0 <= start <= size - length


def test_what_repeats_the_validity_of_the_claimed_side_is_known() -> None:
    (question,) = rule_questions(rule("axes A\nmap n, m on A\ntensor X: T[A: n]\nX => slice(X, 0, m)"))
    assert restates_validity(question, compare("<=", M, N))
    assert not restates_validity(question, compare("==", M, N))


def test_alternatives_hold_where_the_replay_says() -> None:
    (question,) = rule_questions(rule("axes A\nmap n, m, k on A\ntensor X: T[A: n]\nslice(X, k, m) => X"))
    pool = pool_of(question, forever())
    inputs = (*pool.positive, *pool.negative)[::7]
    for formula in (compare("==", N, M), Quantified("some", Name("A"), compare("<", N, M), 0)):
        where = sum(holds(formula, each) << place for place, each in enumerate(inputs))
        seen = list(alternatives(Grammar(question, inputs), Atom(formula, where, 2)))
        assert seen
        for atom in seen:
            assert atom.holds == sum(holds(atom.formula, each) << place for place, each in enumerate(inputs))
            assert not where & ~atom.holds


def test_nothing_is_missing_in_a_rule_that_holds() -> None:
    assert found("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(reverse(X, A), A) => X").found == ()


def test_nothing_is_found_where_only_empty_results_would_do() -> None:
    items = "axes A\nmap n on A\nscalar v: T\ntensor X: T[A: n]\npad(X, v, 1, 0) => pad(X, v, 2, 0)"
    assert found(items).found == ()


@pytest.mark.parametrize(
    ("right", "parts"),
    [
        ("pad(X, v, low = ?, high = high + outer_high)", ("low + outer_low",)),
        ("pad(X, v, ?, ?)", ("low + outer_low", "high + outer_high")),
    ],
)
def test_holes_are_filled(right: str, parts: tuple[str, ...]) -> None:
    left = PADS.split(" => ")[0]
    items = f"{left} => {right}\nwhere low >= 0, high >= 0"
    assert len(holes(rule(items))) == len(parts)
    assert found(items).found[0].parts == parts


def test_a_hole_that_nothing_fills_stays_open() -> None:
    items = "axes A\nmap n on A\nscalar v: T\ntensor X: T[A: n]\npad(X, v, 1, 0) => pad(X, v, 0, ?)"
    asked = rule(items)
    assert rule_fixes(rule_questions(asked), holes(asked)).found == ()


# ----------------------------------------------------------------------------------------------------------- the parts


def test_the_inputs_of_a_pool_hold_or_fail_as_it_says() -> None:
    (question,) = rule_questions(rule(FULL_LENGTH))
    pool = pool_of(question, forever())
    equal = IndexComparison(
        "==", MapReference(Name("n"), Name("A"), 0), MapReference(Name("length"), Name("A"), 0), Name("A"), 0
    )
    solid = [each for place, each in enumerate(pool.positive) if pool.solid >> place & 1]
    assert solid and pool.negative
    assert all(holds(equal, each) for each in solid)
    assert not any(holds(equal, each) for each in pool.negative)
    assert failing_inputs(question, (), forever())
    assert not failing_inputs(replace(question, rule=replace(question.rule, where=(equal,))), solid, forever())


@pytest.mark.parametrize("tier", Tier)
def test_atoms_hold_where_the_replay_says(tier: Tier) -> None:
    (question,) = rule_questions(rule("axes A\nmap n, m, k on A\ntensor X: T[A: n]\nslice(X, k, m) => X"))
    pool = pool_of(question, forever())
    inputs = (*pool.positive, *pool.negative)[::5]
    seen = Grammar(question, inputs).atoms(tier)
    assert seen
    for atom in seen:
        assert atom.holds == sum(holds(atom.formula, each) << place for place, each in enumerate(inputs))


def test_products_of_large_integers_are_exact() -> None:
    """What a solver finds need not be small: the product of two is compared as it is, beyond 64 bits, too."""
    (question,) = rule_questions(rule("axes A\nmap n, m, k on A\ntensor X: T[A: n]\nslice(X, k, m) => X"))
    pool, large = pool_of(question, forever()), 1 << 33
    near = [{"n": large, "m": large, "k": large * large + more - (1 << 64)} for more in (-1, 0, 1)]
    known = next(each for each in pool.positive if each.ranks[Name("A")] == 1)
    inputs = [known, *(replace(known, maps={Name(name): (value,) for name, value in each.items()}) for each in near)]
    for tier in (Tier.SUMS, Tier.PRODUCTS):
        for atom in Grammar(question, inputs).atoms(tier):
            assert atom.holds == sum(holds(atom.formula, each) << place for place, each in enumerate(inputs))


def test_truths_on_lanes() -> None:
    lanes = Lanes(Name("A"), 3, (0, 1, 2))
    values = Values(lanes, (1, 2, 3))
    two = Values(lanes, (2, 2, 2))
    assert lanes.positions == ((1, 0), (2, 0), (2, 1))
    assert lanes.on_every_axis(values.at_most(two)) == 0b011
    assert lanes.on_some_axis(values.equal_to(two)) == 0b100
    assert lanes.on_every_axis(lanes.present) == 0b111


def test_covers_exclude_every_negative_input_and_are_minimal() -> None:
    given = [Atom(Truth(True, 0), 0b1110_0111, 1), Atom(Truth(False, 0), 0b0001_0111, 2), Atom(Truth(True, 1), 0b0, 3)]
    best = covers(given, positive=0b1111, negative=0b1111_0000)[0]
    assert best.keeps == 0b0111
    assert set(best.atoms) == set(given[:2])


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (IndexOperation("*", IndexOperation("+", N, M, 0), N, 0), "(n + m) * n"),
        (IndexOperation("-", N, IndexOperation("-", M, Number(1, 0), 0), 0), "n - (m - 1)"),
        (IndexOperation("+", N, IndexOperation("*", M, N, 0), 0), "n + m * n"),
        (IndexOperation("max", N, Number(-1, 0), 0), "max(n, -1)"),
        (IndexOperation("-", N, Number(-1, 0), 0), "n - (-1)"),
    ],
)
def test_index_expressions_are_written_as_they_are_read(index: Index, text: str) -> None:
    assert index_text(index) == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (Conjunction(Disjunction(less(N, M), less(M, N), 0), less(N, N), 0), "(n < m or m < n) and n < n"),
        (Quantified("some", Name("A"), Disjunction(less(N, M), less(M, N), 0), 0), "some A: n < m or m < n"),
        (Disjunction(Quantified("some", Name("A"), less(N, M), 0), less(M, N), 0), "(some A: n < m) or m < n"),
        (Negation(less(N, M), 0), "not (n < m)"),
    ],
)
def test_formulas_are_written_as_they_are_read(formula: Formula, text: str) -> None:
    assert formula_text(formula) == text
