"""Several assumptions at once: what one says about a tensor is known where another reads it."""

from __future__ import annotations

import pytest
from rules_text import decision

from rewright.rules.decision import Mode, Proved, Refuted

DECLARED = "axes A\nmap n on A\nscalar c: T\ntensor X, Y, Z: T[A: n]\n"
CHAIN = "assume forall i on A: X[i] < Y[i]\nassume forall i on A: Y[i] < Z[i]\nassume forall i on A: Z[i] < c"


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    ("sides", "kind"),
    [
        ("max(X, c) => broadcast(c, A: n)", Proved),
        ("max(reverse(X, A), c) => broadcast(c, A: n)", Proved),
        ("max(X + 3, c) => broadcast(c, A: n)", Proved),
        ("max(X + 4, c) => broadcast(c, A: n)", Refuted),
    ],
)
def test_a_chain_of_assumptions(mode: Mode, sides: str, kind: type) -> None:
    assert isinstance(decision(f"{DECLARED}{sides}\n{CHAIN}", mode), kind)
