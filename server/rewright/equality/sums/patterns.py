"""The last step of a comparison: which guards hold together, asked of the solver."""

from __future__ import annotations

from rewright.equality.sums.canonical import Fibre
from rewright.equality.sums.fibres import Frame


def vanishes(fibres: list[Fibre], frame: Frame) -> bool:
    """Whether the weights add up to 0 at every address and rank."""
    return False
