"""Floor divisions by sums with several monomials of one degree."""

from __future__ import annotations

import random

import pytest
from rules_text import decision

from rewright.rules.decision import Mode, Proved
from rewright.terms import Term, add, multiply, number, variable
from rewright.terms.division import divide

VARIABLES = [variable(name, "A") for name in ("n", "m", "k")]


@pytest.mark.parametrize("mode", list(Mode))
def test_a_rest_that_loses_a_term_is_no_rest(mode: Mode) -> None:
    """The numerator on the right lacks one of two 4·m·n². At n = m = 2, k = 0 the starts are 3 and -3."""
    divisor = "2 * m * n - m - m * k"
    whole = "(2 * n * k - 2 * n + 4 * n * n)"
    rest = "(k * k - 2 * m * n + 4 * m * n * n - 8 * m * n * n * n)"
    left = f"dynamic_slice(X, 3 + (k * k - 2 * m * n * k * k) / ({divisor}), 1)"
    right = f"dynamic_slice(X, 3 + {whole} + {rest} / ({divisor}), 1)"
    declared = "axes A\nmap n, m, k, s on A\ntensor X: T[A: s]\n"
    assert not isinstance(decision(f"{declared}{left} => {right}\nwhere {divisor} >= 1", mode), Proved)


def test_a_dividend_is_the_divisor_times_the_quotient_and_the_rest() -> None:
    rng = random.Random(7)
    for _ in range(3000):
        dividend = add(multiply(_monomial(rng, 2), _monomial(rng, rng.choice([1, 2]))), _monomial(rng, 2))
        divisor = add(_monomial(rng, 2), _monomial(rng, 2), _monomial(rng, rng.choice([0, 1])))
        quotient, rest = divide(dividend, divisor)
        assert add(multiply(quotient, divisor), rest) is dividend


def _monomial(rng: random.Random, degree: int) -> Term:
    term = number(rng.choice([-2, -1, 1, 1, 2]))
    for _ in range(degree):
        term = multiply(term, rng.choice(VARIABLES))
    return term
