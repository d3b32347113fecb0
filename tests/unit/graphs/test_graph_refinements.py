"""Refinements as they are written: what the wrong ones of the library are told, and where the limits of proofs are."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rewright.checks.refinement import answer, answer_all
from rewright.graphs.text import placement_text, size_text
from rewright.model.file import check_file
from rewright.model.graph import Constant, Dot, Elementwise, Partial, Refinement, RefinementFamily
from rewright.model.index import Name
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.terms import scale, variable
from rewright.verdict import Answer, InDeclaration, InSource, Place, RefinementWitness, Role, Site, Verdict
from rewright.verdict.diagnostics.graphs import NoCleanExpression

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs"
BUDGET = Budget(steps=2_000_000, seconds=2.0)
TOLD = {
    "attention_scaled_otherwise": ("scaled", "4"),
    "mlp_without_all_reduce": ("unreduced", "z @ b"),
    "mlp_over_the_wrong_axis": ("unreduced", "all_reduce(add, z @ b, over = dp)"),
    "mlp_without_all_gather": ("shifted", "x @ a"),
    "linear_bias_on_each_rank": ("doubled", "x @ a + c"),
    "loss_not_divided": ("scaled", "16"),
    "rotary_from_zero": ("shifted", "slice(c, s, 0, s / sp)"),
    "auxiliary_loss_times_ranks": ("scaled", "all_reduce(add, reduce(add, ps * rs, 0) / 16384, over = tp)"),
    "scaled_rows_cut_short": ("shifted", "slice(g, 0, rank(sp), n + rank(sp))"),
    "product_on_the_diagonal": ("shifted", "x @ a"),
    "norm_weight_gradient_of_own_rows": ("unreduced", "reduce(add, d * x * broadcast(r, h: h), 0)"),
    "mean_loss_of_means": ("scaled", "4"),
    "head_gradient_not_summed": ("unreduced", "g @ w2"),
    "router_gradient_of_own_tokens": ("unreduced", "b @ z"),
    "layer_norm_gradient_of_own_rows": (
        "unreduced",
        "reduce(add, d4 * (x - broadcast(mu, h: h)) * broadcast(r, h: h), 0)",
    ),
    "scattered_and_gathered": ("shifted", "all_gather(p, 0, over = tp)"),
    "gathered_along_columns": ("other", "all_gather(p, 1, over = tp)"),
    "not_around": ("missing", "collective_permute(x, over = sp, pairs = [(0, 1), (1, 2), (2, 3)])"),
    "one_too_far": ("shifted", "collective_permute(there, over = sp, pairs = [(0, 1), (1, 2), (2, 3), (3, 0)])"),
    "summed_with_the_same": (
        "unreduced",
        "p + collective_permute(p, over = tp, pairs = [(0, 1), (1, 0), (2, 3), (3, 2)])",
    ),
    "rows_of_the_first": ("shifted", "collective_broadcast(2 * x, over = tp, root = 0)"),
    "summed_twice": ("scaled", "all_reduce(add, all_reduce(add, x @ a, over = tp), over = tp)"),
    "summed_over_one": ("unreduced", "x @ a"),
    "row_maximum_added": ("unreduced", "all_reduce(add, reduce(max, x, 1), over = tp)"),
    "step_without_all_reduce": ("scaled", "dp"),
    "step_divided_twice": ("scaled", "dp"),
    "step_of_summed_parameters": ("doubled", "w - transpose(x, [1, 0]) @ (2 * d) / 64 / 10"),
    "step_of_own_examples": ("unreduced", "slice(g, 0, rank(dp) * k / dp, (rank(dp) + 1) * k / dp)"),
    "step_of_the_first_shard": ("shifted", "slice(g, 0, 0, k / dp)"),
    "step_with_the_same_targets": ("shifted", "x2 @ w - slice(t, 0, 0, 32 / dp)"),
    "step_of_the_last": ("unreduced", "all_reduce(add, transpose(x2, [1, 0]) @ (2 * d2), over = dp)"),
    "two_stages_apart": ("shifted", "x @ own"),
    "two_stages_backwards": ("shifted", "x @ own"),
    "own_keys": ("shifted", "transpose(q, [1, 0, 2]) @ transpose(k, [1, 2, 0])"),
    "causal_from_zero": (
        "shifted",
        "select(iota(i, i: s / sp, j: s) >= iota(j, i: s / sp, j: s), q @ transpose(kk, [1, 0]), -1000)",
    ),
    "norm_divided_twice": ("scaled", "tp"),
    "attention_of_own_maxima": ("unreduced", "broadcast(reduce(max, p, 1), j: t / cp)"),
    "attention_averaged": ("unreduced", "w @ v / broadcast(reduce(add, w, 1), j: e)"),
    "attention_ring_unscaled": ("unreduced", "exp(p0 - broadcast(m0, j: t / cp))"),
    "cross_entropy_of_own_sums": ("unreduced", "log(s)"),
    "model_in_other_order": ("other", "layer_tp(x, e, f)"),
    "both_reduced_late": ("unreduced", "u * v"),
    "layer_not_scattered": (
        "unreduced",
        "slice(reshape(transpose(z, [1, 0, 2]), [s, a / tp * e]) @ o, 0, rank(tp) * s / tp, (rank(tp) + 1) * s / tp)",
    ),
    "layer_with_bias_on_each_rank": ("doubled", "tanh(nt @ u + c) @ w + j"),
    "layer_with_residual_on_each_rank": ("doubled", "all_gather(t, 0, over = tp) + tanh(nt @ u + c) @ w"),
    "loss_of_two_means": ("other", "m"),
    "logits_with_padding": ("other", "transpose(v, [1, 0])"),
    "gated_otherwise": ("other", "logistic(slice(z, 1, 0, f / tp))"),
    "embedding_without_offset": ("other", "gather(w, select(own, tokens, 0), 0)"),
    "embedding_without_mask": ("other", "gather(w, select(own, tokens - first, 0), 0)"),
    "embedding_without_first": ("other", "gather(w, select(own, tokens - first, 0), 0)"),
    "tied_of_own_rows": ("unreduced", "log(e)"),
    "gradients_of_ranks": ("doubled", "reduce(add, gw * gw, [0, 1]) + reduce(add, gs * gs, 0)"),
    "queries_by_token": ("other", "all_gather(reshape(q, [t, a / tp, e]), 0, over = tp)"),
    "merged_layer_with_whole_biases": ("other", "concatenate(q, k, v, 1)"),
    "merged_layer_with_the_gate_on_the_wrong_half": ("other", "logistic(i)"),
    "gradient_of_means": ("scaled", "n"),
    "gradient_of_first_targets": ("shifted", "own @ w - slice(y, 0, 0, n)"),
    "gradient_of_seven": (
        "unreduced",
        "g += transpose(own, [1, 0]) @ (own @ w - slice(y, 0, i * n, (i + 1) * n)) / (8 * n)",
    ),
    "gradient_dp_in_loop": ("doubled", "g + transpose(own, [1, 0]) @ (own @ w - due) / (8 * n)"),
    "layers_pp_early": ("other", "concatenate(x, broadcast(0, i: 2 * n, j: d), 0)"),
    "layers_pp_cut": ("other", "concatenate(x, broadcast(0, i: 2 * n, j: d), 0)"),
    "block_not_summed": ("doubled", "x + (x @ a) @ c"),
    "chosen_of_shares": ("other", "softmax(x)"),
    "fused_layer_without_rotary": ("other", "attention(q, a @ wk, a @ wv)"),
    "normed_by_another": ("other", "w + 1"),
    "normed_columns_tp": ("shifted", "rms_norm(x, w)"),
    "ring_attention_both_ways": ("unreduced", "exp(p - broadcast(m, j: t / cp))"),
}
"""How each wrong refinement of the library departs, and at which operator of the distributed graph."""


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
def test_a_wrong_refinement_is_told_how_and_where_it_departs(name: str) -> None:
    found = answer_all(library()[name], BUDGET)
    kind, operator = TOLD[name]
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RefinementWitness) and found.witness.replayed
    assert found.witness.cause is not None and found.witness.cause.kind == kind
    finding, *others = found.findings
    assert underlined(name, finding.place) == operator
    assert codes.sentence(finding.diagnosis).count(":") == (kind != "other")
    assert len(others) == (name in ("loss_not_divided", "cross_entropy_of_own_sums"))  # of two results each


def underlined(name: str, place: Place) -> str:
    """The text in the library at a place of one of its graphs, or of what their refinement expects."""
    assert isinstance(place, InDeclaration | Site) and (isinstance(place, Site) or place.declaration == name)
    for path in sorted(LIBRARY.glob("*.rw")):
        parsed = parse(Text.of(path.name, path.read_text(encoding="utf-8")))
        for placed, declared in zip(
            parsed.file.declarations, check_file(parsed, lambda _: None).declarations, strict=True
        ):
            if declared.name.partition(" of ")[:2] == (name, " of " if isinstance(place, Site) else ""):
                span = declared.sites[place.number]
                return parsed.text.slice(Span(placed.start + span.start, placed.start + span.end))
    raise AssertionError(place)


def related(answer: Answer) -> list[tuple[Role, int]]:
    """What the first finding of an answer is related to, by number."""
    return [
        (each.role, each.place.number) for each in answer.findings[0].related if not isinstance(each.place, InSource)
    ]


def test_a_sum_that_is_read_too_soon_is_related_to_where_it_began_and_to_what_is_placed() -> None:
    found = verdict("max(x @ a, 0)", text=PRODUCT.replace("y = x @ a", "y = max(x @ a, 0)"))
    asked = refinements(PRODUCT.replace("BODY", "max(x @ a, 0)").replace("EXPECT", ""))["parts"]
    product = next(each for each in asked.distributed.nodes if isinstance(each, Dot))
    read = next(each for each in asked.distributed.nodes if isinstance(each, Elementwise))
    assert found.verdict is Verdict.REFUTED
    assert found.findings[0].place == InDeclaration("parts", read.site)
    assert (Role.ORIGIN, product.site) in related(found)
    assert {number for role, number in related(found) if role is Role.INPUT} == {each.site for each in asked.inputs}


def test_what_is_summed_on_no_later_line_is_told_where_it_began() -> None:
    found = verdict("2 * (x @ a)", "; expect y: replicate", PRODUCT.replace("y = x @ a", "y = 2 * (x @ a)"))
    asked = refinements(PRODUCT.replace("BODY", "2 * (x @ a)").replace("EXPECT", ""))["parts"]
    product = next(each for each in asked.distributed.nodes if isinstance(each, Dot))
    assert found.findings[0].place == InDeclaration("parts", product.site)
    said = codes.sentence(found.findings[0].diagnosis)
    assert said.endswith("here rank 0 holds the part 0 .. k/4 of the sum over k, which is summed on no later line")


def test_what_is_summed_for_another_result_is_not_said_to_be_summed_nowhere() -> None:
    text = """graph whole(x: f32[m, k], a: f32[k, n]) -> y, z { y = x @ a; z = y + 1 }
graph parts(x: f32[m, k/tp], a: f32[k/tp, n]) -> y, z on mesh(tp = 4) {
  y = x @ a
  z = all_reduce(add, y, over = tp) + 1
}
refine parts of whole { x: shard(1, tp); a: shard(0, tp); expect y: replicate; expect z: replicate }
"""
    said = codes.sentence(verdict("", text=text).findings[0].diagnosis)
    assert said.endswith("here rank 0 has the terms 0 .. k/4 alone of those over k")


def test_a_function_of_a_part_of_a_sum_is_told_by_the_part() -> None:
    found = verdict("all_reduce(add, max(x @ a, 0), over = tp)", text=PRODUCT.replace("y = x @ a", "y = max(x @ a, 0)"))
    assert "rank 0 has the terms 0 .. k/4 alone" in codes.sentence(found.findings[0].diagnosis)


def test_a_rank_that_is_named_is_one_that_holds_another_part() -> None:
    text = """graph whole(x: f32[m]) -> y { y = x }
graph parts(x: f32[m]) -> y on mesh(tp = 2) { y = slice(x, m, 0, m / tp) }
refine parts of whole { expect y: shard(0, tp) }
"""
    said = codes.sentence(verdict("", text=text).findings[0].diagnosis)
    assert said.endswith("here rank 1 holds another part than it should")


def test_a_factor_inside_of_a_function_is_no_factor_of_what_it_makes() -> None:
    text = """graph whole(x: f32[m]) -> y { y = exp(-x) }
graph parts(x: f32[m]) -> y on mesh(tp = 2) { z = exp(x); y = z * z }
refine parts of whole { }
"""
    assert "times" not in codes.sentence(verdict("", text=text).findings[0].diagnosis)


def test_copies_of_a_share_are_no_parts_of_a_sum() -> None:
    text = """graph whole(x: f32[m]) -> y { y = sine(sine(x)) }
graph parts(x: f32[m]) -> y on mesh(tp = 2) { y = sine(sine(x) / 2) }
refine parts of whole { }
"""
    found = verdict("", text=text)
    assert isinstance(found.findings[0].place, InDeclaration)
    asked = refinements(text)["parts"].distributed
    number = next(each for each in asked.nodes if isinstance(each, Constant))
    assert found.findings[0].place.number == number.site


def test_results_that_depart_at_one_operator_are_one_finding_and_others_are_their_own() -> None:
    text = """graph whole(x: f32[m], w: f32[m]) -> y, z, v { y = 2 * x; z = sine(y); v = w + w }
graph parts(x: f32[m/tp], w: f32[m/tp]) -> y, z, v on mesh(tp = 2) { y = 3 * x; z = sine(y); v = 5 * w }
refine parts of whole { x: shard(0, tp); w: shard(0, tp) }
"""
    found = verdict("", text=text)
    assert found.verdict is Verdict.REFUTED and len(found.findings) == 2
    outputs = [each.diagnosis.output for each in found.findings if isinstance(each.diagnosis, NoCleanExpression)]
    assert outputs == ["y", "v"]


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


def test_what_is_not_linear_is_not_applied_to_terms_of_which_one_is_a_part_of_a_sum() -> None:
    text = """graph whole(x: f32[m, 2 * k], a: f32[2 * k, n], b: f32[m, n]) -> q, y {
  q = x @ a
  y = max(slice(x, 1, 0, k) @ slice(a, 0, 0, k), 0) + max(b, 0)
}
graph parts(x: f32[m, 2 * k], a: f32[2 * k, n], b: f32[m, n]) -> q, y on mesh(tp = 2) {
  q = x @ a
  y = max(slice(x, 1, 0, k) @ slice(a, 0, 0, k) + b, 0)
}
refine parts of whole { }
"""
    assert verdict("", text=text).verdict is Verdict.REFUTED


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


MIXED = """graph whole(x: f32[2, a], y: f32[2, a]) -> z { z = reshape(concatenate(x, y, 1), [4 * a]) }
graph parts(x: f32[2, a], y: f32[2, a]) -> z on mesh(tp = 2) { z = BODY }
refine parts of whole { expect z: replicate }
"""


@pytest.mark.parametrize(
    ("body", "is_proved"),
    [
        ("reshape(concatenate(x, y, 1), [4 * a])", True),
        ("all_reduce(add, reshape(concatenate(x, y, 1), [4 * a]), over = tp) / 2", True),
        ("reshape(concatenate(y, x, 1), [4 * a])", False),
        ("reshape(transpose(concatenate(x, y, 1), [1, 0]), [4 * a])", False),
        ("reshape(concatenate(x, y, 0), [4 * a])", False),
    ],
)
def test_a_reshape_that_mixes_parts_is_found_again_of_the_same_operand_only(body: str, is_proved: bool) -> None:
    found = verdict(body, text=MIXED)
    assert found.verdict is (Verdict.PROVED if is_proved else Verdict.REFUTED)


HALVES = """graph whole(x: f32[m, 8], w: f32[m, 8]) -> y {
  z = concatenate(-slice(x, 1, 4, 8), slice(x, 1, 0, 4), 1)
  y = x * w + z
}
graph parts(x: f32[m/tp, 8], w: f32[m/tp, 8]) -> y on mesh(tp = 2) {
  z = concatenate(-slice(x, 1, START, LIMIT), slice(x, 1, 0, 4), 1)
  y = x * w + z
}
refine parts of whole { x: shard(0, tp); w: shard(0, tp); expect y: shard(0, tp) }
"""
ROWS = """graph whole(x: f32[m, d], w: f32[m, d]) -> y { y = x * w }
graph parts(x: f32[m/sp, d], w: f32[m, d]) -> y on mesh(sp = 4) { y = x * slice(w, 0, START, LIMIT) }
refine parts of whole { x: shard(0, sp); expect y: shard(0, sp) }
"""
KEPT = """graph whole(x: f32[m, 8], w: f32[4]) -> y { y = slice(x, 1, 4, 8) * w }
graph parts(x: f32[m/tp, 8], w: f32[4]) -> y on mesh(tp = 2) { y = slice(x, 1, START, LIMIT) * w }
refine parts of whole { x: shard(0, tp); expect y: shard(0, tp) }
"""
PUT_TOGETHER = """graph whole(x: f32[m, n], w: f32[n, k]) -> y { y = exp(x) @ w }
graph parts(x: f32[m, n], w: f32[n, k/tp]) -> y on mesh(tp = 2) {
  z = concatenate(exp(slice(x, 0, 0, m/4)), exp(slice(x, 0, m/4, m/2)), exp(slice(x, 0, START, LIMIT)), 0)
  y = concatenate(z, exp(slice(x, 0, 3 * m/4, m)), 0) @ w
}
refine parts of whole { w: shard(1, tp); expect y: shard(1, tp) }
"""


@pytest.mark.parametrize(
    ("text", "start", "limit", "said"),
    [
        (PUT_TOGETHER, "m/4", "m/2", "rank 0 has m/4 .. m/2 of m, where m/2 .. 3*m/4 belongs"),
        (HALVES, "0", "4", "rank 0 has 0 .. 4 of 8, where 4 .. 8 belongs"),
        (HALVES, "3", "7", "rank 0 has 3 .. 7 of 8, where 4 .. 8 belongs"),
        (ROWS, "0", "m / sp", "rank 1 has 0 .. m/4 of m, where m/4 .. m/2 belongs"),
        (ROWS, "rank(sp)", "m / sp + rank(sp)", "rank 1 has 1 .. m/4 + 1 of m, where m/4 .. m/2 belongs"),
        (KEPT, "3", "7", "rank 0 has 3 .. 7 of 8, where 4 .. 8 belongs"),
    ],
)
def test_a_wrong_offset_is_told_beside_the_right_one(text: str, start: str, limit: str, said: str) -> None:
    text = text.replace("START", start).replace("LIMIT", limit)
    found = verdict("", text=text)
    (finding,) = found.findings
    assert codes.sentence(finding.diagnosis).endswith(f": here {said}")
    assert isinstance(finding.place, InDeclaration) and finding.place.declaration == "parts"
    declared = check_file(parse(Text.of("test.rw", text)), lambda path: None).declarations[1]
    span, at = declared.sites[finding.place.number], text.index("graph parts")
    assert (
        f"slice({'w' if text.startswith('graph whole(x: f32[m, d]') else 'x'}" in text[at + span.start : at + span.end]
    )
    assert isinstance(found.witness, RefinementWitness) and found.witness.cause is not None
    assert len(found.witness.cause.box) == 2 and found.witness.cause.factor is None
