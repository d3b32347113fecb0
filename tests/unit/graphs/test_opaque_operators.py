"""Operators of which only the shapes are declared, and lemmas of them: what is assumed, used and refuted."""

from __future__ import annotations

import re

import pytest

from rewright.checks import graph_lemma
from rewright.checks.opaque_operators import readings
from rewright.checks.refinement import answer, answer_all
from rewright.model.file import check_file
from rewright.model.graph import GraphLemma, Refinement, RefinementFamily
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Verdict

BUDGET = Budget(steps=2_000_000, seconds=2.0)
OPERATORS = """operator norm(x: f32[t, d], w: f32[d]) -> f32[t, d]
operator act(x: f32[t, 2 * h]) -> f32[t, h]
operator flash(q: f32[h, s, d], k: f32[h, t, d], v: f32[h, t, d]) -> f32[h, s, d]
operator mixed(x: f32[n], y: f32[n]) -> f32[n]
lemma rows(x: f32[s, d], y: f32[t, d], w: f32[d]) {
  norm(concatenate(x, y, 0), w) => concatenate(norm(x, w), norm(y, w), 0)
}
lemma is_product(x: f32[t, d], w: f32[d]) { norm(x, w) => exp(x) * w }
lemma columns(a: f32[t, h], b: f32[t, g], c: f32[t, h], e: f32[t, g]) {
  act(concatenate(concatenate(a, b, 1), concatenate(c, e, 1), 1)) =>
    concatenate(act(concatenate(a, c, 1)), act(concatenate(b, e, 1)), 1)
}
lemma heads(q: f32[h, s, d], r: f32[g, s, d], k: f32[h, t, d], l: f32[g, t, d], v: f32[h, t, d], w: f32[g, t, d]) {
  flash(concatenate(q, r, 0), concatenate(k, l, 0), concatenate(v, w, 0)) =>
    concatenate(flash(q, k, v), flash(r, l, w), 0)
}
lemma linear(x: f32[n], y: f32[n], z: f32[n]) { mixed(x + y, z) => mixed(x, z) + mixed(y, z) }
lemma swapped(x: f32[n], y: f32[n]) { mixed(x, y) <=> mixed(y, x) }
lemma scaled(x: f32[n], y: f32[n]) { mixed(3 * x, y) => mixed(x, y) }
lemma first(x: f32[n], y: f32[n]) { mixed(x, y) => x + 1 }
lemma second(x: f32[n], y: f32[n]) { mixed(x, y) => x + 2 }
lemma not_true(x: f32[n]) { x + x => 3 * x }
"""


def check(text: str) -> tuple[object, list[str]]:
    """The value of the last declaration, and what is wrong with it."""
    *_, declared = check_file(parse(Text.of("test.rw", OPERATORS + text)), lambda _: None).declarations
    return declared.value, [codes.sentence(each.diagnosis) for each in declared.findings]


def verdict(text: str) -> Answer:
    value, wrong = check(text)
    match value:
        case Refinement():
            return answer(value, BUDGET)
        case RefinementFamily(members=members):
            return answer_all(members, BUDGET)
        case GraphLemma():
            return graph_lemma.answer(value, BUDGET)
        case _:
            raise AssertionError(wrong)


def rows_refinement(distributed: str, items: str) -> str:
    """A norm over rows that the ranks share, by an expression of what each has."""
    return f"""graph whole(x: f32[t, d], w: f32[d]) -> y {{ y = norm(x, w) }}
graph parts(x: f32[t / sp, d], w: f32[d]) -> y on mesh(sp = 4) {{ y = {distributed} }}
refine parts of whole {{ x: shard(0, sp); {items} }}"""


def test_ranks_that_have_all_operands_hold_what_the_operator_gives() -> None:
    found = verdict(rows_refinement("norm(all_gather(x, 0, over = sp), w)", "expect y: replicate"))
    assert found.verdict is Verdict.PROVED and found.replays
    assert found.coverage.text == "all sizes, sp = 4"
    assert any("`norm` is opaque" in each for each in found.coverage.assumptions)
    assert not any("lemma" in each for each in found.coverage.assumptions)


def test_a_proof_says_which_lemmas_it_rests_on() -> None:
    found = verdict(rows_refinement("norm(x, w)", "using rows, columns; expect y: shard(0, sp)"))
    assert found.verdict is Verdict.PROVED and found.replays
    assert [each for each in found.coverage.assumptions if "lemma" in each] == ["lemma `rows`, which nothing proves"]


def test_without_a_lemma_it_is_unknown_and_said_why() -> None:
    found = verdict(rows_refinement("norm(x, w)", "expect y: shard(0, sp)"))
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason is not None and "nothing is known of `norm`" in found.reason


@pytest.mark.parametrize(
    "distributed",
    [
        "norm(2 * x, w)",
        "norm(x, 2 * w)",
        "norm(x, w) + 1",
        "norm(collective_permute(x, over = sp, pairs = [(0, 1)]), w)",
    ],
)
@pytest.mark.parametrize("lemma", ["rows", "rows, is_product"])
def test_a_wrong_one_is_refuted_as_functions_that_the_lemmas_allow(distributed: str, lemma: str) -> None:
    found = verdict(rows_refinement(distributed, f"using {lemma}; expect y: shard(0, sp)"))
    assert found.verdict is Verdict.REFUTED and found.witness is not None and found.witness.replayed
    assert any("run as one of them" in each for each in found.coverage.assumptions)


def test_what_a_lemma_excludes_refutes_nothing() -> None:
    """`3 * x` is no fault where a lemma says that it makes no difference; and no polynomial that is tried has that."""
    graphs = """graph whole(x: f32[n], z: f32[n]) -> y { y = mixed(x, z) }
graph parts(x: f32[n], z: f32[n]) -> y on mesh(sp = 2) { y = mixed(3 * x, z) }
refine parts of whole { ITEMS }"""
    assert verdict(graphs.replace("ITEMS", "using scaled")).verdict is Verdict.PROVED
    assert verdict(graphs.replace("ITEMS", "using swapped")).verdict is Verdict.REFUTED
    twice = verdict(graphs.replace("3 * x", "2 * x").replace("ITEMS", "using scaled"))
    assert twice.verdict is Verdict.UNKNOWN
    assert twice.reason is not None and "no operator was found that the lemmas allow" in twice.reason


def test_a_lemma_is_used_on_more_ranks_than_it_has_parts() -> None:
    graphs = """graph whole(q: f32[h, s, d], k: f32[h, t, d], v: f32[h, t, d]) -> y { y = flash(q, k, v) }
graph parts(q: f32[h/tp, s, d], k: f32[h/tp, t, d], v: f32[h/tp, t, d]) -> y on mesh(tp) { y = flash(q, k, VALUES) }
refine parts of whole at tp = 2, 3, 8 {
  q: shard(h, tp); k: shard(h, tp); v: shard(h, tp); using heads; expect y: shard(h, tp)
}"""
    assert verdict(graphs.replace("VALUES", "v")).verdict is Verdict.PROVED
    crossed = "collective_permute(v, over = tp, pairs = [(0, 1), (1, 0)])"
    assert verdict(graphs.replace("VALUES", crossed)).verdict is Verdict.REFUTED


def test_operands_that_are_put_together_of_several_parts() -> None:
    graphs = """graph whole(x: f32[t, d], u: f32[d, h], v: f32[d, h]) -> y { y = act(concatenate(x @ u, x @ v, 1)) }
graph parts(x: f32[t, d], u: f32[d, h / tp], v: f32[d, h / tp]) -> y on mesh(tp = 4) {
  y = act(concatenate(x @ FIRST, x @ SECOND, 1))
}
refine parts of whole { u: shard(1, tp); v: shard(1, tp); using columns; expect y: shard(1, tp) }"""
    assert verdict(graphs.replace("FIRST", "u").replace("SECOND", "v")).verdict is Verdict.PROVED
    assert verdict(graphs.replace("FIRST", "v").replace("SECOND", "u")).verdict is Verdict.REFUTED


def test_a_sum_over_ranks_by_a_lemma_of_sums() -> None:
    graphs = """graph whole(x: f32[m, k], a: f32[k, n], z: f32[m]) -> y { y = mixed(reduce(add, x @ a, 1), z) }
graph parts(x: f32[m, k / tp], a: f32[k / tp, n], z: f32[m]) -> y on mesh(tp = 4) {
  y = mixed(reduce(add, x @ a, 1), z)
}
refine parts of whole { x: shard(k, tp); a: shard(k, tp); using LEMMA; expect y: partial(add, tp) }"""
    assert verdict(graphs.replace("LEMMA", "linear")).verdict is Verdict.PROVED
    assert (
        verdict(graphs.replace("LEMMA", "linear").replace("partial(add, tp)", "replicate")).verdict is Verdict.REFUTED
    )
    assert verdict(graphs.replace("LEMMA", "swapped")).verdict is Verdict.REFUTED


def test_parts_of_the_ranks_in_parts_again() -> None:
    cut = "concatenate(norm(slice(x, 0, 0, t / sp / 2), w), norm(slice(x, 0, t / sp / 2, t / sp), w), 0)"
    assert verdict(rows_refinement(cut, "using rows; expect y: shard(0, sp)")).verdict is Verdict.PROVED
    crossed = cut.replace("0, 0, t / sp / 2", "0, t / sp / 2, t / sp", 1)
    assert verdict(rows_refinement(crossed, "using rows; expect y: shard(0, sp)")).verdict is Verdict.REFUTED


def test_operands_in_another_order_in_parts() -> None:
    """One lemma says that the operands may be exchanged, another one that rows are computed by themselves."""
    graphs = """operator sym(x: f32[t, d], y: f32[t, d]) -> f32[t, d]
lemma exchanged(x: f32[t, d], y: f32[t, d]) { sym(x, y) <=> sym(y, x) }
lemma by_rows(x: f32[s, d], y: f32[t, d], u: f32[s, d], v: f32[t, d]) {
  sym(concatenate(x, y, 0), concatenate(u, v, 0)) => concatenate(sym(x, u), sym(y, v), 0)
}
graph whole(x: f32[t, d], w: f32[t, d]) -> y { y = sym(x, w) }
graph parts(x: f32[t / sp, d], w: f32[t / sp, d]) -> y on mesh(sp = 3) { y = sym(w, x) }
refine parts of whole { x: shard(0, sp); w: shard(0, sp); using LEMMAS; expect y: shard(0, sp) }"""
    assert verdict(graphs.replace("LEMMAS", "exchanged, by_rows")).verdict is Verdict.PROVED
    assert verdict(graphs.replace("LEMMAS", "by_rows")).verdict is Verdict.REFUTED


def test_an_operator_applied_to_what_it_gave() -> None:
    graphs = """graph whole(x: f32[t, d], w: f32[d]) -> y { z = norm(x, w) + x; y = norm(z, w) }
graph parts(x: f32[t / sp, d], w: f32[d]) -> y on mesh(sp = 2) { z = norm(x, w) + x; y = norm(z, w) }
refine parts of whole { x: shard(0, sp); using rows; expect y: shard(0, sp) }"""
    assert verdict(graphs).verdict is Verdict.PROVED


def test_one_device_in_parts_and_the_ranks_in_whole() -> None:
    graphs = """graph whole(x: f32[s, d], y: f32[t, d], w: f32[d]) -> z { z = concatenate(norm(x, w), norm(y, w), 0) }
graph parts(x: f32[s, d], y: f32[t, d], w: f32[d]) -> z on mesh(sp = 2) { z = norm(concatenate(x, y, 0), w) }
refine parts of whole { using rows; expect z: replicate }"""
    assert verdict(graphs).verdict is Verdict.PROVED


def test_operands_in_another_order() -> None:
    graphs = """graph whole(x: f32[n], y: f32[n]) -> z { z = tanh(mixed(x, y)) }
graph parts(x: f32[n], y: f32[n]) -> z on mesh(sp = 2) { z = tanh(mixed(y, x)) }
refine parts of whole { ITEMS }"""
    assert verdict(graphs.replace("ITEMS", "using swapped")).verdict is Verdict.PROVED
    assert verdict(graphs.replace("ITEMS", "")).verdict is not Verdict.PROVED


def test_lemmas_that_contradict_each_other_prove_nothing() -> None:
    graphs = """graph whole(x: f32[n], y: f32[n]) -> z { z = mixed(x, y) }
graph parts(x: f32[n], y: f32[n]) -> z on mesh(sp = 2) { z = mixed(x, y) + 7 }
refine parts of whole { using first, second }"""
    found = verdict(graphs)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason is not None and "no operator satisfies lemma `second`" in found.reason


def test_a_lemma_of_known_operators_that_is_not_proved_is_not_used() -> None:
    found = verdict(rows_refinement("norm(x, w)", "using rows, not_true"))
    assert found.verdict is Verdict.PROVED
    assert [codes.sentence(each.diagnosis) for each in found.findings] == [
        "lemma `not_true` is not used: it is not proved"
    ]
    assert verdict(rows_refinement("norm(x + x, w)", "using rows, not_true")).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [
        ("lemma it(x: f32[t, d], w: f32[d]) { norm(x + x, w) => norm(2 * x, w) }", Verdict.PROVED),
        ("lemma it(x: f32[t, d], w: f32[d]) { norm(x, w) => norm(2 * x, w) }", Verdict.CONDITIONAL),
        ("lemma it(x: f32[t, d], w: f32[d]) { norm(x, w) + x => norm(x, w) }", Verdict.REFUTED),
        ("lemma it(x: f32[t, d], w: f32[d]) { norm(x, w) - norm(x, w) => x - x }", Verdict.PROVED),
        ("lemma it(x: f32[n]) { x * x => x * x + sine(x) }", Verdict.REFUTED),
    ],
)
def test_lemmas_by_themselves(lemma: str, expected: Verdict) -> None:
    assert verdict(lemma).verdict is expected


FALSE = {
    "baddbmm without its beta": """lemma it(i: f32[b, m, n], x: f32[b, m, k], y: f32[b, k, n]) {
      i + x @ y => x @ y }""",
    "reshape of a concatenation, 6.2": """lemma it(a: f32[2, 1], b: f32[2, 2]) {
      reshape(concatenate(a, b, 1), [3, 2]) => concatenate(reshape(a, [1, 2]), reshape(b, [2, 2]), 0) }""",
    "index_put as its values": """lemma it(v: f32[4], i: s32[4]) { gather(v, i, 0) => v }""",
    "slice of a slice with a step": """lemma it(x: f32[12]) {
      reshape(slice(slice(reshape(x, [6, 2]), 1, 0, 1), 0, 1, 3), [2]) => slice(x, 0, 1, 3) }""",
    "gradients of ranks scaled by 2": """lemma it(g: f32[t], h: f32[t], z: f32[t, v]) {
      broadcast(g, v: v) * z => broadcast(h, v: v) * z }""",
    "squeeze below the dimension of a concatenation": """lemma it(a: f32[1, m, n], b: f32[1, m, n]) {
      reshape(concatenate(a, b, 1), [2 * m, n]) =>
        reshape(concatenate(reshape(a, [m, n]), reshape(b, [m, n]), 1), [2 * m, n])
    }""",
}
"""The lemmas of Entangle that are not true as they are written: entangle-lemmas.md, section 10."""


@pytest.mark.parametrize("name", FALSE)
def test_false_lemmas_are_refuted(name: str) -> None:
    found = verdict(FALSE[name])
    assert found.verdict is Verdict.REFUTED and found.witness is not None and found.witness.replayed


def test_stand_ins_satisfy_all_lemmas() -> None:
    value, _ = check(rows_refinement("norm(x, w)", "using rows"))
    assert isinstance(value, Refinement)
    for run in readings(value):
        assert answer(run, BUDGET).verdict is Verdict.PROVED


def deep(layers: int, last: str) -> str:
    """Norms on one another, rows over the ranks, the last one of the ranks with these weights."""
    sequential = [f"x{at} = norm(x{at - 1}, w)" for at in range(1, layers + 1)]
    distributed = [*sequential[:-1], sequential[-1].replace("w)", f"{last})")]
    return f"""graph whole(x0: f32[t, d], w: f32[d]) -> x{layers} {{ {"; ".join(sequential)} }}
graph parts(x0: f32[t / sp, d], w: f32[d]) -> x{layers} on mesh(sp = 4) {{ {"; ".join(distributed)} }}
refine parts of whole {{ x0: shard(0, sp); using rows; expect x{layers}: shard(0, sp) }}"""


def test_numbers_that_grow_with_each_of_many_operators_are_not_followed_to_the_end() -> None:
    """Stand-ins multiply: after 24 of them in exact arithmetic a number would have millions of digits."""
    assert verdict(deep(24, "w")).verdict is Verdict.PROVED
    wrong = verdict(deep(24, "w + 1"))
    assert wrong.verdict is Verdict.REFUTED and wrong.witness is not None and wrong.witness.replayed


@pytest.mark.parametrize("layers", [2, 8])
def test_layers_that_share_a_weight_and_are_added_up(layers: int) -> None:
    """What each layer is applied to is made of the same tensors as what all layers before are."""
    text = deep(layers, "w")
    added = re.sub(r"= norm\((\w+), w\)", r"= \1 + norm(\1, w)", text).replace("sp = 4", "sp = 8")
    assert verdict(added).verdict is Verdict.PROVED
    at = added.index("norm(x1, w)", added.index("graph parts"))
    wrong = verdict(f"{added[:at]}norm(x1, w + 1){added[at + len('norm(x1, w)') :]}")
    assert wrong.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("operator f(x: f32[n]) -> f32[m]", "unknown size `m`"),
        ("lemma f(x: f32[n]) { mixed(x) => x }", "`mixed` takes 2 operands, got 1"),
        ("lemma f(x: f32[n]) { flush(x) => x }", "unknown operator `flush`"),
        (rows_refinement("norm(x, w)", "using row"), "unknown lemma `row`"),
        (rows_refinement("norm(x, w)", "using rows, rows"), "`rows` is"),
        (rows_refinement("norm(x, w)", "using norm"), "`norm` is a operator"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    value, wrong = check(text)
    assert value is None and any(said in each for each in wrong), wrong


def test_an_operator_may_be_applied_to_truth_values_no_more_than_others() -> None:
    value, wrong = check("graph f(x: f32[n]) -> y { y = mixed(x > 0, x) }")
    assert value is None and wrong


def test_what_one_graph_alone_applies_is_no_fault_of_it() -> None:
    """That a fused kernel computes something else than the graph without it, nobody has said."""
    graphs = """operator twice(x: f32[n]) -> f32[n]
lemma its_half(x: f32[n]) { 0.5 * twice(x) => x }
lemma itself(x: f32[n]) { twice(x) => x + x }
graph plain(x: f32[n]) -> y { y = x + x }
graph fused(x: f32[n]) -> y on mesh(sp = 2) { y = twice(x) }
refine fused of plain { ITEMS }"""
    found = verdict(graphs.replace("ITEMS", ""))
    assert found.verdict is Verdict.UNKNOWN and found.reason is not None
    assert "one of the graphs alone applies `twice`" in found.reason
    assert verdict(graphs.replace("ITEMS", "using itself")).verdict is Verdict.PROVED
    assert verdict(
        graphs.replace("x + x }\ngraph f", "x + 2 * x }\ngraph f").replace("ITEMS", "using itself")
    ).verdict is (Verdict.REFUTED)


def test_two_operators_that_are_said_to_be_one() -> None:
    graphs = """operator one(x: f32[n]) -> f32[n]
operator other(x: f32[n]) -> f32[n]
lemma same(x: f32[n]) { one(x) => other(x) }
lemma same_again(x: f32[n]) { other(x) => one(x) }
graph whole(x: f32[n]) -> y { y = one(x) }
graph parts(x: f32[n]) -> y on mesh(sp = 2) { y = FACTOR * other(x) }
refine parts of whole { using ITEMS; expect y: replicate }"""
    for items in ("same", "same_again", "same, same_again"):
        asked = graphs.replace("ITEMS", items)
        found = verdict(asked.replace("FACTOR", "1"))
        assert found.verdict is Verdict.PROVED and found.replays
        assert verdict(asked.replace("FACTOR", "2")).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("moved", "is_proved"),
    [
        ("x + broadcast(c, j: m)", True),
        ("x - broadcast(2 * c, j: m)", True),
        ("x - broadcast(reduce(max, x, 1), j: m)", True),
        ("3 + x", True),
        ("x + transpose(broadcast(d, i: n), [1, 0])", False),
        ("2 * x + broadcast(c, j: m)", False),
    ],
)
@pytest.mark.parametrize("written", ["x + broadcast(c, j: m)", "broadcast(c, j: m) + x", "x - broadcast(c, j: m)"])
def test_what_a_lemma_adds_along_a_dimension(written: str, moved: str, is_proved: bool) -> None:
    graphs = f"""operator soft(x: f32[n, m]) -> f32[n, m]
lemma shift(x: f32[n, m], c: f32[n]) {{ soft({written}) => soft(x) }}
graph whole(x: f32[n, m], c: f32[n], d: f32[m]) -> y {{ y = soft(x) }}
graph parts(x: f32[n, m], c: f32[n], d: f32[m]) -> y on mesh(sp = 2) {{ y = soft({moved}) }}
refine parts of whole {{ using shift }}"""
    assert (verdict(graphs).verdict is Verdict.PROVED) == is_proved


def test_a_lemma_that_is_proved_says_where_its_sides_are_defined() -> None:
    for written, operator in (("f(x / y * y) => f(x)", "divide"), ("f(exp(log(x))) => f(x)", "log")):
        found = verdict(f"operator f(x: f32[n]) -> f32[n]\nlemma same(x: f32[n], y: f32[n]) {{ {written} }}")
        assert found.verdict is Verdict.PROVED and found.relation == found.placed == ()
        assert f"both graphs are defined where `{operator}` stands" in found.coverage.assumptions
        assert any("`f` is opaque" in each for each in found.coverage.assumptions)
