"""One sorted, hash-consed, rank-generic term language: the ground on which formulas are stated and compared.

`node` says what a term is, the constructors of the other modules keep terms normalised, `binding` owns reductions and
substitution. Domain-neutral: must not know where terms come from or how they are decided.
"""

from rewright.terms.axis_product import axis_product
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
from rewright.terms.division import floor_divide, remainder, truncated_divide, truncated_remainder
from rewright.terms.extremum import maximum, minimum
from rewright.terms.functions import absolute, applied, exponential, reciprocal, sign
from rewright.terms.interning import OutOfNodes, allowing, count_nodes, intern, interned, subterms
from rewright.terms.node import INDEX, INT, REAL, TRUTH, Range, RankClass, Slot, Sort, Term, Variable
from rewright.terms.polynomial import add, multiply, negate, number, plus, scale, subtract
from rewright.terms.roots import logarithm, square_root
from rewright.terms.row_major import digit, position
from rewright.terms.selection import access, choose
from rewright.terms.special import ceiling, cosine, error_function, floor, hyperbolic_tangent, logistic, power, sine
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
    "OutOfNodes",
    "Range",
    "RankClass",
    "Slot",
    "Sort",
    "Term",
    "Variable",
    "absolute",
    "access",
    "add",
    "allowing",
    "applied",
    "at_most",
    "axis_product",
    "ceiling",
    "choose",
    "close_reduce",
    "complement",
    "conjoin",
    "conjuncts",
    "cosine",
    "count_nodes",
    "digit",
    "disjoin",
    "element_of",
    "equal",
    "equivalent",
    "error_function",
    "every_axis",
    "exponential",
    "floor",
    "floor_divide",
    "hyperbolic_tangent",
    "identity",
    "implies",
    "index_of",
    "interned",
    "less",
    "logarithm",
    "logistic",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "non_negative",
    "number",
    "open_reduce",
    "opened_indices",
    "plus",
    "position",
    "power",
    "reciprocal",
    "reduction",
    "remainder",
    "scale",
    "sign",
    "sine",
    "some_axis",
    "square_root",
    "substitute",
    "subterms",
    "subtract",
    "truncated_divide",
    "truncated_remainder",
    "truth",
    "variable",
    "zero",
]
