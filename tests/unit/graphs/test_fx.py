"""Graphs that torch prints, as they are read: each operator against NumPy, groups of ranks, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import erf
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from graph_sources import asked
from msgspec.structs import replace

from rewright.frontends.fx.reading import read_program
from rewright.frontends.tensor_programs.graph import imported_graph
from rewright.frontends.tensor_programs.imported import ImportedGraph
from rewright.model.graph import AllGather, AllReduce, ReduceScatter
from rewright.model.index import Name
from rewright.replay.arrays import Data, from_flat
from rewright.replay.enclosures import ends
from rewright.replay.graphs.evaluation import GraphValues, evaluate
from rewright.verdict import Verdict

Floats = npt.NDArray[np.float64]

MLP = """class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[8, 16]", primals_2: "f32[16, 32]", primals_3: "f32[32, 16]"):
        # File: model.py:2 in forward, code: h = torch.relu(x @ self.a)
        mm: "f32[8, 32]" = torch.ops.aten.mm.default(primals_1, primals_2);  primals_2 = None
        relu: "f32[8, 32]" = torch.ops.aten.relu.default(mm);  mm = None
        mm_1: "f32[8, 16]" = torch.ops.aten.mm.default(relu, primals_3)
        return (mm_1,)
"""
OF_RANK = """class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 16]", arg1_1: "f32[16, 16][16, 1]cuda:0", arg2_1: "f32[16, 16]"):
        mm: "f32[8, 16]" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        relu: "f32[8, 16]" = torch.ops.aten.relu.default(mm);  mm = None

        # File: model.py:3 in forward, code: return all_reduce(h @ self.b, "sum", "tp")
        mm_1: "f32[8, 16]" = torch.ops.aten.mm.default(relu, arg2_1);  relu = arg2_1 = None
        all_reduce: "f32[8, 16]" = torch.ops._c10d_functional.all_reduce.default(mm_1, 'sum', '0');  mm_1 = None
        wait_tensor: "f32[8, 16]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
        return (wait_tensor,)
"""
PAIR = """graph whole from "whole.fx.py"::forward

graph parts on mesh(tp = 2) from "parts.fx.py"::forward

refine parts of whole {
  primals_2: shard(1, tp)
  primals_3: shard(0, tp)
  expect result: replicate
}
"""


def read(text: str, mesh: tuple[tuple[str, int], ...] = ()) -> ImportedGraph:
    spans: dict[tuple[int, int], int] = {}
    program = replace(read_program(text), stated=mesh)
    return imported_graph(program, "main", "g", lambda start, end: spans.setdefault((start, end), len(spans)))


def forward(parameters: str, *statements: str, result: str = "y") -> str:
    head = f"class GraphModule(torch.nn.Module):\n    def forward(self, {parameters}):\n"
    return head + "".join(f"        {each}\n" for each in (*statements, f"return ({result},)"))


def reasons(text: str, mesh: tuple[tuple[str, int], ...] = ()) -> list[str]:
    return [each.reason for each in read(text, mesh).problems]


# -------------------------------------------------------------------------------------------------------- refinements


def test_a_pair_is_proved_and_without_its_all_reduce_refuted_at_the_operator() -> None:
    found = asked(PAIR, {"whole.fx.py": MLP, "parts.fx.py": OF_RANK}, "parts")
    assert found.verdict is Verdict.PROVED
    lost = OF_RANK.replace("(wait_tensor,)", "(mm_1,)")
    found = asked(PAIR, {"whole.fx.py": MLP, "parts.fx.py": lost, "model.py": "one\ntwo\nthree\n"}, "parts")
    assert found.verdict is Verdict.REFUTED
    assert found.places[found.findings[0]].startswith('mm_1: "f32[8, 16]" = torch.ops.aten.mm.default(relu, arg2_1)')


def test_a_mean_over_ranks_divides_by_their_number() -> None:
    graph = forward(
        'x: "f32[4]"',
        "a = torch.ops._c10d_functional.all_reduce.default(x, 'avg', 'dp')",
        'y: "f32[4]" = torch.ops._c10d_functional.wait_tensor.default(a);  a = None',
    )
    found = read(graph, (("dp", 4), ("tp", 2)))
    assert found.graph is not None and not found.problems
    ranks = [(d, t) for d in range(4) for t in range(2)]
    held: dict[tuple[int, ...], Data] = {rank: from_flat((4,), [Fraction(rank[0])] * 4) for rank in ranks}
    made = evaluate(found.graph, {}, {Name("x"): held})
    assert isinstance(made, GraphValues)
    assert all(made.results[Name("result")][rank].tolist() == [Fraction(3, 2)] * 4 for rank in ranks)


@pytest.mark.parametrize(("group", "axes"), [("tp", ("tp",)), ("0", ("dp", "tp")), ("dp", ("dp",))])
def test_a_group_is_the_axis_of_its_name_or_all_ranks(group: str, axes: tuple[str, ...]) -> None:
    call = f"y = torch.ops._c10d_functional.all_reduce.default(x, 'max', '{group}')"
    found = read(forward('x: "f32[4]"', call), (("dp", 4), ("tp", 2)))
    assert found.graph is not None
    (made,) = [each for each in found.graph.nodes if isinstance(each, AllReduce)]
    assert made.axes == axes and made.monoid == "maximum"


def test_gathers_and_scatters_are_along_the_first_dimension() -> None:
    text = forward(
        'x: "f32[4, 3]"',
        "g = torch.ops._c10d_functional.all_gather_into_tensor.default(x, 2, 'tp')",
        "w = torch.ops._c10d_functional.wait_tensor.default(g)",
        "s = torch.ops._c10d_functional.reduce_scatter_tensor.default(w, 'sum', 2, 'tp')",
        'y: "f32[4, 3]" = torch.ops._c10d_functional.wait_tensor.default(s)',
    )
    found = read(text, (("tp", 2),))
    assert found.graph is not None
    assert [type(each) for each in found.graph.nodes[1:]] == [AllGather, ReduceScatter]
    assert [each.dimension for each in found.graph.nodes if isinstance(each, AllGather | ReduceScatter)] == [0, 0]


# ------------------------------------------------------------------------------------------------ operators and NumPy


def softmax(x: Floats, axis: int) -> Floats:
    powers = np.exp(x)
    made: Floats = powers / powers.sum(axis, keepdims=True)
    return made


def normed(x: Floats) -> Floats:
    made: Floats = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    return made


def attended(q: Floats, k: Floats, v: Floats) -> Floats:
    made: Floats = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1) @ v
    return made


ERF = np.vectorize(erf)
A = "torch.ops.aten."
OPERATORS: list[tuple[str, list[tuple[int, ...]], Callable[..., Any]]] = [
    (f"{A}add.Tensor(a, b, alpha = 2)", [(2, 3), (3,)], lambda a, b: a + 2 * b),
    (f"{A}sub.Tensor(a, 1)", [(2, 3)], lambda a: a - 1),
    (f"{A}rsub.Scalar(a, 1)", [(2, 3)], lambda a: 1 - a),
    (f"{A}mul.Tensor(a, b)", [(2, 1), (1, 3)], lambda a, b: a * b),
    (f"{A}div.Tensor(a, 4)", [(2, 3)], lambda a: a / 4),
    (f"{A}pow.Tensor_Scalar(a, 3)", [(2, 3)], lambda a: a**3),
    (f"{A}relu.default(a)", [(2, 3)], lambda a: np.maximum(a, 0)),
    (f"{A}clamp.default(a, -1, 1)", [(2, 3)], lambda a: np.clip(a, -1, 1)),
    (f"{A}reciprocal.default(a)", [(2, 3)], lambda a: 1 / a),
    (f"{A}silu.default(a)", [(2, 3)], lambda a: a / (1 + np.exp(-a))),
    (f"{A}gelu.default(a)", [(2, 3)], lambda a: a / 2 * (1 + ERF(a / np.sqrt(2)))),
    (
        f"{A}gelu.default(a, approximate = 'tanh')",
        [(2, 3)],
        lambda a: a / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (a + 0.044715 * a**3))),
    ),
    (f"{A}tanh_backward.default(a, b)", [(2, 3), (2, 3)], lambda a, b: a * (1 - b * b)),
    (f"{A}sigmoid_backward.default(a, b)", [(2, 3), (2, 3)], lambda a, b: a * b * (1 - b)),
    (f"{A}view.default(a, [3, -1])", [(2, 6)], lambda a: a.reshape(3, 4)),
    ("a.view(3, 2, 2)", [(2, 6)], lambda a: a.reshape(3, 2, 2)),
    (f"{A}flatten.using_ints(a, 1)", [(2, 3, 2)], lambda a: a.reshape(2, 6)),
    (f"{A}unsqueeze.default(a, -1)", [(2, 3)], lambda a: a[..., None]),
    (f"{A}squeeze.dim(a, 1)", [(2, 1, 1)], lambda a: a[:, 0]),
    (f"{A}squeeze.default(a)", [(2, 1, 1)], lambda a: a[:, 0, 0]),
    (f"{A}t.default(a)", [(2, 3)], lambda a: a.T),
    (f"{A}transpose.int(a, 0, -1)", [(2, 3, 4)], lambda a: np.swapaxes(a, 0, 2)),
    (f"{A}permute.default(a, [1, 2, 0])", [(2, 3, 4)], lambda a: a.transpose(1, 2, 0)),
    (f"{A}expand.default(a, [2, -1, 3])", [(4, 1)], lambda a: np.broadcast_to(a, (2, 4, 3))),
    (f"{A}slice.Tensor(a, 1, 1, 9223372036854775807)", [(2, 3)], lambda a: a[:, 1:]),
    (f"{A}slice.Tensor(a, 0, -2, -1)", [(4, 3)], lambda a: a[-2:-1]),
    (f"{A}select.int(a, 1, -1)", [(2, 3)], lambda a: a[:, -1]),
    (f"{A}cat.default([a, b], 1)", [(2, 3), (2, 1)], lambda a, b: np.concatenate([a, b], 1)),
    (f"{A}stack.default([a, b], -1)", [(2, 3), (2, 3)], lambda a, b: np.stack([a, b], -1)),
    (
        f"{A}constant_pad_nd.default(a, [1, -1, 0, 2], 5)",
        [(2, 3)],
        lambda a: np.pad(a, ((0, 2), (1, 0)), constant_values=5)[:, :3],
    ),
    (f"{A}full_like.default(a, 3)", [(2, 3)], lambda a: np.full_like(a, 3)),
    (f"{A}add.Tensor(a, torch.ops.aten.arange.default(3))", [(2, 3)], lambda a: a + np.arange(3)),
    (f"{A}sum.default(a)", [(2, 3)], lambda a: a.sum()),
    (f"{A}sum.dim_IntList(a, [-1], True)", [(2, 3)], lambda a: a.sum(-1, keepdims=True)),
    (f"{A}mean.dim(a, [0])", [(2, 3)], lambda a: a.mean(0)),
    (f"{A}amax.default(a, [1])", [(2, 3)], lambda a: a.max(1)),
    (f"{A}bmm.default(a, b)", [(2, 3, 4), (2, 4, 2)], lambda a, b: a @ b),
    (f"{A}addmm.default(c, a, b, beta = 2)", [(2, 3), (3, 4), (4,)], lambda a, b, c: a @ b + 2 * c),
    (f"{A}linear.default(a, b, c)", [(2, 2, 3), (4, 3), (4,)], lambda a, b, c: a @ b.T + c),
    ("torch.nn.functional.linear(a, b)", [(2, 3), (4, 3)], lambda a, b: a @ b.T),
    ("a @ b + 1", [(2, 3), (3, 2)], lambda a, b: a @ b + 1),
    (f"{A}_softmax.default(a, -1, False)", [(2, 3)], lambda a: softmax(a, -1)),
    (f"{A}_log_softmax.default(a, 0, False)", [(2, 3)], lambda a: np.log(softmax(a, 0))),
    (
        f"{A}_softmax_backward_data.default(a, b, -1, torch.float32)",
        [(2, 3), (2, 3)],
        lambda a, b: b * (a - (a * b).sum(-1, keepdims=True)),
    ),
    (f"{A}layer_norm.default(a, [3], b, c)", [(2, 3), (3,), (3,)], lambda a, b, c: normed(a) * b + c),
    (f"{A}native_layer_norm.default(a, [3], b, None, 1e-05)[0]", [(2, 3), (3,)], lambda a, b: normed(a) * b),
    (f"{A}native_layer_norm.default(a, [3], None, None, 1e-05)[1]", [(2, 3)], lambda a: a.mean(-1, keepdims=True)),
    (
        f"{A}rms_norm.default(a, [3], b, 0.5)",
        [(2, 3), (3,)],
        lambda a, b: a / np.sqrt((a * a).mean(-1, keepdims=True) + 0.5) * b,
    ),
    (f"{A}scaled_dot_product_attention.default(a, b, c)", [(2, 3, 4), (2, 5, 4), (2, 5, 2)], attended),
]


@pytest.mark.parametrize(("written", "shapes", "meant"), OPERATORS, ids=[each[0] for each in OPERATORS])
def test_an_operator_is_what_numpy_computes(
    written: str, shapes: list[tuple[int, ...]], meant: Callable[..., Floats]
) -> None:
    names = "abc"[: len(shapes)]
    given = ", ".join(f'{name}: "f32{list(shape)}"' for name, shape in zip(names, shapes, strict=True))
    call, _, part = written.partition(")[")
    lines = [f"p = {call})", f"y = p[{part}"] if part else [f"y = {written}"]
    found = read(forward(given, *lines))
    assert found.graph is not None and not found.problems
    drawn = np.random.default_rng(len(written))
    inputs = [drawn.integers(1, 4, shape) * drawn.choice([-1, 1], shape) for shape in shapes]
    held: Mapping[Name, Mapping[tuple[int, ...], Data]] = {
        Name(name): {(): from_flat(shape, [Fraction(int(each)) for each in value.ravel()])}
        for name, shape, value in zip(names, shapes, inputs, strict=True)
    }
    made = evaluate(found.graph, {}, held)
    assert isinstance(made, GraphValues)
    result = made.results[Name("result")][()]
    expected = np.asarray(meant(*(each.astype(np.float64) for each in inputs)))
    numbers = np.array([float(sum(ends(each)) / 2) for each in result.ravel()]).reshape(result.shape)
    assert numbers.shape == expected.shape
    np.testing.assert_allclose(numbers, expected, rtol=1e-6, atol=1e-9)


def test_parts_of_a_split_are_taken_by_number() -> None:
    found = read(
        forward(
            'x: "f32[2, 5]"',
            "s = torch.ops.aten.split.Tensor(x, 2, 1)",
            'y: "f32[2, 1]" = s[2];  s = None',
        )
    )
    assert found.graph is not None and not found.problems
    held: Mapping[Name, Mapping[tuple[int, ...], Data]] = {Name("x"): {(): from_flat((2, 5), map(Fraction, range(10)))}}
    made = evaluate(found.graph, {}, held)
    assert isinstance(made, GraphValues)
    assert made.results[Name("result")][()].tolist() == [[4], [9]]


# -------------------------------------------------------------------------------------------------- what is not taken


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("torch.ops.aten.embedding.default(x, x)", "`torch.ops.aten.embedding.default` is not taken"),
        ("torch.ops.mylib.fused.default(x)", "`torch.ops.mylib.fused.default` is not taken"),
        ("torch.ops.aten.add_.Tensor(x, x)", "is not taken: it changes its operand in place"),
        ("torch.ops.aten.dropout.default(x, 0.1, True)", "is not taken: what it drops is drawn at random"),
        ("torch.ops.aten.slice.Tensor(x, 0, 0, 4, 2)", "is not taken: it has strides"),
        ("torch.ops.aten.view.default(x, [3, 5])", "is not taken: its shapes do not hold the same number of elements"),
        ("torch.ops._c10d_functional.all_reduce.default(x, 'sum', 'pp')", "`pp` is no mesh axis, but `dp`, `tp`"),
        (
            "torch.ops._c10d_functional.all_gather_into_tensor.default(x, 8, 'tp')",
            "its group has 8 ranks, and the mesh 2",
        ),
        ("self._tensor_constant0", "`self._tensor_constant0` is not taken"),
    ],
)
def test_what_is_not_taken_is_said_and_matters_only_where_it_is_read(statement: str, reason: str) -> None:
    mesh = (("dp", 2), ("tp", 2))
    text = forward('x: "f32[4, 4]"', f"z = {statement}", "u = torch.ops.aten.neg.default(z)", "y = x + 1")
    found = read(text, mesh)
    assert found.graph is not None and len(found.problems) == 1 and reason in found.problems[0].reason
    assert read(text.replace("(y,)", "(u,)"), mesh).graph is None


def test_a_type_that_does_not_fit_is_not_believed() -> None:
    text = forward('x: "f32[4, 4]"', 'y: "f32[4, 5]" = torch.ops.aten.neg.default(x)')
    assert reasons(text) == ["`torch.ops.aten.neg.default` is not taken: its type does not fit its operands"]


def test_sizes_that_are_not_known_are_said() -> None:
    text = forward('s0: "Sym(s0)", x: "f32[s0, 4]"', 'y: "f32[s0, 4]" = torch.ops.aten.neg.default(x)')
    assert any("sizes that are not known" in each for each in reasons(text))
    assert read(text).graph is None


def test_a_collective_needs_a_mesh_in_the_declaration() -> None:
    text = forward('x: "f32[4]"', "y = torch.ops._c10d_functional.all_reduce.default(x, 'sum', '0')")
    assert "the declaration says no mesh" in reasons(text)[0]


@pytest.mark.parametrize("end", range(0, len(OF_RANK), 23))
def test_half_typed_texts_are_read(end: int) -> None:
    read(OF_RANK[:end], (("tp", 2),))


def test_an_exported_program_is_read_in_its_frame() -> None:
    inner = forward('p_w: "f32[4, 4]", x: "f32[2, 4]"', 'y: "f32[2, 4]" = torch.ops.aten.linear.default(x, p_w)')
    text = "ExportedProgram:\n" + "".join(f"    {line}\n" for line in inner.splitlines())
    text += "\nGraph signature:\n    # inputs\n    p_w: PARAMETER target='w'\n\nRange constraints: {}\n"
    found = read(text)
    assert found.graph is not None and not found.problems
    assert [each.name for each in found.inputs] == ["p_w", "x"]
