"""Rules with much of one thing: what would double with each index or each maximum does not."""

from __future__ import annotations

from rules_text import decision

from rewright.rules.decision import Proved

NAMES = [f"a{number}" for number in range(12)]


def test_the_order_of_twelve_indices_does_not_matter() -> None:
    declared = [f"axes {', '.join(NAMES)}", *(f"map n_{name} on {name}" for name in NAMES)]
    declared.append(f"tensor X: T[{', '.join(f'{name}: n_{name}' for name in NAMES)}]")
    left = right = "X"
    for place, monoid in enumerate(["max", "add", "min"]):
        names = NAMES[4 * place : 4 * place + 4]
        left = f"reduce({monoid}, {left}, [{', '.join(names)}])"
        right = f"reduce({monoid}, {right}, [{', '.join(reversed(names))}])"
    assert isinstance(decision("\n".join([*declared, f"{left} => {right}"])), Proved)


def test_a_comparison_of_many_maxima_is_decided() -> None:
    count = range(14)
    declared = f"axes A\nmap n on A\ntensor {', '.join(f'X{k}, Y{k}' for k in count)}: T[A: n]"
    left = " + ".join(f"max(X{k}, Y{k})" for k in count)
    right = " + ".join(f"max(Y{k}, X{k})" for k in reversed(count))
    assert isinstance(decision(f"{declared}\n{left} <= 0 => not ({right} > 0)"), Proved)
