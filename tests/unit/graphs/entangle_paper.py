"""The evaluation of Entangle beside rules/graphs, and the page that shows it: Markdown.

What is said of a refinement is what is answered when the page is made. Must not know where the page is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path

from rewright.checks.refinement import answer_all
from rewright.model.file import check_file
from rewright.model.graph import Refinement, RefinementFamily
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, RefinementWitness, Verdict

LIBRARY = Path(__file__).parents[3] / "rules" / "graphs"
BUDGET = Budget(steps=2_000_000, seconds=2.0)


@dataclass(frozen=True, slots=True)
class Model:
    """A row of Table 2, and the refinement that has its shape; `released` are the operators of what is published."""

    framework: str
    name: str
    strategies: str
    ours: str
    released: str
    """Those of the sequential and of the distributed graph, all ranks, for one layer on 2 ranks."""


MODELS = (
    Model("ByteDance's", "ByteDance's, not public", "TP, SP, EP", "experts_ep", "not public"),
    Model("Megatron-LM", "GPT", "TP, SP", "layer_tp", "122, 294"),
    Model("vLLM", "Qwen2", "TP", "merged_layer_tp", "35, 106"),
    Model("Hugging Face's", "regression with MSE", "gradient accumulation", "step_in_two", "10, 18"),
    Model("Transformers-Neuron", "Llama-3", "TP", "gated_layer_tp", "115, 234"),
)


@dataclass(frozen=True, slots=True)
class Bug:
    """A row of Table 3: what it is, and the refinements that have its shape, wrong and mended."""

    framework: str
    what: str
    wrong: str
    mended: str


BUGS = (
    Bug("ByteDance's", "incorrect offset in RoPE with SP", "rotary_from_zero", "rotary_sp"),
    Bug(
        "ByteDance's",
        "incorrect scaling for auxiliary loss with TP",
        "auxiliary_loss_times_ranks",
        "auxiliary_loss_tp",
    ),
    Bug("ByteDance's", "mismatched padding and slicing", "scaled_rows_cut_short", "scaled_rows_sp"),
    Bug("ByteDance's", "incompatible configurations", "product_on_the_diagonal", "product_gathered"),
    Bug(
        "ByteDance's",
        "missing aggregation for a layernorm weight",
        "norm_weight_gradient_of_own_rows",
        "norm_weight_gradient_sp",
    ),
    Bug("Hugging Face's", "wrong scaling in gradient accumulation", "mean_loss_of_means", "mean_loss_dp"),
    Bug("Megatron-LM", "missing all-reduce in a linear layer", "head_gradient_not_summed", "head_gradient_tp"),
    Bug(
        "Megatron-LM",
        "missing all-reduce for the MoE router with TP and SP",
        "router_gradient_of_own_tokens",
        "router_gradient_sp",
    ),
    Bug(
        "Transformer-Engine",
        "missing all-reduce for layernorm with SP",
        "layer_norm_gradient_of_own_rows",
        "layer_norm_gradient_sp",
    ),
)

INTRODUCTION = """# The graphs of Entangle

Entangle (Wang and others: *It Takes Two to Entangle*, section 6) asks whether a distributed model refines a sequential
one, by rewriting with lemmas. This page sets the models and the bugs of its evaluation beside what `rules/graphs` has
of them. All texts there were written for this library: they have the shape of the models, and are not their code.

*Proved* holds for all sizes that the shapes allow, on the meshes named; *refuted* comes with an input on which the
graphs differ, replayed. No lemma was written for any of it: what an operator means stands in the [operator
table](operators.md). [What a verdict on graphs means](graphs.md) has more."""

MODELS_SAY = """\
The paper checks one layer, mostly forward, on 2 ranks of each kind, and reports 10 to 245 seconds for all that it
checks, on 16 cores. Here a GPT layer takes 20 ms on 2 ranks, 32 ms on 8 and 0.15 s on 64, on 2 cores; `make bench`
prints it beside its limits. Operators are those of the sequential graph and of all ranks of the distributed one, on 2
ranks; those of the paper were counted in the graphs that are published with it. A framework prints an operator for each
view, cast and copy, but one for a kernel that is fused, of which vLLM has many; here all is written out."""

BUGS_SAY = """\
Five of the bugs are in code that is not public: their shapes are rebuilt from the appendix. Each stands in the library
twice, wrong and mended; the sixth, which is one device after another batch there, is one rank beside another here. How
a wrong one departs is the `cause` of [the report](reference/json.md)."""


def models() -> str:
    """The table of models."""
    head = ("framework", "model", "distributed by", "operators there", "here", "meshes", "operators here", "verdict")
    return _table(head, (_model(each) for each in MODELS))


def bugs() -> str:
    """The table of bugs."""
    head = ("", "framework", "bug", "wrong", "verdict", "mended", "verdict")
    return _table(head, ((str(number), *_bug(each)) for number, each in enumerate(BUGS, 1)))


def paper_page() -> str:
    """The page: a section for each table of the paper."""
    parts = (INTRODUCTION, "## Models (Table 2)", MODELS_SAY, models(), "## Bugs (Table 3)", BUGS_SAY, bugs())
    return "\n\n".join(parts) + "\n"


@cache
def members(name: str) -> tuple[Refinement, ...]:
    """The refinements by a distributed graph, one for each mesh. Raises `KeyError` if no file has it."""
    for path in sorted(LIBRARY.glob("*.rw")):
        declared = check_file(parse(Text.of(path.name, path.read_text(encoding="utf-8"))), lambda _: None).declarations
        for value in (each.value for each in declared):
            found = value.members if isinstance(value, RefinementFamily) else (value,)
            if isinstance(found[0], Refinement) and found[0].distributed.name == name:
                return tuple(each for each in found if isinstance(each, Refinement))
    raise KeyError(name)


@cache
def answered(name: str) -> Answer:
    """The answer to them."""
    return answer_all(members(name), BUDGET)


def said(name: str) -> str:
    """The verdict in a cell: how it departs if it is refuted, what it covers if it is proved."""
    found = answered(name)
    if found.verdict is not Verdict.REFUTED:
        return f"{found.verdict}, {found.coverage.text}"
    assert isinstance(found.witness, RefinementWitness) and found.witness.replayed
    return f"refuted: {'other' if found.witness.cause is None else found.witness.cause.kind}"


def _model(row: Model) -> Iterator[str]:
    first = members(row.ours)[0]
    ranks = prod(axis.size for axis in first.distributed.mesh)
    operators = f"{len(first.sequential.nodes)}, {ranks * len(first.distributed.nodes)}"
    found = answered(row.ours)
    meshes = found.coverage.text.removeprefix("all sizes, ")
    yield from (row.framework, row.name, row.strategies, row.released, f"`{row.ours}`", meshes, operators)
    yield f"{found.verdict}"


def _bug(row: Bug) -> Iterator[str]:
    yield from (row.framework, row.what, f"`{row.wrong}`", said(row.wrong), f"`{row.mended}`", said(row.mended))


def _table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
