"""What is offered while a declaration is written: the right names at each place, and operators that fit."""

from __future__ import annotations

import pytest
from written import CURSOR, offered, problems

from rewright.model.operator_table import OPERATORS
from rewright.model.operators import Family, Operator
from rewright.writing.offer import Sort, plain
from rewright.writing.words import ATTRIBUTES, DECLARATIONS, ITEMS

NAMES = """\
rule r<T: num, U: any, R: real> {
  axes A, I ~ J
  axis d, e
  map n, m on A
  map p on d
  map q on I
  int k
  scalar c: T
  scalar u: U
  tensor X, Y: T[A: n, d: p]
  tensor V: T[A: n]
  tensor Z: U[I: q]
  tensor W: R[A: n]
  tensor P, Q: pred[A: n]
  fn f: T -> T
  monoid op: U

"""
ALL = NAMES + "  LEFT => RIGHT\n}\n"

CALLED = [
    operator
    for operator in OPERATORS
    if operator.family is not Family.COMPARISON and operator.name not in ("and", "or", "not")
]


def completed(text: str, label: str) -> str:
    """The text once an offer is taken at its cursor."""
    return text.replace(CURSOR, plain(offered(text)[label].snippet))


PLACES = {
    "left": NAMES + "  | => X\n}\n",
    "right": NAMES + "  X =>\n    |\n}\n",
    "let": NAMES + "  let e = |\n  X => X\n}\n",
    "operand": NAMES + "  let e = select(X == Y, |, X)\n  X => X\n}\n",
    "without a side": NAMES + "  |\n",
}


@pytest.mark.parametrize("operator", CALLED, ids=lambda operator: operator.name)
def test_an_operator_is_offered_at_every_place_with_operands_that_fit(operator: Operator) -> None:
    for place, text in PLACES.items():
        found = offered(text)
        for name in operator.names:
            assert found[name].sort is Sort.OPERATOR, f"{name} has no operands at {place}"
            written = plain(found[name].snippet)
            assert problems(ALL.replace("LEFT", written).replace("RIGHT", written)) == [], written


@pytest.mark.parametrize("operator", [each for each in CALLED if each.attributes], ids=lambda operator: operator.name)
def test_every_attribute_of_an_operator_is_offered_for_a_group(operator: Operator) -> None:
    given = plain(offered(PLACES["left"])[operator.name].snippet)
    head = given.split("A: ")[0] if "A: " in given else ""
    if not head:
        return
    text = NAMES + f"  {head}A: (|) => X\n}}\n"
    found = offered(text)
    for attribute in operator.attributes:
        assert found[attribute.name].sort is Sort.ATTRIBUTE
        written = plain(found[attribute.name].snippet)
        others = ", ".join(
            f"{each.name} = 1" for each in operator.attributes if not each.default and each is not attribute
        )
        call = f"{head}A: ({written}{', ' if others else ''}{others}))"
        assert problems(ALL.replace("LEFT", call).replace("RIGHT", call)) == [], call


def test_functions_of_indices_are_offered_in_preconditions() -> None:
    text = NAMES + "  X => X\n  where n == |\n}\n"
    for name in ("min", "max", "minimum", "maximum", "n", "k"):
        assert problems(completed(text, name)) == []
    assert not {"add", "X", "reduce"} & offered(text).keys()


@pytest.mark.parametrize("word", DECLARATIONS)
def test_a_declaration_s_snippet_is_a_declaration(word: str) -> None:
    others = {
        "equivalent": "kernel left() { launch block(1) }\nkernel right() { launch block(1) }\n",
        "refine": "graph sequential(W: f32[k]) -> Y {\n  Y = W\n}\ngraph distributed(W: f32[k]) -> Y {\n  Y = W\n}\n",
        "transform": "loops nest(N) {\n  array A: f64[N]\n  for i in 0..N {\n    S: A[i] = A[i]\n  }\n}\n",
    }
    text = f"{others.get(word, '')}|"
    assert [problem for problem in problems(completed(text, word)) if "UnusableImport" not in problem] == []


@pytest.mark.parametrize("kind", ITEMS)
def test_every_item_is_offered_at_the_start_of_a_line(kind: str) -> None:
    assert ITEMS[kind].keys() <= offered(f"{kind} name {{\n  |\n").keys()


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        ("|", {"rule", "kernel", "import", "@expect"}, {"axes", "slice"}),
        ("// a comment |", set(), {"rule"}),
        ("ru|", {"rule"}, set()),
        ("@|", set(ATTRIBUTES), {"rule"}),
        ("@expect(|", {"proved", "refuted", "over"}, {"rule"}),
        ("@expect(refuted, over = |)", {"f32", "int"}, {"proved"}),
        ("rule r<T: |", {"any", "num", "f32"}, {"T"}),
        ("rule r<T: any> {\n  axes A\n  map n on |", {"A"}, {"n", "slice"}),
        ("rule r<T: any> {\n  axes A\n  tensor X: |", {"T", "f32"}, {"any", "A"}),
        ("rule r<T: any> {\n  axes A\n  map n on A\n  tensor X: T[|", {"A"}, {"n", "T"}),
        ("rule r<T: any> {\n  axes A\n  map n on A\n  tensor X: T[A: |", {"n"}, {"T", "slice"}),
        ("rule r<T: any> {\n  axes A\n  check over |", {"s32", "f32"}, {"T", "A"}),
        ("rule r<T: any> {\n  axes A\n  map n on A\n  tensor X: T[A: n]\n  pad(X, |", {"A", "low", "n"}, set()),
        ("rule r<T: any> {\n  axes A\n  map n on A\n  tensor X: T[A: n]\n  pad(X, A: (low = |", {"n"}, {"slice"}),
        ("rule r<T: any> {\n  axes A\n  map n on A\n  where some |", {"A"}, {"n"}),
        ("rule r<T: any> {\n  axes A\n  map n on A\n  tensor X: T[A: n]\n  slice(X, 0\n  where |", {"n"}, {"X"}),
        ("rule r<T: any> {\n  axes A\n  example { |", {"A"}, {"slice"}),
        ("rule r { axes A; map n on | }", {"A"}, {"n"}),
        ("rule r {\n  axes A\n\nru|", {"rule"}, set()),
        ("rule r {\n}\n\n|", {"rule"}, {"axes"}),
        ("rule r {\r\n  axes Äxte\r\n  map ñ on |", {"Äxte"}, set()),
        ("kernel k(x: |", {"in", "f32"}, {"real"}),
        ("kernel k(x: in f32[4]) {\n  |", {"launch", "x", "barrier", "thread"}, {"axes"}),
        ("kernel k(x: in f32[4]) {\n  let i = thread.|", {"x", "y", "z"}, {"launch"}),
        ("kernel k(x: in f32[4]) {\n  shared s: |", {"f32"}, {"launch"}),
        ('import "|', {"….rw"}, {"rule"}),
        ('kernel k() from "ker|', {"ker….cu"}, set()),
        ("kernel a() {}\nequivalent |", {"a"}, {"rule"}),
    ],
)
def test_what_is_offered_depends_on_the_place(text: str, some: set[str], none: set[str]) -> None:
    found = offered(text).keys()
    assert some <= found
    assert not none & found


def test_every_prefix_of_a_text_has_offers() -> None:
    text = NAMES + "  reduce(add, pad(X, c, A: (low = 1)), d, init = c) => f(X)\n  where some A: n < m\n}\n"
    for end in range(len(text)):
        offered(text[:end] + CURSOR)
