"""Facts entail, pinned unknowns go, normal forms mean what the terms mean."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rewright.equality import EVERYWHERE, Facts, eliminate, simplify
from rewright.terms import (
    FALSE,
    INT,
    TRUE,
    OpenReduce,
    Range,
    Slot,
    Term,
    access,
    add,
    at_most,
    choose,
    close_reduce,
    complement,
    conjoin,
    disjoin,
    equal,
    every_axis,
    floor_divide,
    less,
    maximum,
    minimum,
    multiply,
    non_negative,
    number,
    opened_indices,
    plus,
    remainder,
    scale,
    substitute,
    subtract,
    variable,
)
from rewright.terms.evaluation import evaluate

i, n, s, p = (variable(name, "A") for name in ("i", "n", "s", "p"))
j, k = variable("j", None), variable("k", None)
IN_RANGE = Facts.of([("A", non_negative(i)), ("A", less(i, n)), ("A", less(number(0), p))], frozenset())


def test_linear_facts_entail() -> None:
    assert IN_RANGE.non_negative(plus(n, -1))
    assert IN_RANGE.non_negative(multiply(i, p))
    assert not IN_RANGE.non_negative(plus(n, -2))


def test_definitions_of_quotients_and_extrema_are_used() -> None:
    assert IN_RANGE.non_negative(subtract(i, multiply(p, floor_divide(i, p))))
    assert IN_RANGE.non_negative(subtract(plus(multiply(p, floor_divide(i, p)), 10), plus(i, 0))) is False
    assert IN_RANGE.non_negative(subtract(maximum(i, s), i))


def test_tests_are_decided_under_facts() -> None:
    assert simplify(less(i, n), IN_RANGE) is TRUE
    assert simplify(at_most(n, i), IN_RANGE) is FALSE
    assert simplify(every_axis("A", less(i, n)), IN_RANGE) is TRUE
    assert simplify(less(i, s), IN_RANGE) is less(i, s)


def test_facts_of_a_class_say_nothing_about_single_unknowns() -> None:
    facts = Facts.of([("A", non_negative(k))], frozenset())
    assert not facts.non_negative(k)
    assert simplify(every_axis("A", non_negative(k)), facts) is TRUE
    assert Facts.of([("A", non_negative(k))], frozenset({"A"})).non_negative(k)


def test_a_false_fold_stays_a_fold() -> None:
    """It is true at rank 0."""
    no_axis = every_axis("A", FALSE)
    assert simplify(no_axis, IN_RANGE) is no_axis
    assert simplify(no_axis, Facts.of([("A", FALSE)], frozenset())) is TRUE
    assert simplify(no_axis, Facts.of([], frozenset({"A"}))) is FALSE


def test_what_the_others_imply_is_dropped() -> None:
    test = every_axis("A", conjoin(at_most(s, i), at_most(plus(s, -1), i)))
    assert simplify(test, IN_RANGE) is every_axis("A", at_most(s, i))


def test_quotients_are_reduced() -> None:
    assert simplify(floor_divide(add(i, multiply(p, n)), p), IN_RANGE) is add(n, simplify(floor_divide(i, p), IN_RANGE))
    assert simplify(floor_divide(i, n), IN_RANGE) is number(0)
    assert simplify(floor_divide(plus(scale(-1, i), -1), n), IN_RANGE) is number(-1)
    nested = floor_divide(floor_divide(i, number(2)), number(3))
    assert simplify(nested, IN_RANGE) is floor_divide(i, number(6))


def test_dominated_operands_of_extrema_disappear() -> None:
    assert simplify(maximum(number(0), minimum(i, n)), IN_RANGE) is i


def test_branches_are_simplified_under_their_condition() -> None:
    x = access("X", (Slot("A", "A", maximum(i, s)),), INT)
    y = access("X", (Slot("A", "A", i),), INT)
    test = every_axis("A", at_most(s, i))
    assert simplify(choose(test, x, y), IN_RANGE) is y


def test_bodies_of_reductions_are_simplified_under_their_ranges() -> None:
    (c,) = opened_indices((Range("C", variable("m", "C")),), 0)
    ranges = (Range("C", variable("m", "C")),)

    def total(index: Term) -> Term:
        return close_reduce(OpenReduce("add", (c,), ranges, access("X", (Slot("C", "C", index),), INT)))

    assert simplify(total(maximum(c, number(0))), Facts.of([], frozenset())) is total(c)


def test_ranges_of_an_outer_reduction_are_not_those_of_an_inner_one() -> None:
    """Below both binders, the inner index is not below the outer size."""
    outer, inner = Range("C", variable("n", "C")), Range("C", variable("m", "C"))
    (d,) = opened_indices((inner,), 0)
    index = minimum(d, plus(outer.size, -1))
    greatest = close_reduce(OpenReduce("maximum", (d,), (inner,), access("X", (Slot("C", "C", index),), INT)))
    (c,) = opened_indices((outer,), 0)
    body = multiply(access("Y", (Slot("C", "C", c),), INT), greatest)
    term = close_reduce(OpenReduce("add", (c,), (outer,), body))
    assert simplify(term, Facts.of([], frozenset())) is term


def test_equations_pin_unknowns() -> None:
    facts = [("A", equal(s, plus(n, -1))), ("A", at_most(number(1), s)), ("A", less(i, n))]
    found = eliminate(facts, lambda unknown: unknown.name != "s")
    assert found.pinned == {s: plus(n, -1)}
    assert set(found.facts) == {("A", at_most(number(2), n)), ("A", less(i, n))}
    assert found.apply(add(s, i)) is plus(add(n, i), -1)


def test_two_inequalities_pin_an_unknown() -> None:
    facts = [("A", non_negative(i)), ("A", non_negative(scale(-1, i)))]
    assert eliminate(facts, lambda _: 0).pinned == {i: number(0)}


def test_a_fact_about_axes_pins_no_single_unknown() -> None:
    assert eliminate([("A", equal(k, number(1)))], lambda _: 0).pinned == {}
    assert eliminate([(EVERYWHERE, equal(k, number(1)))], lambda _: 0).pinned == {k: number(1)}
    assert eliminate([("A", equal(k, n))], lambda u: u.name != "k").pinned == {n: k}


# ---------------------------------------------------------------------------- the meaning is kept, on random terms

UNKNOWNS = (i, n, s, p)
numbers = st.integers(-3, 3)


def index_terms() -> st.SearchStrategy[Term]:
    leaves = st.one_of(st.sampled_from(UNKNOWNS), numbers.map(number))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(add, inner, inner),
            st.builds(subtract, inner, inner),
            st.builds(multiply, inner, inner),
            st.builds(maximum, inner, inner),
            st.builds(minimum, inner, inner),
            st.builds(floor_divide, inner, inner),
            st.builds(remainder, inner, inner),
        ),
        max_leaves=6,
    )


def truths() -> st.SearchStrategy[Term]:
    leaves = st.one_of(
        st.builds(less, index_terms(), index_terms()),
        st.builds(at_most, index_terms(), index_terms()),
        st.builds(equal, index_terms(), index_terms()),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(conjoin, inner, inner),
            st.builds(disjoin, inner, inner),
            st.builds(complement, inner),
            st.builds(lambda inside: every_axis("A", inside), inner),
        ),
        max_leaves=4,
    )


points = st.lists(numbers, min_size=4, max_size=4).map(lambda values: dict(zip(UNKNOWNS, values, strict=True)))
SOME = settings(max_examples=40)


def true_at(point: dict[Term, int], known: list[Term]) -> list[Term]:
    """Each truth or its complement, whichever holds at the point."""
    return [fact if evaluate(fact, point) else complement(fact) for fact in known]


@SOME
@given(truths(), st.lists(truths(), max_size=4), points)
def test_normal_forms_mean_what_the_terms_mean(term: Term, known: list[Term], point: dict[Term, int]) -> None:
    facts = Facts.of([("A", fact) for fact in true_at(point, known)], frozenset())
    assert evaluate(simplify(term, facts), point) == evaluate(term, point)


@SOME
@given(index_terms(), st.lists(truths(), max_size=4), points)
def test_normal_forms_of_indices_mean_what_they_mean(term: Term, known: list[Term], point: dict[Term, int]) -> None:
    facts = Facts.of([("A", fact) for fact in true_at(point, known)], frozenset())
    assert evaluate(simplify(term, facts), point) == evaluate(term, point)


@SOME
@given(index_terms(), index_terms(), points)
def test_substitution_means_evaluation(term: Term, value: Term, point: dict[Term, int]) -> None:
    inner = {**point, i: evaluate(value, point)}
    assert evaluate(substitute(term, {i: value}), point) == evaluate(term, inner)


@SOME
@given(st.lists(truths(), min_size=1, max_size=4), points)
def test_elimination_keeps_every_solution(known: list[Term], point: dict[Term, int]) -> None:
    found = eliminate([("A", fact) for fact in true_at(point, known)], lambda unknown: unknown.name)
    assert all(evaluate(fact, point) for _, fact in found.facts)
    assert all(evaluate(value, point) == point[key] for key, value in found.pinned.items())
