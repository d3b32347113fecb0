"""Equality of elements with reductions, without hints: formal sums compared by the weight of every address.

A weight of an address is the number of index values that read it (docs/soundness.md, section 8). TensorRight (POPL
2025, section 6.5) asks its user for the correspondence of indices instead. Must not know where terms come from.
"""

from rewright.equality.sums.decide import ComparisonSurroundings, prove_equal
from rewright.equality.sums.entailment import Entailment, Solver
from rewright.equality.sums.summand import NotSummable
from rewright.equality.sums.unpaired import Unpaired, in_words, pairing, unpaired

__all__ = [
    "ComparisonSurroundings",
    "Entailment",
    "NotSummable",
    "Solver",
    "Unpaired",
    "in_words",
    "pairing",
    "prove_equal",
    "unpaired",
]
