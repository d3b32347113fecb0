"""Names in the operator table are unambiguous, and what is decided says what it means."""

from __future__ import annotations

import pytest

from rewright.model.operator_table import DECIDED, OPERATORS, operator_named, operator_signed
from rewright.model.operators import Family, Operator


def test_no_name_and_no_sign_is_used_twice() -> None:
    names = [name for operator in OPERATORS for name in operator.names]
    signs = [sign for operator in OPERATORS for sign in operator.signs]
    assert len(names) == len(set(names))
    assert len(signs) == len(set(signs))


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_an_operator_is_found_by_each_of_its_names(operator: Operator) -> None:
    for sign in operator.signs:
        assert operator_signed(sign) is operator
    for name in operator.names:
        found = operator_named(name)
        assert found is (None if operator.family is Family.COMPARISON else operator)


@pytest.mark.parametrize("operator", DECIDED, ids=lambda operator: operator.name)
def test_a_decided_operator_says_what_it_means(operator: Operator) -> None:
    texts = operator.texts
    assert all((texts.call, texts.types, texts.shape, texts.defined, texts.element))
    assert operator.operands or operator.family not in {Family.POINTWISE, Family.COMPARISON}
