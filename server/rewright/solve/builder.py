"""Expressions of z3, made through its C interface.

Owns the construction of expressions in one context. The Python operators of z3 are several times slower than the
calls below, and most queries are small. Every expression stays alive until the context is dropped, which happens with
the question: a vector of the context holds them, since a context with references left takes milliseconds to go.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import z3
from z3 import z3core

Expression = Any
"""A reference to a z3 expression, sort, function or symbol."""


class ExpressionBuilder:
    """Expressions of one z3 context."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.reference = self.context.ref()
        self._kept = z3.AstVector(ctx=self.context)
        self.integers = self.keep(z3core.Z3_mk_int_sort(self.reference))
        self.reals = self.keep(z3core.Z3_mk_real_sort(self.reference))
        self.booleans = self.keep(z3core.Z3_mk_bool_sort(self.reference))
        self._numbers: dict[tuple[str, int], Expression] = {}
        self._fresh = 0

    def keep(self, expression: Expression) -> Expression:
        """The expression, which lives as long as the builder."""
        z3core.Z3_ast_vector_push(self.reference, self._kept.vector, expression)
        return expression

    def _symbol(self, name: str) -> Expression:
        return z3core.Z3_mk_string_symbol(self.reference, name)

    def uninterpreted(self, name: str) -> Expression:
        """A sort about which nothing is known."""
        return self.keep(z3core.Z3_mk_uninterpreted_sort(self.reference, self._symbol(name)))

    def constant(self, name: str, sort: Expression) -> Expression:
        """The unknown of this name."""
        return self.keep(z3core.Z3_mk_const(self.reference, self._symbol(name), sort))

    def fresh(self, stem: str, sort: Expression) -> Expression:
        """An unknown that nothing else names."""
        self._fresh += 1
        return self.constant(f"{stem}!{self._fresh}", sort)

    def function(self, name: str, domain: Sequence[Expression], range_: Expression) -> Expression:
        """The uninterpreted function of this name."""
        array = (z3core.Sort * len(domain))(*domain)
        symbol = self._symbol(name)
        return self.keep(z3core.Z3_mk_func_decl(self.reference, symbol, len(domain), array, range_))

    def apply(self, function: Expression, arguments: Sequence[Expression]) -> Expression:
        """The function's value at the arguments."""
        return self.keep(z3core.Z3_mk_app(self.reference, function, len(arguments), _array(arguments)))

    def integer(self, value: int | Fraction) -> Expression:
        """The whole number as an integer."""
        return self._numeral(value, self.integers)

    def real_number(self, value: int | Fraction) -> Expression:
        """The number as a real."""
        return self._numeral(value, self.reals)

    def _numeral(self, value: int | Fraction, sort: Expression) -> Expression:
        key = (str(value), sort.value)
        if key not in self._numbers:
            self._numbers[key] = self.keep(z3core.Z3_mk_numeral(self.reference, str(value), sort))
        return self._numbers[key]

    def truth(self, value: bool) -> Expression:
        """The constant."""
        make = z3core.Z3_mk_true if value else z3core.Z3_mk_false
        return self.keep(make(self.reference))

    def real(self, integer: Expression) -> Expression:
        """The integer as a real."""
        return self.keep(z3core.Z3_mk_int2real(self.reference, integer))

    def total(self, parts: Sequence[Expression]) -> Expression:
        """The sum of one or more."""
        return self._many(z3core.Z3_mk_add, parts)

    def product(self, parts: Sequence[Expression]) -> Expression:
        """The product of one or more."""
        return self._many(z3core.Z3_mk_mul, parts)

    def every(self, parts: Sequence[Expression]) -> Expression:
        """The conjunction."""
        return self._many(z3core.Z3_mk_and, parts) if parts else self.truth(True)

    def any(self, parts: Sequence[Expression]) -> Expression:
        """The disjunction."""
        return self._many(z3core.Z3_mk_or, parts) if parts else self.truth(False)

    def _many(self, make: Any, parts: Sequence[Expression]) -> Expression:
        return parts[0] if len(parts) == 1 else self.keep(make(self.reference, len(parts), _array(parts)))

    def negative(self, operand: Expression) -> Expression:
        """The negative."""
        return self.keep(z3core.Z3_mk_unary_minus(self.reference, operand))

    def negation(self, operand: Expression) -> Expression:
        """not operand."""
        return self.keep(z3core.Z3_mk_not(self.reference, operand))

    def divided(self, left: Expression, right: Expression) -> Expression:
        """The solver's own division: exact over the reals; over the integers the floor, for a positive divisor."""
        return self.keep(z3core.Z3_mk_div(self.reference, left, right))

    def at_least(self, left: Expression, right: Expression) -> Expression:
        """left >= right."""
        return self.keep(z3core.Z3_mk_ge(self.reference, left, right))

    def less(self, left: Expression, right: Expression) -> Expression:
        """left < right."""
        return self.keep(z3core.Z3_mk_lt(self.reference, left, right))

    def same(self, left: Expression, right: Expression) -> Expression:
        """left == right."""
        return self.keep(z3core.Z3_mk_eq(self.reference, left, right))

    def either(self, condition: Expression, left: Expression, right: Expression) -> Expression:
        """left if the condition holds, else right."""
        return self.keep(z3core.Z3_mk_ite(self.reference, condition, left, right))

    def implies(self, left: Expression, right: Expression) -> Expression:
        """left → right."""
        return self.keep(z3core.Z3_mk_implies(self.reference, left, right))


def _array(parts: Sequence[Expression]) -> Any:
    return (z3core.Ast * len(parts))(*parts)
