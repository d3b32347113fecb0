"""Weaker preconditions than one that was found, each refuted by a small input.

Owns which weaker ones a reader asks about: one part left out, or one comparison that also allows the boundary or the
other side. Invariant: what is returned was replayed and fails; of a weaker one that no known input refutes nothing is
said. Must not know how a precondition is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from rewright.fixes.preconditions.known import SearchState
from rewright.fixes.preconditions.written import formula_text
from rewright.model.formula import Formula, IndexComparison, Quantified
from rewright.replay.inputs import Inputs, write_instance
from rewright.verdict import Weaker

MOST = 6
"""Weaker ones that are told of each precondition."""

LOOSER = {"==": ("<=", ">="), "<": ("<=",), ">": (">=",)}
"""Comparisons that also hold where the first one does."""


def refuted_weaker(known: SearchState, parts: Sequence[Formula]) -> tuple[Weaker, ...]:
    """The weaker preconditions that a known input refutes, with the smallest such input each."""
    rule = known.questions[0].rule
    found: dict[str, Weaker] = {}
    for candidate in _weaker(tuple(parts)):
        failing = min(known.failing(candidate), key=_size, default=None)
        if failing is not None:
            text = ", ".join(map(formula_text, candidate))
            found.setdefault(text, Weaker(text, replace(write_instance(rule, failing), tensors=(), functions=())))
    return tuple(found.values())[:MOST]


def _weaker(parts: tuple[Formula, ...]) -> Iterator[tuple[Formula, ...]]:
    """The candidates. That no precondition at all does not do is what the rule's own counterexample says."""
    for place, part in enumerate(parts):
        before, after = parts[:place], parts[place + 1 :]
        if before or after:
            yield (*before, *after)
        for looser in _looser(part):
            yield (*before, looser, *after)


def _looser(part: Formula) -> Iterator[Formula]:
    match part:
        case IndexComparison(operator=operator):
            for other in LOOSER.get(operator, ()):
                yield replace(part, operator=other)
        case Quantified(body=body):
            yield from (replace(part, body=each) for each in _looser(body))
        case _:
            return


def _size(inputs: Inputs) -> tuple[int, ...]:
    """How large an input is: its rank, then its sizes."""
    maps = [abs(value) for each in inputs.maps.values() for value in each]
    return sum(inputs.ranks.values()), sum(maps) + sum(map(abs, inputs.integers.values()))
