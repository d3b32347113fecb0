"""What follows on one axis: homes, disjunctions, minima and maxima, products."""

import pytest

from rewright.equality.facts import EVERYWHERE, Facts
from rewright.equality.sums import refutation
from rewright.equality.sums.entailment import Entailment, Solver
from rewright.terms import (
    FALSE,
    OutOfNodes,
    add,
    allowing,
    at_most,
    complement,
    conjoin,
    count_nodes,
    every_axis,
    interned,
    less,
    maximum,
    multiply,
    negate,
    non_negative,
    number,
    plus,
    subtract,
    variable,
    zero,
)

N, P, A, B = (variable(name, "K") for name in "npab")
G, H = variable("g", None), variable("h", None)


def entailment(*facts: tuple[str, object]) -> Entailment:
    return Entailment(Facts.of(facts, frozenset()), Solver(None))  # type: ignore[arg-type]


def test_a_condition_of_a_class_says_nothing_about_single_unknowns() -> None:
    known = entailment(("K", non_negative(G)))
    assert not known.non_negative(EVERYWHERE, G)
    assert known.non_negative("K", G)
    assert not known.non_negative(EVERYWHERE, G, [("K", non_negative(G))])
    assert known.non_negative("K", add(A, G), [("K", non_negative(A)), (EVERYWHERE, non_negative(H))])


def test_a_false_condition_of_a_class_is_a_contradiction_there_alone() -> None:
    known = entailment()
    assert known.impossible("K", [("K", FALSE)])
    assert not known.impossible(EVERYWHERE, [("K", FALSE)])
    assert not known.impossible("L", [("K", FALSE)])


def test_disjunctions_are_split() -> None:
    either = complement(conjoin(less(A, N), less(B, N)))
    guard = [("K", either), ("K", at_most(A, P)), ("K", at_most(B, P))]
    assert entailment().holds(("K", at_most(N, P)), guard)
    assert not entailment().holds(("K", at_most(N, A)), guard)


def test_an_extremum_is_one_of_its_operands() -> None:
    top = maximum(number(0), plus(N, -1))
    inside = [("K", non_negative(A)), ("K", less(A, N))]
    known = entailment(("K", non_negative(P)))
    spread = add(subtract(plus(N, -1), A), multiply(top, P), negate(multiply(A, P)))
    assert known.non_negative("K", spread, inside)
    assert not known.non_negative("K", spread, [])


def test_an_extremum_on_every_axis_need_not_be_the_same_operand_on_all() -> None:
    top = maximum(N, G)
    some_axis_is_below = complement(every_axis("K", zero(multiply(P, subtract(top, N)))))
    known = entailment((EVERYWHERE, some_axis_is_below))
    assert not known.non_negative("K", subtract(G, N))
    assert not known.non_negative("K", subtract(G, N), [("K", non_negative(subtract(top, N)))])
    some_axis_is_above = complement(every_axis("K", zero(multiply(P, subtract(top, G)))))
    both = [(EVERYWHERE, some_axis_is_below), (EVERYWHERE, some_axis_is_above), (EVERYWHERE, non_negative(G))]
    assert not entailment().impossible(EVERYWHERE, both)


def test_products_of_what_is_known() -> None:
    known = entailment(("K", at_most(number(1), N)), ("K", non_negative(A)))
    assert known.non_negative("K", subtract(multiply(N, A), A))
    assert not known.non_negative("K", subtract(A, multiply(N, A)))


def test_equations() -> None:
    known = entailment()
    assert known.zero("K", subtract(A, B), [("K", zero(subtract(A, N))), ("K", zero(subtract(B, N)))])
    assert not known.zero("K", subtract(A, B), [("K", zero(subtract(A, N)))])


def test_what_bounds_an_atom_bounds_its_product_with_others_that_are_not_negative() -> None:
    known = entailment(("K", non_negative(A)), ("K", non_negative(B)), ("K", at_most(P, N)))
    assert known.non_negative("K", multiply(multiply(A, B), subtract(N, P)))
    assert not known.non_negative("K", multiply(multiply(A, P), subtract(N, P)))
    assert not known.non_negative("K", multiply(multiply(A, B), subtract(P, N)))
    assert known.non_negative("K", multiply(multiply(A, A), subtract(N, P)))


def test_an_atom_of_a_product_may_be_above_a_negative_number() -> None:
    known = entailment(("K", non_negative(plus(A, 1))), ("K", non_negative(B)), ("K", non_negative(P)))
    assert not known.non_negative("K", multiply(multiply(A, B), P))


def test_what_is_remembered_costs_as_many_nodes_as_at_first() -> None:
    goal, guard = add(A, G), [("K", non_negative(subtract(A, multiply(B, P)))), ("K", less(G, B))]
    taken: list[int] = []
    for _ in range(2):
        before = interned()
        assert not entailment(("K", non_negative(subtract(P, N)))).non_negative("K", goal, guard)
        taken.append(interned() - before)
    assert taken[0] == taken[1]
    kept = next(reversed(refutation._remembered.values()))
    assert kept.nodes
    with allowing(kept.nodes - 1), pytest.raises(OutOfNodes):
        count_nodes(kept.nodes)
