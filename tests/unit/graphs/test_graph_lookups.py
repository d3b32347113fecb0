"""Rows of a table looked up by index, the table cut over the ranks: masks that are right, and those that are not."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from rewright.checks.refinement import answer
from rewright.graphs.decide import decide
from rewright.graphs.decision import RelationsFound
from rewright.model.file import check_file
from rewright.model.graph import Refinement
from rewright.replay.arrays import Data, from_flat
from rewright.replay.elements import UNDEFINED
from rewright.replay.graphs import local
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, RefinementWitness, Verdict

BUDGET = Budget(steps=2_000_000, seconds=2.0)
TEXT = """graph embed(w: f32[v, d], idx: s32[t]) -> y { y = gather(w, idx, 0) }
graph embed_tp(w: f32[v / tp, d], idx: s32[t]) -> y on mesh(tp = RANKS) {
  lo = rank(tp) * v / tp
BODY
}
refine embed_tp of embed { w: shard(0, tp); expect y: replicate }
"""


def read(text: str) -> Refinement:
    declarations = check_file(parse(Text.of("test.rw", text)), lambda _: None).declarations
    assert not [each.findings or each.unsupported for each in declarations if each.findings or each.unsupported]
    (asked,) = (each.value for each in declarations if isinstance(each.value, Refinement))
    return asked


def verdict(body: str, ranks: int = 2, text: str = TEXT) -> Answer:
    return answer(read(text.replace("BODY", body).replace("RANKS", str(ranks))), BUDGET)


OWN = "  own = idx >= lo and idx < lo + v / tp\n"
RIGHT = {
    "masked twice": OWN
    + "  y = all_reduce(add, select(broadcast(own, j: d), gather(w, select(own, idx - lo, 0), 0), 0), over = tp)",
    "masked by what others have": """  other = idx < lo or not idx < lo + v / tp
  y = all_reduce(add, select(broadcast(other, j: d), 0, gather(w, select(other, 0, idx - lo), 0)), over = tp)""",
    "by a product": """  own = select(idx >= lo and lo + v / tp > idx, 1, 0)
  y = all_reduce(add, broadcast(own, j: d) * gather(w, (idx - lo) * own, 0), over = tp)""",
    "in an index that counts the other way": """  own = lo - idx <= 0 and 2 * idx < 2 * lo + 2 * v / tp
  y = all_reduce(add, gather(w, select(own, idx - lo, 0), 0) * broadcast(select(own, 1, 0), j: d), over = tp)""",
    "what is out of range is not chosen": OWN
    + "  y = all_reduce(add, select(broadcast(own, j: d), gather(w, idx - lo, 0), 0), over = tp)",
    "another row where it is masked": OWN
    + "  local = select(own, idx - lo, v / tp - 1)\n"
    + "  y = all_reduce(add, select(broadcast(own, j: d), gather(w, local, 0), 0), over = tp)",
    "an index that is clipped": "  own = idx >= lo and idx <= lo + v / tp - 1\n"
    + "  local = min(max(idx - lo, 0), v / tp - 1)\n"
    + "  y = all_reduce(add, select(broadcast(own, j: d), gather(w, local, 0), 0), over = tp)",
    "an index that is clipped, of a strict bound": OWN
    + "  local = max(0, min(v / tp - 1, idx - lo))\n"
    + "  y = all_reduce(add, select(broadcast(own, j: d), gather(w, local, 0), 0), over = tp)",
    "an index that is counted from the end": OWN
    + "  local = select(own, idx - lo, 0)\n"
    + "  row = select(local < 0, local + v / tp, local)\n"
    + "  y = all_reduce(add, select(broadcast(own, j: d), gather(w, row, 0), 0), over = tp)",
    "a choice in a choice": OWN
    + "  local = select(own, select(not own, 0, idx - lo), 0)\n"
    + "  y = all_reduce(add, select(broadcast(own, j: d), gather(w, select(local >= 0, local, 0), 0), 0), over = tp)",
    "gathered first": "  y = gather(all_gather(w, 0, over = tp), idx, 0)",
}


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_rows_that_a_rank_has_are_its_terms_of_the_lookup(name: str, ranks: int) -> None:
    found = verdict(RIGHT[name], ranks)
    assert found.verdict is Verdict.PROVED and found.replays
    assert found.coverage.text == f"all sizes, tp = {ranks}"
    assert "both graphs are defined where `gather` stands" in found.coverage.assumptions


def test_every_wrong_bound_offset_and_mask_is_refuted_as_numpy_says() -> None:
    """Bounds that are one off, masks that overlap or leave gaps, offsets that are missing: 288 of them, 40 drawn."""
    choices = list(product((">=", ">"), (-1, 0, 1), ("<", "<="), (-1, 0, 1), ("lo", "0"), (True, False), (True, False)))
    right = (">=", 0, "<", 0, "lo", True, True)
    proved = 0
    for chosen in [right, *random.Random(5).sample(choices, 40)]:
        low, below, high, above, offset, is_index_masked, is_masked = chosen
        index = f"idx - {offset}"
        looked_up = f"gather(w, {f'select(own, {index}, 0)' if is_index_masked else index}, 0)"
        masked = f"select(broadcast(own, j: d), {looked_up}, 0)" if is_masked else looked_up
        found = verdict(
            f"  own = idx {low} lo + {below} and idx {high} lo + v / tp + {above}\n"
            f"  y = all_reduce(add, {masked}, over = tp)"
        )
        assert found.verdict is (Verdict.PROVED if _is_right(chosen) else Verdict.REFUTED), chosen
        proved += found.verdict is Verdict.PROVED
        if found.verdict is Verdict.REFUTED:
            assert isinstance(found.witness, RefinementWitness) and found.witness.replayed
    assert proved >= 1


@pytest.mark.parametrize(
    "row",
    ["select(local <= 0, local + 1, local)", "select(local < 1, local + v / tp, local)", "select(local > 0, 0, local)"],
)
def test_a_choice_of_another_row_is_refuted(row: str) -> None:
    found = verdict(
        OWN
        + f"  local = select(own, idx - lo, 0)\n  row = {row}\n"
        + "  y = all_reduce(add, select(broadcast(own, j: d), gather(w, row, 0), 0), over = tp)"
    )
    assert found.verdict is Verdict.REFUTED


def _is_right(chosen: tuple[str, int, str, int, str, bool, bool]) -> bool:
    """Whether two ranks with two rows each, and with three, have the row at every index; NumPy only."""
    low, below, high, above, offset, is_index_masked, is_masked = chosen
    for rows in (1, 2, 3):
        table = np.random.default_rng(rows).normal(size=2 * rows)
        for index in range(2 * rows):
            total = 0.0
            for start in (0, rows):
                own = index >= start + below if low == ">=" else index > start + below
                own = own and (index < start + rows + above if high == "<" else index <= start + rows + above)
                at = index - (start if offset == "lo" else 0)
                at = at if own or not is_index_masked else 0
                if own or not is_masked:
                    if not 0 <= at < rows:
                        return False
                    total += table[start + at]
            if not np.isclose(total, table[index]):
                return False
    return True


@pytest.mark.parametrize(
    ("sequential", "distributed", "placed", "is_proved"),
    [
        ("gather(w, idx, 0)", "gather(w, idx, 0)", "w: shard(1, tp); expect y: shard(1, tp)", True),
        ("gather(w, idx, 0)", "gather(w, idx, 0)", "idx: shard(0, tp); expect y: shard(0, tp)", True),
        ("gather(w, idx, 1)", "gather(w, idx, 1)", "w: shard(0, tp); expect y: shard(0, tp)", True),
        (
            "gather(w, idx, 0) @ transpose(w, [1, 0])",
            "gather(w, idx, 0) @ transpose(w, [1, 0])",
            "w: shard(1, tp)",
            True,
        ),
        ("gather(w, idx + 1 - 1, 0)", "gather(w, idx, 0)", "", True),
        ("gather(w, idx, 0)", "gather(w, idx + 1, 0)", "", False),
        ("gather(w + w, idx, 0)", "2 * gather(w, idx, 0)", "", True),
        ("gather(w, iota(i, i: v), 0)", "w", "", None),
        ("gather(exp(w), idx, 0)", "exp(gather(w, idx, 0))", "", None),
    ],
)
def test_what_is_looked_up(sequential: str, distributed: str, placed: str, is_proved: bool | None) -> None:
    cut = {"w: shard(0": "v / tp, d", "w: shard(1": "v, d / tp"}
    table = next((shape for word, shape in cut.items() if word in placed), "v, d")
    tokens = "t / tp" if "idx: shard" in placed else "t"
    found = verdict(
        "",
        text=f"""graph one(w: f32[v, d], idx: s32[t]) -> y {{ y = {sequential} }}
graph many(w: f32[{table}], idx: s32[{tokens}]) -> y on mesh(tp = 2) {{ y = {distributed} }}
refine many of one {{ {placed} }}
""",
    )
    expected = {True: Verdict.PROVED, False: Verdict.REFUTED, None: Verdict.UNKNOWN}
    assert found.verdict is expected[is_proved]


def test_a_mask_that_varies_along_the_rows_is_no_mask_of_indices() -> None:
    body = "  own = w >= 0\n  y = select(own, gather(w, iota(i, i: v), 0), 0)"
    text = """graph one(w: f32[v, d]) -> y { y = max(w, 0) }
graph many(w: f32[v, d]) -> y on mesh(tp = 2) {
BODY
}
refine many of one { }
"""
    assert not isinstance(decide(read(text.replace("BODY", body))).decision, RelationsFound)


def test_two_dimensions_of_tokens_and_a_table_over_one_axis_of_two() -> None:
    found = verdict(
        "",
        text="""graph one(w: f32[v, d], idx: s32[b, s]) -> y { y = gather(w, idx, 0) }
graph many(w: f32[v / tp, d], idx: s32[b / dp, s]) -> y on mesh(dp = 2, tp = 2) {
  lo = rank(tp) * (v / tp)
  own = idx >= lo and idx < lo + v / tp
  y = reduce_scatter(add, select(broadcast(own, j: d), gather(w, select(own, idx - lo, 0), 0), 0), 1, over = tp)
}
refine many of one { w: shard(0, tp); idx: shard(0, dp); expect y: shard(0, dp), shard(1, tp) }
""",
    )
    assert found.verdict is Verdict.PROVED and found.replays


def array(*elements: int | Fraction | str) -> Data:
    return from_flat((len(elements),), [each if isinstance(each, str) else Fraction(each) for each in elements])


def test_an_index_that_the_table_does_not_have_has_no_value() -> None:
    table = from_flat((2, 2), [Fraction(each) for each in (1, 2, 3, 4)])
    rows = local.gathered(table, array(1, 2, -1, Fraction(1, 2), 0), 0)
    assert rows.tolist() == [[3, 4], [UNDEFINED] * 2, [UNDEFINED] * 2, [UNDEFINED] * 2, [1, 2]]
    columns = local.gathered(table, array(1, 5), 1)
    assert columns.tolist() == [[2, UNDEFINED], [4, UNDEFINED]]
    assert local.gathered(table, from_flat((0,), []), 1).shape == (2, 0)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("  y = gather(w, idx / 2, 0)", "`/` of integers in a graph"),
        ("  y = gather(w, exp(idx), 0)", "`exp` of integers in a graph"),
    ],
)
def test_integers_are_taken_where_they_are_as_reals(body: str, said: str) -> None:
    text = TEXT.replace("BODY", body).replace("RANKS", "2")
    unsupported = [
        each
        for one in check_file(parse(Text.of("t.rw", text)), lambda _: None).declarations
        for each in one.unsupported
    ]
    assert any(said in f"{each.reason} is not supported yet" or said in each.reason for each in unsupported)


def test_parts_of_integers_are_integers() -> None:
    text = """graph one(w: f32[v, d], idx: s32[t]) -> y { y = gather(w, idx, 0) }
graph many(w: f32[v, d], idx: s32[t]) -> y on mesh(tp = 2) { y = gather(w, all_reduce(add, idx, over = tp), 0) }
refine many of one { idx: partial(add, tp); expect y: replicate }
"""
    found = verdict("", text=text)
    assert found.verdict is Verdict.PROVED and found.replays


@pytest.mark.parametrize(
    ("mask", "index", "element", "expected"),
    [
        ("idx >= lo and idx < lo + v / tp", "max(0, min(v / tp - 1, idx - lo))", "s32", Verdict.PROVED),
        ("idx >= lo and idx < lo + v / tp", "max(0, min(v / tp - 1, idx - lo))", "f32", Verdict.UNKNOWN),
        ("idx >= lo", "max(0, min(v / tp - 1, idx - lo))", "s32", Verdict.REFUTED),
        ("idx >= lo and idx < lo + v / tp", "max(1, min(v / tp - 1, idx - lo))", "s32", Verdict.REFUTED),
        ("idx >= lo and idx < lo + v / tp", "max(0, min(v / tp - 2, idx - lo))", "s32", Verdict.REFUTED),
    ],
)
def test_a_bound_of_whole_numbers_is_strict_or_not(mask: str, index: str, element: str, expected: Verdict) -> None:
    body = f"""  own = {mask}
  y = all_reduce(add, select(broadcast(own, j: d), gather(w, {index}, 0), 0), over = tp)"""
    assert verdict(body, text=TEXT.replace("s32", element)).verdict is expected
