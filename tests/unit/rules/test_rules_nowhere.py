"""Whether any element of a left side is defined: what is defined nowhere stands beside what is defined somewhere."""

import pytest
from rules_text import asked_over

from rewright.rules.claim import claim_of
from rewright.rules.nowhere import is_defined_nowhere

DECLARED = """axes A
axis k
map n on A
int a
tensor X, Y: T[A: n]
tensor Z: T[A: n, k: a]
"""


def found(side: str) -> bool:
    return is_defined_nowhere(claim_of(asked_over("real", DECLARED + f"{side} => {side}")))


@pytest.mark.parametrize(
    ("nowhere", "somewhere"),
    [
        ("log(-exp(X))", "log(exp(-X))"),
        ("log(X) + log(-X)", "log(X) + log(1 - X)"),
        ("sqrt(-1 - X * X)", "sqrt(1 - X * X)"),
        ("sqrt(-abs(X)) / X", "sqrt(-abs(X))"),
        ("rsqrt(-abs(X))", "rsqrt(abs(X))"),
        ("X / (Y - Y)", "X / (Y - X)"),
        ("log1p(-1 - exp(X))", "log1p(-exp(X))"),
        ("power(-exp(X), 0.5)", "power(-exp(X), Y)"),
        ("log(-reduce(add, exp(Z), k))", "log(reduce(add, exp(Z), k))"),
        ("exp(X) + broadcast(lowest, A: n)", "max(exp(X), broadcast(lowest, A: n))"),
        ("X + log(-exp(Y))", "reduce(add, log(-exp(Z)), k)"),
        ("log(-exp(X))", "select(X > 0, X, log(-exp(X)))"),
    ],
)
def test_what_is_defined_nowhere_is_told_from_what_is_defined_somewhere(nowhere: str, somewhere: str) -> None:
    assert found(nowhere)
    assert not found(somewhere)
