"""Loops of graphs against their text run as it stands: loops of Python, on all ranks, in NumPy."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graph_oracle import FLOATS, values
from graph_statements import Run

from rewright.model.check_graph.declaration import graph_at
from rewright.model.check_graph.open_graph import OpenGraph
from rewright.model.check_graph.sizes import size_of
from rewright.model.file import check_file
from rewright.model.graph import Graph, GraphInput
from rewright.model.index import Name
from rewright.syntax import nodes
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

LIBRARY = Path(__file__).parents[2] / "rules" / "graphs"


def graphs(text: str, ranks: int) -> Iterator[tuple[nodes.GraphDecl, Graph]]:
    """The graphs of a text, with so many ranks along axes of any size."""
    parsed = parse(Text.of("test.rw", text))
    declared = check_file(parsed, lambda path: None).declarations
    for placed, each in zip(parsed.file.declarations, declared, strict=True):
        if isinstance(placed.node, nodes.GraphDecl):
            assert not each.findings and not each.unsupported, (each.findings, text)
            value = each.value
            if isinstance(value, OpenGraph):
                value = graph_at(value, dict.fromkeys(value.axes, ranks))
            assert isinstance(value, Graph)
            yield placed.node, value


def agrees(node: nodes.GraphDecl, graph: Graph, sizes: Mapping[str, int], rng: random.Random) -> None:
    """Asserts that the nodes of a graph compute what its text does, on random inputs."""
    known = {Name(name): size for name, size in sizes.items()}
    mesh = tuple(axis.size for axis in graph.mesh)
    inputs: dict[Name, Any] = {}
    for each in graph.nodes:
        if isinstance(each, GraphInput):
            shape = tuple(_number(size, sizes) for size in each.shape)
            drawn = [rng.uniform(-2, 2) for _ in range(int(np.prod((*mesh, *shape))))]
            inputs[each.name] = np.array(drawn).reshape((*mesh, *shape))
    found = values(graph, known, inputs, FLOATS)
    by_rank = {str(name): [array[rank] for rank in np.ndindex(*mesh)] for name, array in inputs.items()}
    run = Run(sizes, {str(axis.name): axis.size for axis in graph.mesh}, by_rank)
    run.statements(node.items)
    for name, array in found.items():
        for rank, expected in zip(np.ndindex(*mesh), run.names[name], strict=True):
            assert array[rank].shape == np.shape(expected), (name, rank)
            assert np.allclose(array[rank], expected), (graph.name, name, rank)


def _number(size: Any, sizes: Mapping[str, int]) -> int:
    total = sum(factor * int(np.prod([sizes[each] for each in symbols])) for symbols, factor in size_of(size).terms)
    assert total == int(total)
    return int(total)


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_loops_of_the_library_compute_what_their_text_does(ranks: int) -> None:
    text = (LIBRARY / "steps.rw").read_text(encoding="utf-8")
    seen = 0
    for node, graph in graphs(text, ranks):
        sizes = {"n": 3 if ranks == 3 else 2, "k": 2, "h": 3, "d": 3, "e": 2, "s": 12, "t": 12}
        agrees(node, graph, sizes, random.Random(ranks))
        seen += any(isinstance(item, nodes.For) for item in node.items)
    assert seen >= 10


class Drawn:
    """A random graph with loops, on one axis of ranks: what loops carry, what is of one step, loops in loops."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.ranks = self.rng.randint(1, 4)
        self.count = 0
        self.lines: list[str] = []

    def text(self) -> str:
        self.lines = [f"graph g(x: f32[12 * n, k], w: f32[k, k]) -> a, b on mesh(tp = {self.ranks}) {{"]
        self.lines += ["  a = slice(x, 0, 0, n)", "  b = broadcast(0, i: n, j: k)"]
        for _ in range(self.rng.randint(1, 2)):
            self.loop(["a", "b"], [], 1)
        return "\n".join([*self.lines, "}", ""])

    def loop(self, carried: list[str], steps: list[str], depth: int) -> None:
        name = "ijl"[len(steps)]
        low = self.rng.randint(0, 2)
        high = self.rng.choice([str(low + self.rng.randint(1, 3)), f"tp + {low}", *(f"{each} + 1" for each in steps)])
        by = self.rng.choice(["", "", " step 2"])
        indent = "  " * depth
        self.lines.append(f"{indent}for {name} in {low if high[0].isdigit() else 0}..{high}{by} {{")
        inner, steps = list(carried), [*steps, name]
        for _ in range(self.rng.randint(1, 4)):
            if len(steps) < 3 and self.rng.random() < 0.2:
                self.loop(inner, steps, depth + 1)
            else:
                self.statement(carried, inner, steps, depth + 1)
        self.lines.append(f"{indent}}}")

    def statement(self, carried: list[str], inner: list[str], steps: list[str], depth: int) -> None:
        value = self.value(inner, steps)
        kind = self.rng.random()
        if kind < 0.4:
            said = f"{self.rng.choice(carried)} {self.rng.choice(['+=', '-=', '*='])} tanh({value})"
        elif kind < 0.7:
            said = f"{self.rng.choice(carried)} = {value}"
        else:
            self.count += 1
            said = f"{self.rng.choice(['', 'let '])}t{self.count} = {value}"
            inner.append(f"t{self.count}")
        self.lines.append(f"{'  ' * depth}{said}")

    def value(self, names: list[str], steps: list[str]) -> str:
        x, y, i = self.rng.choice(names), self.rng.choice(names), self.rng.choice(steps)
        return self.rng.choice(
            [
                f"{x} + {y} / 2",
                f"tanh({x} @ w) - {i}",
                f"slice(x, 0, {i} * n, ({i} + 1) * n) * {x}",
                f"slice(x, 0, {' + '.join(steps)} * n, ({' + '.join(steps)}) * n + n)"
                if len(steps) == 1
                else f"slice(x, 0, ({' + '.join(steps)}) * n / 2 + n / 2, ({' + '.join(steps)} + 1) * n / 2 + n)",
                f"select(rank(tp) == {i}, {x}, {y})",
                f"collective_permute({x}, over = tp, shift = {self.rng.choice([i, '1', '-1', f'2 * {i} - 1'])})",
                f"all_reduce({self.rng.choice(['add', 'max'])}, {x}, over = tp) / tp",
                f"{x} * {i} + {y}",
            ]
        )


def test_random_loops_compute_what_their_text_does() -> None:
    count = 1500 if os.environ.get("REWRIGHT_SOAK") else 150
    loops = 0
    for seed in range(count):
        drawn = Drawn(f"loops {seed}")
        text = drawn.text()
        ((node, graph),) = graphs(text, drawn.ranks)
        loops += len(graph.loops) > 1
        agrees(node, graph, {"n": 2, "k": 3}, random.Random(seed))
    assert loops > count * 0.8
