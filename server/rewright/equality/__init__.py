"""Are two formulas equal? Facts about every axis, what they entail, and normal forms under them.

Everything here holds on each axis for itself, so at every rank. Must not know where the formulas come from, nor any
solver.
"""

from rewright.equality.elimination import Elimination, eliminate
from rewright.equality.facts import EVERYWHERE, Fact, Facts
from rewright.equality.simplification import simplify

__all__ = ["EVERYWHERE", "Elimination", "Fact", "Facts", "eliminate", "simplify"]
