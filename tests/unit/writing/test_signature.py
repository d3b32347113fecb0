"""How the operator around a place is called, and which argument is being written."""

from __future__ import annotations

import pytest
from written import cursor_in

from rewright.model.operator_table import OPERATORS
from rewright.model.operators import Family, Operator
from rewright.writing.signature import signature

NAMES = "rule r<T: num> {\n  axes A, B\n  map n on A\n  fn f: (T, T) -> T\n  tensor X: T[A: n]\n  "


def active(text: str) -> str | None:
    """The parameter that is written at the cursor."""
    found = signature(*cursor_in(NAMES + text))
    if found is None or found.active is None:
        return None
    parameter = found.parameters[found.active]
    return found.label[parameter.start : parameter.end]


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("pad(|", "X"),
        ("pad(X, |", "v"),
        ("pad(X, v, |", "low"),
        ("pad(X, v, 1, |", "high"),
        ("pad(X, v, A: (|", "low"),
        ("pad(X, v, A: (1, |", "high"),
        ("pad(X, v, A: (interior = |", "interior"),
        ("pad(X, v, A: (1, 2), B: (|", "low"),
        ("pad(X, v, low = |", "low"),
        ("pad(slice(X, |), v, 1)", "start"),
        ("pad(slice(X, 1), |", "v"),
        ("pad(X, v, (1 + |", "low"),
        ("reduce(|", "add"),
        ("reduce(add, X, |", "C"),
        ("reduce(add, X, A, init = |", "init = z"),
        ("dynamic_slice(X, A: (n, |", "length"),
        ("broadcast(X, A: |", "B: m"),
        ("concatenate(X, Y, X, |", "d"),
        ("exp(|", "X"),
        ("maximum(X, |", "Y"),
        ("f(X, |", "Y"),
        ("add(X,\n    |", "Y"),
        ("X + |", None),
        ("pad(X, v, 1)|", None),
        ("// pad(|", None),
        ("pad(X,\n  where |", None),
    ],
)
def test_the_argument_that_is_written_is_marked(text: str, parameter: str | None) -> None:
    assert active(text) == parameter


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_every_operator_that_is_called_has_a_signature_with_its_attributes(operator: Operator) -> None:
    for name in operator.names if operator.family is not Family.COMPARISON else ():
        found = signature(*cursor_in(f"{NAMES}{name}(|"))
        assert found is not None and found.label.startswith(f"{name}(")
        assert {each.name for each in operator.attributes} <= {each.name for each in found.parameters}
