"""Each decided operator of the table has its node, its meaning and its replay, and both read its row alike.

`replay/` shares no code with what it confirms and imports no table of the model: its own lists of operators are copies,
which these tests hold to the rows.
"""

from __future__ import annotations

import ast
import math
from fractions import Fraction
from functools import cache

import pytest
from package_trees import PACKAGE, modules_in, nodes

from rewright.meaning.forms import Entry
from rewright.meaning.pointwise import apply
from rewright.meaning.scope import NotCovered
from rewright.model import tensor
from rewright.model.check_rule.index import FUNCTIONS
from rewright.model.operator_table import DECIDED, MONOIDS, ROWS
from rewright.model.operators import Family, Operator, Trait
from rewright.model.types import Need, provides
from rewright.replay import elements
from rewright.replay.enclosures import Enclosure
from rewright.terms import FALSE, INT, REAL, TRUE, TRUTH, Sort, Term, close_reduce, identity, number
from rewright.terms.binding import OpenReduce
from rewright.terms.interning import intern
from rewright.terms.node import Infinity

ELEMENTWISE = [row for row in DECIDED if row.elementwise]
STRUCTURAL = [row for row in DECIDED if not row.elementwise]
SORTS: dict[str, Sort] = {"int": INT, "real": REAL, "pred": TRUTH}
SOME: dict[str, elements.Element] = {"int": 2, "real": Fraction(2), "pred": True}


def domains(row: Operator) -> list[str]:
    """The element domains over which an elementwise operator is decided."""
    decided = [name for name in SORTS if row.need is None or provides(name, row.need)]
    return [name for name in decided if name not in row.undecided_over]


def entries(row: Operator, domain: str, first: Term) -> list[Entry]:
    """Operands of an elementwise operator, the first of its elements being this one."""
    count = row.operands or 0
    values = [first, *(one(domain) for _ in range(count - 1))]
    return [Entry(value) for value in ([TRUE, *values[: count - 1]] if row.name == "select" else values)]


def one(domain: str) -> Term:
    return TRUE if domain == "pred" else number(1, SORTS[domain])


def replayed(row: Operator, first: elements.Element) -> elements.Element:
    """What the replay makes of this element and of as many as it needs beside it."""
    if row.name == "power" and not isinstance(first, int):
        return elements.pointwise(row.name, (first, Fraction(1, 2)))
    other = first if isinstance(first, bool) else type(first)(1) if isinstance(first, int | Fraction) else Fraction(1)
    operands = (first, *(other for _ in range((row.operands or 0) - 1)))
    return elements.pointwise(row.name, (True, *operands[:-1]) if row.name == "select" else operands)


@pytest.mark.parametrize("row", ELEMENTWISE, ids=lambda row: row.name)
def test_an_elementwise_operator_has_its_meaning_and_its_replay(row: Operator) -> None:
    for domain in domains(row):
        assert apply(row.name, entries(row, domain, one(domain))).value.sort in {SORTS[domain], TRUTH}
        assert not isinstance(replayed(row, SOME[domain]), elements.SpecialElement)


@pytest.mark.parametrize("row", ELEMENTWISE, ids=lambda row: row.name)
def test_a_domain_over_which_an_operator_is_not_decided_has_no_meaning(row: Operator) -> None:
    for domain in row.undecided_over:
        with pytest.raises(NotCovered):
            apply(row.name, entries(row, domain, one(domain)))


@pytest.mark.parametrize("row", [row for row in ELEMENTWISE if "real" in domains(row)], ids=lambda row: row.name)
def test_what_needs_finite_operands_does_so_in_both(row: Operator) -> None:
    defined = apply(row.name, entries(row, "real", intern(Infinity, True, REAL))).defined
    assert (defined is FALSE) == (Trait.FINITE in row.traits)
    assert (replayed(row, math.inf) is elements.UNDEFINED) == (Trait.FINITE in row.traits)


@pytest.mark.parametrize("row", [row for row in ELEMENTWISE if "real" in domains(row)], ids=lambda row: row.name)
def test_numbers_without_exact_values_are_replayed_as_enclosures(row: Operator) -> None:
    assert isinstance(replayed(row, Fraction(2)), Enclosure) == (Trait.TRANSCENDENTAL in row.traits)
    assert replayed(row, Enclosure(Fraction(2), Fraction(3))) is not elements.UNDEFINED


@pytest.mark.parametrize("row", MONOIDS, ids=lambda row: row.name)
def test_a_monoid_has_an_identity_in_both(row: Operator) -> None:
    domain = "pred" if row.need is Need.LOGIC else "int"
    unit = identity(row.name, SORTS[domain])
    assert apply(row.name, [Entry(unit), Entry(one(domain))]).value is one(domain) or isinstance(unit, Infinity)
    found = elements.identity(row.name, domain)
    assert elements.combine(row.name, [found], elements.constant("true" if domain == "pred" else "1", domain)) == 1
    assert close_reduce(OpenReduce(row.name, (), (), one(domain))) is one(domain)


def test_what_may_be_called_on_indices_has_its_operation_on_them() -> None:
    assert set(FUNCTIONS) == {row.name for row in DECIDED if Trait.OF_INDICES in row.traits}


def node_of(row: Operator) -> str:
    """The node of an operator that is not elementwise: the name of its family in capitals."""
    return "".join(word.capitalize() for word in row.family.name.split("_"))


@cache
def taken(package: str) -> set[str]:
    """The nodes of which some function of a package takes one."""
    found = (node for file in modules_in(PACKAGE / package) for node in nodes(file))
    functions = [node for node in found if isinstance(node, ast.FunctionDef)]
    return {ast.unparse(each.annotation) for function in functions for each in function.args.args if each.annotation}


@pytest.mark.parametrize("row", STRUCTURAL, ids=lambda row: row.name)
@pytest.mark.parametrize("package", ["meaning", "replay"])
def test_an_operator_that_moves_or_combines_has_its_node_and_a_function_in_both(row: Operator, package: str) -> None:
    assert hasattr(tensor, node_of(row))
    assert node_of(row) in taken(package)


def tables(module: str) -> list[dict[str, str]]:
    """The dictionaries that a module of the replay writes down, as texts."""
    written = [node for node in nodes(PACKAGE / "replay" / module) if isinstance(node, ast.Dict)]
    pairs = [[pair for pair in zip(node.keys, node.values, strict=True) if pair[0]] for node in written]
    return [
        {ast.unparse(key).strip("'"): ast.unparse(value).strip("'") for key, value in each if key} for each in pairs
    ]


def test_the_replay_knows_no_operator_without_a_row() -> None:
    names = {name for table in tables("elements.py") for name in table}
    assert names - {tensor.DECLARED} <= set(ROWS)
    signs = {row.signs[0]: row.name for row in DECIDED if row.family is Family.COMPARISON}
    assert signs in tables("formulas.py")
