"""One sorted, hash-consed, rank-generic term language: the ground on which formulas are stated and compared.

`node` says what a term is, the constructors of the other modules keep terms normalised, `binding` owns reductions and
substitution. Domain-neutral: must not know where terms come from or how they are decided.
"""

from rewright.terms.binding import (
    OpenReduce,
    close_reduce,
    identity,
    open_reduce,
    opened_indices,
    reduction,
    substitute,
)
from rewright.terms.comparison import at_most, equal, less, non_negative, zero
from rewright.terms.conversion import element_of, index_of
from rewright.terms.extremum import extremum, maximum, minimum
from rewright.terms.node import INDEX, INT, REAL, TRUTH, Range, RankClass, Slot, Sort, Term, Variable, intern, subterms
from rewright.terms.polynomial import (
    add,
    floor_divide,
    multiply,
    negate,
    number,
    plus,
    remainder,
    scale,
    subtract,
)
from rewright.terms.selection import access, choose
from rewright.terms.truth import (
    FALSE,
    TRUE,
    complement,
    conjoin,
    conjuncts,
    disjoin,
    equivalent,
    every_axis,
    implies,
    some_axis,
    truth,
)


def variable(name: str, rank_class: RankClass, sort: Sort = INDEX) -> Variable:
    """The unknown of this name: one value per axis of the rank class, or a single one."""
    return intern(Variable, name, rank_class, sort)


__all__ = [
    "FALSE",
    "INDEX",
    "INT",
    "REAL",
    "TRUE",
    "TRUTH",
    "OpenReduce",
    "Range",
    "RankClass",
    "Slot",
    "Sort",
    "Term",
    "Variable",
    "access",
    "add",
    "at_most",
    "choose",
    "close_reduce",
    "complement",
    "conjoin",
    "conjuncts",
    "disjoin",
    "element_of",
    "equal",
    "equivalent",
    "every_axis",
    "extremum",
    "floor_divide",
    "identity",
    "implies",
    "index_of",
    "less",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "non_negative",
    "number",
    "open_reduce",
    "opened_indices",
    "plus",
    "reduction",
    "remainder",
    "scale",
    "some_axis",
    "substitute",
    "subterms",
    "subtract",
    "truth",
    "variable",
    "zero",
]
