"""Models of the raw rule at one rank vector, found and made small."""

from __future__ import annotations

import pytest
from rules_build import Draft, compare, find_model, reverse, slice_, transpose
from rules_samples import FALSE, TRUE

from rewright.model.index import Name
from rewright.rules.models import GaveUp, Model, ModelSession, Quantity, QuantityRole, TensorEntry
from rewright.verdict import Failure

STEPS = 3_000_000
A, D = Name("A"), Name("d")
ORDER = (QuantityRole.SIZE, QuantityRole.INTEGER, QuantityRole.ATTRIBUTE, QuantityRole.INDEX)


def smallest(session: ModelSession) -> Model:
    assert isinstance(session.find(None), Model)
    return session.minimise(sorted(session.quantities, key=lambda quantity: ORDER.index(quantity.role)))


def test_quantities_are_made_small_in_the_order_given() -> None:
    with ModelSession(FALSE["update_of_a_slice"](), {A: 2}, None, STEPS) as session:
        model = smallest(session)
    assert model.fails is Failure.VALUE
    assert [value for quantity, value in model.integers if quantity.role is QuantityRole.SIZE] == [1, 3]
    assert [value for quantity, value in model.integers if quantity.role is QuantityRole.INDEX] == [0, 1]


def test_quantities_say_what_they_are() -> None:
    d = Draft("A, d!", "int")
    n, s = d.map("n s", "A")
    (m,) = d.map("m", "d")
    k, c = d.int("k"), d.scalar("c")
    x = d.tensor("X", A=n, d=m)
    question = d.rule(slice_(x, A=(s, n, 1)), slice_(x, A=(s, n - k, 1)), d.index(c) == k)
    with ModelSession(question, {A: 2, D: 1}, None, STEPS) as session:
        assert session.quantities == (
            Quantity(QuantityRole.SIZE, Name("n"), 0),
            Quantity(QuantityRole.SIZE, Name("n"), 1),
            Quantity(QuantityRole.ATTRIBUTE, Name("s"), 0),
            Quantity(QuantityRole.ATTRIBUTE, Name("s"), 1),
            Quantity(QuantityRole.SIZE, Name("m"), 0),
            Quantity(QuantityRole.INTEGER, Name("k"), None),
            Quantity(QuantityRole.INTEGER, Name("c"), None),
            Quantity(QuantityRole.INDEX, A, 0),
            Quantity(QuantityRole.INDEX, A, 1),
            Quantity(QuantityRole.INDEX, D, 0),
        )
        model = smallest(session)
    assert model.scalars == (("c", str(dict(model.integers)[Quantity(QuantityRole.INTEGER, Name("k"), None)])),)


def test_entries_follow_the_groups_as_declared() -> None:
    d = Draft("J ~ I")
    (n,) = d.map("n", "J")
    x = d.tensor("X", J=n, I=n)
    question = d.rule(transpose(x, I="J", J="I"), x)
    with ModelSession(question, {Name("J"): 1}, None, STEPS) as session:
        model = smallest(session)
    index = {quantity.name: value for quantity, value in model.integers if quantity.role is QuantityRole.INDEX}
    right = next(entry for entry in model.entries if entry.at == (index[Name("J")], index[Name("I")]))
    left = next(entry for entry in model.entries if entry.at == (index[Name("I")], index[Name("J")]))
    assert left.element != right.element


def test_the_way_of_failing_can_be_asked_for() -> None:
    question = FALSE["dynamic_slice_is_a_slice_unclamped"]()
    assert find_model(question, {A: 1}, 3, Failure.SHAPE) is None
    found = find_model(question, {A: 1}, 3, Failure.VALIDITY)
    assert isinstance(found, Model)
    assert found.fails is Failure.VALIDITY


def test_a_true_rule_has_no_model() -> None:
    assert find_model(TRUE["dynamic_slice_to_slice"](), {A: 2}, None) is None


def test_the_limit_binds_every_integer() -> None:
    d = Draft("A")
    n, s = d.map("n s", "A")
    x = d.tensor("X", A=n)
    question = d.rule(slice_(x, A=(s, n, 1)), reverse(slice_(x, A=(s, n, 1)), "A"), s >= 5)
    with ModelSession(question, {A: 1}, None, STEPS) as session:
        assert session.find(6) is None
        found = session.find(8)
        assert isinstance(found, Model)
        assert all(abs(value) <= 8 for _, value in found.integers)


def test_unread_entries_keep_an_assumption() -> None:
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x, y = d.tensor("X", A=n), d.tensor("Y", A=n)
    below = d.assume(compare("<", x, y), "A")
    with ModelSession(d.rule(x, y, assume=(below,)), {A: 1}, None, STEPS) as session:
        model = smallest(session)
    unread = dict(model.unread)
    assert int(unread[Name("X")]) < int(unread[Name("Y")])
    assert TensorEntry(Name("X"), (0,), unread[Name("X")]) in model.entries


def test_a_session_gives_up_within_its_steps() -> None:
    with ModelSession(FALSE["inner_pads_merge"](), {A: 2}, None, 1) as session:
        assert isinstance(session.find(None), GaveUp)
        with pytest.raises(ValueError, match="nothing to minimise"):
            session.minimise(session.quantities)


def test_a_closed_session_is_closed() -> None:
    session = ModelSession(FALSE["inner_pads_merge"](), {A: 1}, None, STEPS)
    session.close()
    with pytest.raises(ValueError, match="closed"):
        session.find(1)


def test_reductions_are_spelled_out_in_models() -> None:
    d = Draft("C", "int")
    (n,) = d.map("n", "C")
    x = d.tensor("X", C=n)
    from rules_build import reduce_

    question = d.rule(reduce_("maximum", x, "C"), reduce_("minimum", x, "C"), n >= 1)
    with ModelSession(question, {Name("C"): 1}, None, STEPS) as session:
        model = smallest(session)
    elements = {entry.at: entry.element for entry in model.entries}
    assert dict(model.integers)[Quantity(QuantityRole.SIZE, Name("n"), 0)] == 2
    assert elements[(0,)] != elements[(1,)]
