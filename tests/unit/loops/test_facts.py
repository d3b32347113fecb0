"""What is said of loops and statements, against operations that are executed one by one."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from rewright.fixes.loops.texts import read
from rewright.loops.facts import nest_facts
from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.model.nest import Nest
from rewright.model.nest_facts import NestFacts, StatementFacts
from rewright.replay.loops.running import NestRun, satisfied
from rewright.report.nest_facts_markdown import loop_markdown, picture, statement_markdown
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

LIBRARY = Path(__file__).parents[3] / "rules" / "loops"
OPERATIONS = 1_000_000


def nest_of(text: str) -> Nest:
    made = read((text,))
    assert made is not None and isinstance(made.value, Nest)
    return made.value


def facts_of(text: str) -> NestFacts:
    return nest_facts(nest_of(text), ((), ()), OPERATIONS)


SEIDEL = """loops seidel(T, N) {
  array A: f64[N, N]
  for t in 0..T, i in 1..N, j in 1..N { S: A[i, j] = A[i-1, j] + A[i, j-1] }
}"""


def test_the_sweep_of_gauss_and_seidel() -> None:
    found = facts_of(SEIDEL)
    (statement,) = found.statements
    said = {(each.kind, each.access, each.distance, each.carrier) for each in statement.dependences}
    assert ("flow", "A[i - 1, j]", ("0", "1", "0"), "i") in said
    assert ("flow", "A[i, j - 1]", ("0", "0", "1"), "j") in said
    assert ("anti", "A[i - 1, j]", ("1", "-1", "0"), "t") in said
    assert ("output", "A[i, j]", ("1", "0", "0"), "t") in said
    assert {each.iterator: each.tileable for each in found.loops} == {"t": ("t",), "i": ("i", "j"), "j": ("i", "j")}
    assert "| flow | `S` | `A[i - 1, j]` | (0, 1, 0) | loop `i` |" in statement_markdown(statement)
    assert "It can be tiled together with `j`" in loop_markdown(found.loops[1])


def test_loops_that_carry_nothing() -> None:
    found = facts_of("loops m(N) {\n  array A, B: f64[N, N]\n  for i in 0..N, j in 0..i + 1 { A[i, j] = B[j, i] }\n}")
    assert [each.carries for each in found.loops] == [(), ()]
    assert "its iterations may run at once" in loop_markdown(found.loops[0])
    assert found.statements[0].count == "(N**2 + N) / 2"


@pytest.mark.parametrize(
    ("head", "count"),
    [
        ("i in 0..N, j in 0..M", "N * M"),
        ("i in 1..N - 1, j in 0..N", "(N - 2) * N where 1 <= N - 1"),
        ("i in 0..N, j in i..N", "(N**2 + N) / 2"),
        ("i in 0..N, j in 0..i, k in 0..j", "(N**3 - 3 * N**2 + 2 * N) / 6"),
        ("i in 0..N, j in 0..min(i, 3)", None),
        ("i in 0..N step 2", None),
        ("i in 0..N, j in 2..i", None),
    ],
)
def test_formulas_of_counts(head: str, count: str | None) -> None:
    text = f"loops c(N, M) {{\n  array s: f64\n  requires N >= 1, M >= 1\n  for {head} {{ s = 0 }}\n}}"
    (statement,) = facts_of(text).statements
    assert statement.count == count


def test_formulas_agree_with_what_is_executed() -> None:
    looked = 0
    for path in sorted(LIBRARY.glob("*.rw")):
        parsed = parse(Text.of(str(path), path.read_text()))
        for declared in check_file(parsed, lambda _: None).declarations:
            if isinstance(declared.value, Nest):
                looked += sum(map(_agrees(declared.value), nest_facts(declared.value, ((), ()), OPERATIONS).statements))
    assert looked >= 20


class _agrees:
    """How many choices of sizes a formula was compared at."""

    def __init__(self, nest: Nest) -> None:
        self._counts: list[tuple[dict[Name, int], dict[int, int]]] = []
        for numbers in product((1, 2, 5), repeat=len(nest.parameters)):
            values = dict(zip(nest.parameters, numbers, strict=True))
            if satisfied(nest, values):
                counts: dict[int, int] = {}
                for each in NestRun(dict(values), 100_000).operations(nest):
                    counts[each.statement.site] = counts.get(each.statement.site, 0) + 1
                self._counts.append((values, counts))

    def __call__(self, facts: StatementFacts) -> int:
        if facts.count is None:
            return 0
        formula, _, where = facts.count.partition(" where ")
        compared = 0
        for numbers, counts in self._counts:
            values: dict[str, object] = {str(name): number for name, number in numbers.items()}
            if all(eval(each, {}, values) for each in where.split(", ") if each):
                assert eval(formula, {}, values) == counts.get(facts.site, 0), (facts, values)
                compared += 1
        return compared


def test_a_picture_marks_what_is_wrong() -> None:
    nest = nest_of("loops p(N) {\n  array A: f64[N, N]\n  for i in 0..N, j in 0..i { S: A[i, j] = 0 }\n}")
    sizes, wrong = ((Name("N"), 3),), ((Name("i"), 2), (Name("j"), 2))
    (statement,) = nest_facts(nest, (sizes, wrong), OPERATIONS).statements
    assert statement.picture is not None
    assert picture(statement.picture) == (
        "Iterations at N = 3; `✗` is wrong:\n```text\ni \\ j 0 1 2\n    1 ● · ·\n    2 ● ● ✗\n```"
    )


def test_pictures_stay_small() -> None:
    wide = facts_of("loops w(N) {\n  array A: f64[40]\n  for i in 0..40 { A[i] = 0 }\n}").statements[0]
    assert wide.picture is None
    row = facts_of("loops r(N) {\n  array A: f64[N]\n  for i in 0..N { A[i] = 0 }\n}").statements[0]
    assert row.picture is not None and row.picture.rows == ("######",)
