"""Refinements as they are written: what the wrong ones of the library are told, and where the limits of proofs are."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rewright.checks.refinement import answer, answer_all
from rewright.graphs.text import placement_text, size_text
from rewright.model.file import check_file
from rewright.model.graph import Partial, Refinement, RefinementFamily
from rewright.model.index import Name
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.terms import scale, variable
from rewright.verdict import Answer, InDeclaration, RefinementWitness, Verdict

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs"
BUDGET = Budget(steps=2_000_000, seconds=2.0)
TOLD = {
    "attention_scaled_otherwise": "scaled",
    "mlp_without_all_reduce": "unreduced",
    "mlp_over_the_wrong_axis": "unreduced",
    "mlp_without_all_gather": "unreduced",
    "linear_bias_on_each_rank": "doubled",
    "loss_not_divided": "scaled",
    "rotary_from_zero": "shifted",
    "auxiliary_loss_times_ranks": "scaled",
    "scaled_rows_cut_short": "shifted",
    "product_on_the_diagonal": "shifted",
    "norm_weight_gradient_of_own_rows": "unreduced",
    "mean_loss_of_means": "doubled",
    "head_gradient_not_summed": "unreduced",
    "router_gradient_of_own_tokens": "unreduced",
    "layer_norm_gradient_of_own_rows": "unreduced",
    "scattered_and_gathered": "shifted",
    "gathered_along_columns": "other",
    "not_around": "missing",
    "one_too_far": "shifted",
    "summed_with_the_same": "unreduced",
    "rows_of_the_first": "shifted",
    "summed_twice": "scaled",
    "summed_over_one": "unreduced",
    "row_maximum_added": "unreduced",
    "step_without_all_reduce": "unreduced",
    "step_divided_twice": "scaled",
    "step_of_summed_parameters": "doubled",
    "step_of_own_examples": "unreduced",
    "step_of_the_first_shard": "shifted",
    "step_with_the_same_targets": "shifted",
    "step_of_the_last": "unreduced",
    "two_stages_apart": "shifted",
    "two_stages_backwards": "shifted",
    "own_keys": "unreduced",
    "causal_from_zero": "shifted",
    "norm_divided_twice": "scaled",
    "attention_of_own_maxima": "unreduced",
    "attention_averaged": "unreduced",
    "attention_ring_unscaled": "unreduced",
    "cross_entropy_of_own_sums": "unreduced",
    "model_in_other_order": "other",
    "both_reduced_late": "unreduced",
    "layer_not_scattered": "other",
    "layer_with_bias_on_each_rank": "doubled",
    "layer_with_residual_on_each_rank": "doubled",
    "merged_layer_with_whole_biases": "other",
    "merged_layer_with_the_gate_on_the_wrong_half": "other",
}
"""How each wrong refinement of the library departs."""


def families(text: str) -> dict[str, tuple[Refinement, ...]]:
    """The refinements of a text on each of their meshes, by the names of their distributed graphs."""
    values = (each.value for each in check_file(parse(Text.of("test.rw", text)), lambda path: None).declarations)
    found = (value.members if isinstance(value, RefinementFamily) else (value,) for value in values)
    return {str(each[0].distributed.name): each for each in found if isinstance(each[0], Refinement)}  # type: ignore[misc]


def refinements(text: str) -> dict[str, Refinement]:
    """The refinements of a text by the names of their distributed graphs."""
    return {name: members[0] for name, members in families(text).items()}


@cache
def library() -> dict[str, tuple[Refinement, ...]]:
    texts = (path.read_text(encoding="utf-8") for path in sorted(LIBRARY.glob("*.rw")))
    return {name: members for text in texts for name, members in families(text).items()}


def test_what_is_wrong_is_told_of_every_wrong_refinement() -> None:
    texts = (path.read_text(encoding="utf-8") for path in LIBRARY.glob("*.rw"))
    assert {name for text in texts for name in re.findall(r"@expect\(refuted\)\nrefine (\w+)", text)} == set(TOLD)


@pytest.mark.parametrize("name", TOLD)
def test_a_wrong_refinement_is_told_how_it_departs(name: str) -> None:
    found = answer_all(library()[name], BUDGET)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RefinementWitness) and found.witness.replayed
    assert found.witness.cause is not None and found.witness.cause.kind == TOLD[name]
    (finding,) = found.findings
    assert isinstance(finding.place, InDeclaration) and finding.place.declaration == name
    assert codes.sentence(finding.diagnosis).count(":") == (TOLD[name] != "other")


PRODUCT = """graph whole(x: f32[m, k], a: f32[k, n]) -> y { y = x @ a }
graph parts(x: f32[m, k/tp], a: f32[k/tp, n]) -> y on mesh(tp = 4) { y = BODY }
refine parts of whole { x: shard(1, tp); a: shard(0, tp)EXPECT }
"""


def verdict(body: str, expected: str = "", text: str = PRODUCT) -> Answer:
    (asked,) = refinements(text.replace("BODY", body).replace("EXPECT", expected)).values()
    return answer(asked, BUDGET)


def test_a_proof_says_its_relation_and_what_it_speaks_for() -> None:
    found = verdict("x @ a")
    assert found.verdict is Verdict.PROVED and found.replays == 3
    assert found.relation == (("y", "y@0 + y@1 + y@2 + y@3"),)
    assert found.coverage.text == "all sizes, tp = 4" and not found.coverage.bounded
    assert found.coverage.assumptions == (
        "elements are real numbers",
        "sizes are at least 1, `k` is a multiple of 4",
    )


@pytest.mark.parametrize(
    ("body", "expected", "is_proved"),
    [
        ("all_reduce(add, x @ a, over = tp)", "; expect y: replicate", True),
        ("all_reduce(add, x @ a, over = tp)", "; expect y: partial(add, tp)", False),
        ("all_reduce(add, x @ a, over = tp) / 4", "; expect y: partial(add, tp)", True),
        ("all_reduce(add, x @ a, over = tp) / 8", "", False),  # a factor is not clean
        ("all_reduce(add, x @ a, over = tp) + 1", "", False),  # nor is a constant
        ("all_reduce(max, x @ a, over = tp)", "", False),
        ("all_reduce(add, max(x @ a, 0), over = tp)", "", False),
        ("all_reduce(add, (x @ a) * (x @ a), over = tp)", "", False),
    ],
)
def test_clean_is_parts_and_sums_over_ranks(body: str, expected: str, is_proved: bool) -> None:
    assert verdict(body, expected).verdict is (Verdict.PROVED if is_proved else Verdict.REFUTED)


def test_maxima_are_joined_by_maxima_only() -> None:
    text = """graph whole(x: f32[m, k]) -> y { y = reduce(max, x, 1) }
graph parts(x: f32[m, k/tp]) -> y on mesh(tp = 2) { y = all_reduce(OPERATOR, reduce(max, x, 1), over = tp) }
refine parts of whole { x: shard(1, tp); expect y: replicate }
"""
    assert verdict("", text=text.replace("OPERATOR", "max")).verdict is Verdict.PROVED
    assert verdict("", text=text.replace("OPERATOR", "add")).verdict is Verdict.REFUTED


def test_maxima_are_joined_in_each_box() -> None:
    text = """graph whole(x: f32[m, k]) -> y { y = reduce(max, concatenate(x, -x, 0), 1) }
graph parts(x: f32[m, k/tp]) -> y on mesh(tp = 2) {
  y = all_reduce(max, reduce(max, concatenate(x, -x, 0), 1), over = tp)
}
refine parts of whole { x: shard(1, tp); expect y: replicate }
"""
    assert verdict("", text=text).verdict is Verdict.PROVED


def test_what_is_not_linear_is_applied_to_the_sum_and_not_to_its_parts() -> None:
    text = PRODUCT.replace("y = x @ a", "y = max(x @ a, 0)")
    assert verdict("max(all_reduce(add, x @ a, over = tp), 0)", text=text).verdict is Verdict.PROVED
    assert verdict("all_reduce(add, max(x @ a, 0), over = tp)", text=text).verdict is Verdict.REFUTED


def test_a_relation_to_a_result_of_another_name_is_replayed() -> None:
    text = """graph whole(x: f32[m]) -> y { y = x + x }
graph parts(x: f32[m/tp]) -> z on mesh(tp = 2) { z = 2 * x }
refine parts of whole { x: shard(0, tp) }
"""
    found = verdict("", text=text)
    assert found.verdict is Verdict.PROVED and found.replays == 2
    assert found.relation == (("y", "concatenate(z@0, z@1, 0)"),)


@pytest.mark.parametrize(
    ("sequential", "distributed", "expected"),
    [
        ("2 * x", "2 * x + 0 * (1 / (0 * x))", Verdict.REFUTED),  # only the sequential one is defined
        ("0 * (1 / x)", "x - x", Verdict.PROVED),  # is assumed to be
    ],
)
def test_what_cancels_may_be_undefined(sequential: str, distributed: str, expected: Verdict) -> None:
    text = f"""graph whole(x: f32[m]) -> y {{ y = {sequential} }}
graph parts(x: f32[m/tp]) -> y on mesh(tp = 2) {{ y = {distributed} }}
refine parts of whole {{ x: shard(0, tp) }}
"""
    found = verdict("", text=text)
    assert found.verdict is expected
    if expected is Verdict.PROVED:
        assert "both graphs are defined where `divide` stands" in found.coverage.assumptions


def test_sizes_are_shown_as_the_language_writes_them() -> None:
    assert size_text(scale(3, variable("h", None)), {Name("h"): 4}) == "3*h/4"
    assert placement_text((Partial("maximum", Name("tp")),)) == "partial(max, tp)"


def test_what_is_required_of_sizes_divides_them() -> None:
    text = """graph whole(x: f32[t]) -> y { y = reduce(add, x, 0) }
graph parts(x: f32[t/tp]) -> y on mesh(tp) { requires t % 12 == 0; y = all_reduce(add, reduce(add, x, 0), over = tp) }
refine parts of whole at tp = 2, 3 { x: shard(0, tp); expect y: replicate }
"""
    found = answer_all(families(text)["parts"], BUDGET)
    assert found.verdict is Verdict.PROVED and found.coverage.text == "all sizes, tp = 2, 3"
    assert found.relation == (("y", "y@0"),)
    assert found.coverage.assumptions[1:] == (
        "sizes are at least 1, `t` is a multiple of 12",
        "sizes are as required: `t % 12 == 0`",
    )


def test_a_mesh_that_refutes_is_found_after_one_that_is_not_decided() -> None:
    text = """graph whole(x: f32[m]) -> y { y = 2 * sine(x) * cosine(x) }
graph parts(x: f32[m/tp]) -> y on mesh(tp) { y = sine(tp * x) }
refine parts of whole at tp = 2, 4 { x: shard(0, tp); expect y: shard(0, tp) }
"""
    both = families(text)["parts"]
    assert answer(both[0], BUDGET).verdict is Verdict.UNKNOWN
    found = answer_all(both, BUDGET)
    assert found.verdict is Verdict.REFUTED and found.coverage.text == "one input, replayed, tp = 4"


def test_a_sum_of_no_terms_is_zero() -> None:
    text = """graph empty(x: f32[3], y: f32[3, 0], z: f32[0, 3]) -> s { s = reduce(add, broadcast(x, j: 0), 1) + y @ z }
graph nothing(x: f32[3], y: f32[3, 0], z: f32[0, 3]) -> s { s = broadcast(x - x, j: 3) }
graph something(x: f32[3], y: f32[3, 0], z: f32[0, 3]) -> s { s = broadcast(x, j: 3) }
refine nothing of empty {}
refine something of empty { expect s: replicate }
"""
    asked = refinements(text)
    assert answer(asked["nothing"], BUDGET).verdict is Verdict.PROVED
    assert answer(asked["something"], BUDGET).verdict is Verdict.REFUTED
