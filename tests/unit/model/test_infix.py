"""Infix expressions as text, against Python's own reader and writer of expressions."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from rewright.model.index import Name
from rewright.model.infix import BINDS, InfixText, joined
from rewright.model.nest import AffineExpression, AffineNumber, AffineOperation, AffineVariable
from rewright.model.nest_text import expression_text

SIGNS = ("+", "-", "*", "//", "%")

LEAVES = st.one_of(st.integers(-3, 9).map(AffineNumber), st.sampled_from("ijN").map(Name).map(AffineVariable))
EXPRESSIONS: st.SearchStrategy[AffineExpression] = st.recursive(
    LEAVES, lambda inner: st.builds(AffineOperation, st.sampled_from((*SIGNS, "min", "max")), inner, inner)
)


def in_python(expression: AffineExpression) -> str:
    """The expression for Python, each operation in parentheses of its own."""
    match expression:
        case AffineNumber(value):
            return f"({value})"
        case AffineVariable(name):
            return name
        case AffineOperation(operator, left, right) if operator in SIGNS:
            return f"({in_python(left)} {operator} {in_python(right)})"
        case AffineOperation(operator, left, right):
            return f"{operator}({in_python(left)}, {in_python(right)})"


def tree(text: str) -> str:
    """What Python reads, each operation in parentheses by its own rules."""
    return ast.dump(ast.parse(text, mode="eval"))


@given(EXPRESSIONS)
def test_what_is_written_reads_as_what_was_meant(expression: AffineExpression) -> None:
    written = expression_text(expression).replace("/", "//")
    assert tree(written) == tree(in_python(expression))


@given(st.recursive(st.sampled_from("abc"), lambda inner: st.tuples(inner, st.sampled_from(SIGNS), inner)))
def test_no_parentheses_stand_that_are_not_needed(drawn: object) -> None:
    def text(part: object) -> InfixText:
        match part:
            case (left, str(operator), right):
                return joined(text(left), operator, text(right))
            case _:
                return InfixText(str(part))

    written = text(drawn).text
    assert ast.unparse(ast.parse(written)) == written


def test_operators_bind_as_in_c() -> None:
    """Comparisons bind less tightly than what they compare, `and` tighter than `or`."""
    order = ["or", "and", "|", "^", "&", "==", "<", "<<", "+", "*"]
    assert sorted(order, key=BINDS.__getitem__) == order
    assert joined(joined(InfixText("a"), "+", InfixText("b")), "<", InfixText("c")).text == "a + b < c"
    assert joined(joined(InfixText("a"), "<", InfixText("b")), "+", InfixText("c")).text == "(a < b) + c"
