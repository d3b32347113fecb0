"""Bounds, subscripts and conditions in C: affine expressions, or what makes them not affine.

C rounds quotients towards 0. Where a dividend is certainly not negative that is the quotient rounded down, elsewhere
it is written out, exactly. Integers are taken not to overflow. Source: PolyCheck, section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.c.known import Known
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.signs import is_unsigned_type, keeps_integers, may_be_unsigned
from rewright.frontends.c.sums import (
    Extremum,
    Sum,
    expression,
    extremum,
    minus,
    number,
    plus,
    quotient,
    scaled,
    sum_of,
)
from rewright.frontends.c.tree import field, operator, parts, text, unwrapped
from rewright.model.nest import (
    AffineComparison,
    BothHold,
    ComparisonOperator,
    Condition,
    DoesNotHold,
    EitherHolds,
)
from rewright.model.nest_text import expression_text
from rewright.verdict.diagnostics.names import CannotStandHere

LARGEST = 1 << 31
"""Numbers from here on are not taken: no bound or subscript of 32 bits has them."""

_EXTREMA: Final[dict[str, Extremum]] = {
    **dict.fromkeys(("min", "MIN", "imin"), "min"),
    **dict.fromkeys(("max", "MAX", "imax"), "max"),
}
_ROUNDED: Final = {"floord": 0, "ceild": 1}
_COMPARISONS: Final[dict[str, ComparisonOperator]] = {
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "==": "==",
    "!=": "!=",
}

NESTED = 8
"""Functions that call one another in one expression."""


class Integers(Struct, frozen=True):
    """What names stand for where an expression is: their values, and why others have none.

    `functions` are those that the text defines: the parameters and the expression of one that only returns a whole
    number, None for any other; `why` says what a name is that has no value here. `unsigned` are variables that are.
    """

    values: Mapping[str, Sum]
    known: Known
    functions: Mapping[str, tuple[tuple[str, ...], Node] | None]
    why: Callable[[str], str]
    unsigned: frozenset[str] = frozenset()
    nested: int = 0

    def affine(self, written: Node) -> Sum:
        """The value of an expression. Raises `NotAffine`."""
        node = unwrapped(written)
        match node.type:
            case "number_literal":
                return number(integer_literal(node))
            case "identifier":
                return self._name(node)
            case "unary_expression" if operator(node) in ("-", "+", "~"):
                operand = self.affine(field(node, "argument"))
                turned = operand if operator(node) == "+" else scaled(operand, -1)
                turned = minus(turned, number(1)) if operator(node) == "~" else turned
                return self._kept(node, turned)
            case "binary_expression":
                return self._binary(node)
            case "conditional_expression":
                return self._conditional(node)
            case "call_expression":
                return self._call(node)
            case "cast_expression" if keeps_integers(field(node, "type")):
                return self.affine(field(node, "value"))
            case "cast_expression" if is_unsigned_type(field(node, "type")):
                return self._kept(node, self.affine(field(node, "value")))
            case "subscript_expression":
                raise NotAffine(f"`{_base(node)}[…]` is data, which is not affine", node)
        raise NotAffine(f"`{shown(node)}` is not affine", node)

    def _name(self, node: Node) -> Sum:
        name = text(node)
        if name not in self.values:
            raise NotAffine(self.why(name), node)
        return self.values[name]

    def _kept(self, node: Node, found: Sum) -> Sum:
        """What an expression comes to, if it does not wrap around. Raises `NotAffine`."""
        if may_be_unsigned(node, self.unsigned.__contains__) and not self.known.is_not_negative(found):
            raise NotAffine(f"`{shown(node)}` is unsigned, and may be less than 0", node)
        return found

    def both(self, node: Node) -> tuple[Sum, Sum]:
        """The operands of an operator, as it takes them. Raises `NotAffine`."""
        operands = field(node, "left"), field(node, "right")
        found = self.affine(operands[0]), self.affine(operands[1])
        of_left = operator(node) in ("<<", ">>")
        if any(may_be_unsigned(each, self.unsigned.__contains__) for each in operands[: 1 if of_left else 2]):
            for each, value in zip(operands, found, strict=True):
                if not self.known.is_not_negative(value):
                    reason = f"`{shown(each)}` becomes unsigned in `{shown(node)}`, and may be less than 0"
                    raise NotAffine(reason, each)
        return found

    def _binary(self, node: Node) -> Sum:
        sign = operator(node)
        if sign in _COMPARISONS or sign in ("&&", "||"):
            raise NotAffine(f"the truth value `{shown(node)}` is not affine", node)
        left, right = self.both(node)
        return self._kept(node, self._combined(node, left, right))

    def _combined(self, node: Node, left: Sum, right: Sum) -> Sum:
        sign = operator(node)
        match sign:
            case "+":
                return plus(left, right)
            case "-":
                return minus(left, right)
            case "*" if left.number is not None:
                return scaled(right, left.number)
            case "*" if right.number is not None:
                return scaled(left, right.number)
            case "*":
                said = f"product of `{_shown(left)}` and `{_shown(right)}`"
                raise NotAffine(f"{said} is not affine", node)
            case "/" | "%":
                return self._divided(left, right, node)
            case "<<" if right.number is not None and 0 <= right.number < 31:
                return scaled(left, 1 << right.number)
            case ">>" if right.number is not None and 0 <= right.number < 31:
                return quotient(left, 1 << right.number)
            case "&" if right.number is not None:
                return self._masked(left, right.number, node)
        raise NotAffine(f"`{shown(node)}` is not affine", node)

    def _divided(self, left: Sum, right: Sum, node: Node) -> Sum:
        sign, by = operator(node), right.number
        if by is None:
            what = "quotient" if sign == "/" else "remainder"
            raise NotAffine(f"{what} of `{_shown(left)}` by `{_shown(right)}` is not affine", node)
        if by == 0:
            wrong = CannotStandHere("`0`", "a number that is not 0")
            raise NotAffine("division by 0", field(node, "right"), wrong)
        rounded = scaled(self._towards_zero(left, abs(by)), 1 if by > 0 else -1)
        return rounded if sign == "/" else minus(left, scaled(rounded, by))

    def _towards_zero(self, one: Sum, by: int) -> Sum:
        """`one / by` as in C: rounded down if it is not negative, else up."""
        down, up = quotient(one, by), quotient(plus(one, number(by - 1)), by)
        if self.known.is_not_negative(one):
            return down
        if self.known.is_not_negative(scaled(one, -1)):
            return up
        return plus(extremum("max", down, number(0)), extremum("min", up, number(0)))

    def _masked(self, left: Sum, mask: int, node: Node) -> Sum:
        """`left & mask` for a mask of low bits, or of all but low bits: a remainder, or what is left without it."""
        low = mask + 1 if mask >= 0 else -mask
        if low & (low - 1):
            raise NotAffine(f"`{shown(node)}` is not affine", node)
        without = scaled(quotient(left, low), low)
        return minus(left, without) if mask >= 0 else without

    def _conditional(self, node: Node) -> Sum:
        """`c ? a : b` where it is one affine expression: the same on both sides, or a minimum or maximum."""
        condition = self.condition(field(node, "condition"))
        fails = DoesNotHold(condition)
        then = replace(self, known=self.known.where(condition)).affine(field(node, "consequence"))
        otherwise = replace(self, known=self.known.where(fails)).affine(field(node, "alternative"))
        if then == otherwise:
            return self._kept(node, then)
        found = _chosen(condition, then, otherwise)
        if found is None:
            raise NotAffine(f"`{shown(node)}` is not affine", node)
        return self._kept(node, found)

    def _call(self, node: Node) -> Sum:
        name, given = text(field(node, "function")), parts(field(node, "arguments"))
        inlined = self.functions.get(name)
        if inlined is not None:
            return self._inlined(inlined, given, node)
        if name in self.functions:
            raise NotAffine(f"the value of `{shown(node)}` is not affine", node)
        if name in _EXTREMA and len(given) >= 2:
            first, *others = map(self.affine, given)
            for each in others:
                first = extremum(_EXTREMA[name], first, each)
            return first
        if name in _ROUNDED and len(given) == 2:
            dividend, divisor = map(self.affine, given)
            if divisor.number is None or divisor.number <= 0:
                raise NotAffine(f"`{shown(node)}` is not affine", node)
            return quotient(plus(dividend, number(_ROUNDED[name] * (divisor.number - 1))), divisor.number)
        raise NotAffine(f"the value of `{shown(node)}` is not affine", node)

    def _inlined(self, function: tuple[tuple[str, ...], Node], given: list[Node], node: Node) -> Sum:
        parameters, returned = function
        if len(parameters) != len(given) or self.nested == NESTED:
            raise NotAffine(f"the value of `{shown(node)}` is not affine", node)
        values = dict(zip(parameters, map(self.affine, given), strict=True))
        try:
            return replace(self, values=values, unsigned=frozenset(), nested=self.nested + 1).affine(returned)
        except NotAffine as refused:
            raise NotAffine(f"the value of `{shown(node)}` is not affine: {refused.reason}", node) from None

    # ------------------------------------------------------------------------------------------------ conditions

    def condition(self, written: Node) -> Condition:
        """The condition that an expression is. Raises `NotAffine`."""
        node = unwrapped(written)
        sign = operator(node)
        if node.type == "binary_expression" and sign in _COMPARISONS:
            left, right = self.both(node)
            return AffineComparison(_COMPARISONS[sign], expression(left), expression(right))
        if node.type == "binary_expression" and sign in ("&&", "||"):
            one = self.condition(field(node, "left"))
            other = self.condition(field(node, "right"))
            return BothHold(one, other) if sign == "&&" else EitherHolds(one, other)
        if node.type == "unary_expression" and sign == "!":
            return DoesNotHold(self.condition(field(node, "argument")))
        return AffineComparison("!=", expression(self.affine(node)), expression(number(0)))


def _chosen(condition: Condition, then: Sum, otherwise: Sum) -> Sum | None:
    """What a choice is whose condition compares what its sides differ by: the smaller or the greater side."""
    match condition:
        case AffineComparison(operator="<" | "<=" | ">" | ">=" as sign, left=left, right=right):
            compared = minus(sum_of(left), sum_of(right))
        case _:
            return None
    differ = minus(then, otherwise)
    rising = sign in (">", ">=")
    if differ == compared:
        return extremum("max" if rising else "min", then, otherwise)
    if differ == scaled(compared, -1):
        return extremum("min" if rising else "max", then, otherwise)
    return None


def integer_literal(node: Node) -> int:
    """The value of a number as it is written. Raises `NotAffine`."""
    written = text(node)
    digits = written.rstrip("uUlL")
    try:
        value = int(digits, 8) if len(digits) > 1 and digits.isdigit() and digits[0] == "0" else int(digits, 0)
    except ValueError:
        raise NotAffine(f"`{written}` is no whole number", node) from None
    if abs(value) >= LARGEST:
        raise NotAffine("too large", node, CannotStandHere(f"`{written}`", "a whole number below 2^31"))
    return value


def _base(node: Node) -> str:
    while node.type == "subscript_expression":
        node = field(node, "argument")
    return text(node)


def _shown(found: Sum) -> str:
    return expression_text(expression(found))


MOST = 60
"""Characters of an expression in a message."""


def shown(node: Node) -> str:
    """An expression as a message quotes it."""
    written = " ".join(text(node).split())
    return written if len(written) <= MOST else f"{written[: MOST - 1]}…"
