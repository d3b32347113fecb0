"""Minima and maxima of nothing are infinite: what follows from that is neither forgotten nor invented."""

from __future__ import annotations

import pytest
from rules_text import decision

from rewright.rules.decision import Mode, Refuted

MODES = pytest.mark.parametrize("mode", list(Mode))
DECLARED = "axes A, B\nmap n on A\nmap m on B\nscalar c, d: T\ntensor X: T[A: n]\ntensor Y: T[B: m]\n"


@MODES
@pytest.mark.parametrize(("monoid", "unit"), [("add", "0"), ("multiply", "1")])
def test_arithmetic_from_an_infinite_initial_value_is_undefined(mode: Mode, monoid: str, unit: str) -> None:
    left = "reduce(max, Y, [B])"
    right = f"reduce({monoid}, broadcast({unit}, A: n), [A], init = {left})"
    assert isinstance(decision(f"{DECLARED}{left} => {right}\nwhere 0 <= n", mode), Refuted)


@pytest.mark.parametrize("domain", ["int", "real"])
@pytest.mark.parametrize(
    "sides",
    [
        "-reduce(max, X, [A]) => reduce(min, -X, [A])",
        "reduce(max, X, [A]) < c + d => reduce(max, X - c - d, [A]) < 0",
        "max(reduce(max, X, [A]), c * d) => reduce(max, max(X, c * d), [A], init = c * d)",
        "min(reduce(min, X, [A]), 3) == 4 => reduce(max, 0 - X, [A]) == -1 and c != c",
        "-reduce(max, X, [A]) == reduce(min, Y, [B]) => reduce(min, -X, [A]) == reduce(min, Y, [B])",
    ],
)
def test_no_countermodel_is_made_of_wrong_infinities(sides: str, domain: str) -> None:
    """These are true; a model in which an infinity is not beyond a sum, or the two are not opposite, is none."""
    assert not isinstance(decision(DECLARED + sides, domain=domain), Refuted)
