"""A graph that is written in a source, as every front end gives it. Plain data. Must not know any language."""

from __future__ import annotations

from msgspec import Struct

from rewright.frontends.tensor_programs.program import ModelLine
from rewright.model.graph import Graph, Partial, Shard
from rewright.verdict import Diagnosis


class ImportedTensor(Struct, frozen=True):
    """An input or a result: its name, the shape of the whole, the placements that the source says, None if none.

    `site` is where it is said.
    """

    name: str
    shape: tuple[int, ...]
    placements: tuple[Shard | Partial, ...] | None
    site: int


class ImportProblem(Struct, frozen=True):
    """What is not taken, as a sentence, and at which site."""

    reason: str
    site: int


class ImportedGraph(Struct, frozen=True):
    """The graph of a source, None if it has none that is understood; `problems` say what is not taken.

    `lines` are where the model's own source says what is at a site. `notes` say what element types lose, with sites;
    they change no verdict.
    """

    graph: Graph | None
    inputs: tuple[ImportedTensor, ...]
    results: tuple[ImportedTensor, ...]
    problems: tuple[ImportProblem, ...]
    lines: tuple[tuple[int, ModelLine], ...]
    notes: tuple[tuple[Diagnosis, int], ...] = ()
