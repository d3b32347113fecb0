"""From a refinement of graphs in sources to the question that it asks: the texts are read once, in a worker.

Owns what corresponds to what: inputs and results by their names, else by their order; placements as the declaration
states them, else as the source says. Invariant: the question says nothing of the text. Places are numbered, so an edit
that only moves text, or a comment, asks what was asked before. Must not know files: sources come by value.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_question import NumberedQuestion, WrittenLine
from rewright.checks.refinement_question import ImportedRefinement, ImportPayload, RefinementPayload
from rewright.frontends.table import GRAPH_LANGUAGES, GraphLanguage, graph_language_of
from rewright.frontends.tensor_programs.graph import imported_graph
from rewright.frontends.tensor_programs.imported import ImportedGraph, ImportedTensor
from rewright.frontends.tensor_programs.program import ModelLine, TensorProgram
from rewright.model.canonical import canonical
from rewright.model.check_graph.written_expressions import WrittenExpressions
from rewright.model.foreign_graph import ForeignGraph, StatedExpression, StatedParts, StatedPlacement, StatedShard
from rewright.model.graph import Graph, GraphInput, Node, Partial, Placed, Refinement, Shard, Slice, redirected
from rewright.model.index import Name, Number
from rewright.model.placeless import Numbering
from rewright.verdict import Diagnosis, Finding, InSource, Place, Severity, Site
from rewright.verdict.codec import encode
from rewright.verdict.diagnostics.graphs import InputOfOneGraph, NoSuchDimension, PlacementDoesNotFit
from rewright.verdict.diagnostics.names import UnknownName
from rewright.verdict.diagnostics.rules import NotDecided

Placements = tuple[Shard | Partial, ...]

ONLY = f"only {' and '.join(f'{each.name} (`{each.endings[0]}`)' for each in GRAPH_LANGUAGES)} is read in this version"


def import_refinement(payload: ImportPayload) -> ImportedRefinement:
    """What a refinement asks whose graphs are written in sources."""
    asked = payload.refinement
    reading = _Reading(payload)
    sequential, distributed = reading.side(asked.sequential), reading.side(asked.distributed)
    read = tuple(dict.fromkeys((*(each.path for each in asked.foreign), *reading.looked())))
    if payload.sought is not None and not set(read) <= set(payload.sought):
        return ImportedRefinement(None, (), read)
    if sequential is None or distributed is None:
        return ImportedRefinement(None, tuple(reading.problems), read)
    refinement = _Corresponding(payload, sequential, distributed, reading).refinement()
    if refinement is None:
        return ImportedRefinement(None, tuple(reading.problems), read)
    return ImportedRefinement(reading.asking(refinement), tuple(reading.problems), read)


class _Side(Struct, frozen=True):
    """One of the two graphs, with what is known of its inputs and results."""

    graph: Graph
    inputs: Sequence[ImportedTensor]
    results: Sequence[ImportedTensor]


class _Reading:
    """The graphs while they are read."""

    def __init__(self, payload: ImportPayload) -> None:
        self.payload = payload
        self.problems: list[Finding] = []
        self.lines: dict[int, tuple[str, ModelLine]] = {}
        self._numbering = Numbering(payload.sites)
        self._texts = {source.path: source.text for source in payload.sources}
        self._programs: dict[str, TensorProgram] = {}

    def side(self, graph: Graph | ForeignGraph) -> _Side | None:
        """A graph as it is read, None if it has none."""
        if isinstance(graph, Graph):
            return _own(graph)
        language = graph_language_of(graph.path)
        if language is None:
            self._refuse(f"`{graph.path}`: {ONLY}", 0)
            return None
        if graph.path not in self._texts:
            self._refuse(f"`{graph.path}` cannot be read", 0)
            return None
        try:
            return self._read(graph, language)
        except RecursionError:
            self._refuse(f"`{graph.path}` nests too deep to be read", 0)
            return None

    def _read(self, graph: ForeignGraph, language: GraphLanguage) -> _Side | None:
        path = graph.path
        if path not in self._programs:
            self._programs[path] = language.front_end()(self._texts[path])

        def sited(start: int, end: int) -> int:
            return self._numbering.number(InSource(path, start, end))

        program = replace(self._programs[path], stated=graph.mesh)
        found: ImportedGraph = imported_graph(program, graph.entry, graph.name, sited)
        for problem in found.problems:
            self._refuse(problem.reason, problem.site)
        for diagnosis, site in found.notes:
            self._add(Finding(diagnosis, Severity.WARNING, self.place(site)))
        self.lines |= {site: (path, line) for site, line in found.lines}
        return None if found.graph is None else _Side(found.graph, found.inputs, found.results)

    def _refuse(self, reason: str, site: int) -> None:
        self._add(Finding(NotDecided(reason), Severity.WARNING, self.place(site)))

    def _add(self, found: Finding) -> None:
        if found not in self.problems:
            self.problems.append(found)

    def place(self, site: int) -> Place:
        """Where a site is: of the declaration, or in a text."""
        return self._numbering.places[site - self.payload.sites] if site >= self.payload.sites else Site(site)

    def looked(self) -> Iterator[str]:
        """The model's own sources, under the paths at which they may be."""
        for path, line in self.lines.values():
            yield from _candidates(path, line.file)

    def asking(self, refinement: Refinement) -> NumberedQuestion:
        """The question, with what its numbers stand for."""
        value, names = canonical(RefinementPayload((refinement,)))
        paths = {place.path: None for place in self._numbering.places}
        numbers = {path: number for number, path in enumerate(paths)}
        spans = " ".join(f"{numbers[place.path]} {place.start} {place.end}" for place in self._numbering.places)
        lines = tuple(self._written(site, path, line) for site, (path, line) in self.lines.items())
        return NumberedQuestion(encode(value), names, tuple(paths), spans, lines)

    def _written(self, site: int, path: str, line: ModelLine) -> WrittenLine:
        for candidate in _candidates(path, line.file):
            rows = self._texts[candidate].split("\n") if candidate in self._texts else []
            if line.line <= len(rows):
                start = sum(len(row.encode()) + 1 for row in rows[: line.line - 1])
                row = rows[line.line - 1]
                begin = len(row[: line.column].encode()) if line.column < len(row) else 0
                return WrittenLine(site, line.file, line.line, candidate, start + begin, start + len(row.encode()))
        return WrittenLine(site, line.file, line.line, "", 0, 0)


def _candidates(path: str, file: str) -> tuple[str, ...]:
    """The paths at which a file may be that a text names: beside the text, and as it stands."""
    if not file.isprintable() or file.startswith("<"):
        return ()
    return tuple(dict.fromkeys((posixpath.normpath(posixpath.join(posixpath.dirname(path), file)), file)))


def _own(graph: Graph) -> _Side:
    """A graph of our own language: of its inputs and results nothing is said but their shapes."""
    inputs = [
        ImportedTensor(each.name, _numbers(each.shape), None, 0) for each in graph.nodes if isinstance(each, GraphInput)
    ]
    results = [ImportedTensor(each.name, _numbers(graph.nodes[each.node].shape), None, 0) for each in graph.results]
    return _Side(graph, inputs, results)


def _numbers(shape: Sequence[object]) -> tuple[int, ...]:
    """The sizes; -1 for one that is no number."""
    return tuple(each.value if isinstance(each, Number) else -1 for each in shape)


class _Corresponding(Struct):
    """The two graphs while it is found out what of the one is what of the other."""

    payload: ImportPayload
    sequential: _Side
    distributed: _Side
    reading: _Reading

    def refinement(self) -> Refinement | None:
        """The refinement; None, with what is wrong noted, if there is none."""
        before = len(self.reading.problems)
        asked = self.payload.refinement
        for stated in asked.parts:
            whole = self._whole(stated)
            if whole is None:
                return None
            self.distributed = whole
        named = {each.name for each in asked.parts}
        if asked.related:
            if not self._relate(asked.related):
                return None
            named |= {each.left for each in asked.related}
            named |= {each.name for each in self.sequential.inputs if " of " in each.name}
        inputs = self._inputs(named)
        results = self._paired(self.sequential.results, self.distributed.results)
        if inputs is None or results is None:
            return None
        read = {name for each in asked.related for name in each.reads}
        placed = self._placed(inputs, [each for each in asked.inputs if each.name not in read], "input")
        stated_results = {each.name for each in asked.expected}
        # Of a result of which nothing is said it is asked how the ranks hold it, not that they all hold it.
        claimed = [
            (one, other)
            for one, other in results
            if other.placements is not None or stated_results & {one.name, other.name}
        ]
        expected = self._placed(claimed, asked.expected, "result")
        if len(self.reading.problems) > before:
            return None
        distributed = _renamed(self.distributed.graph, inputs, results)
        facts = (*self.sequential.graph.facts, *distributed.facts)
        made = Refinement(distributed, self.sequential.graph, tuple(placed), tuple(expected), facts)
        if not asked.equations:
            return made
        written = WrittenExpressions(asked.equations)
        made = written.equal(made)
        return made if self._said(written) else None

    def _said(self, written: WrittenExpressions) -> bool:
        """Whether nothing is wrong with expressions; else what is."""
        before = len(self.reading.problems)
        for each in written.noted():
            assert isinstance(each.place, Site)
            self.reading.problems.append(replace(each, place=self.reading.place(each.place.number)))
        return len(self.reading.problems) == before

    def _relate(self, stated: Sequence[StatedExpression]) -> bool:
        """Lets inputs that are expressions of others be inputs of both graphs; whether nothing is wrong."""
        given = {each.name: each for each in self.distributed.inputs}
        placements = {each.name: each for each in self.payload.refinement.inputs}
        shards: dict[str, tuple[Shard, ...]] = {}
        for each in stated:
            for name in (one for one in each.reads if one in given):
                own = placements.get(name)
                held = self._meant(own, given[name]) if own is not None else given[name].placements or ()
                shards[name] = tuple(one for one in held if isinstance(one, Shard))
                if any(isinstance(one, Partial) for one in held):
                    what = "a part of a sum of an input that is related by an expression is not supported yet"
                    self.reading.problems.append(
                        Finding(NotDecided(what), Severity.WARNING, self.reading.place(each.site))
                    )
                    return False
        written = WrittenExpressions(stated)
        made = written.related((self.distributed.graph, self.sequential.graph), shards)
        if not self._said(written) or made is None:
            return False
        distributed, sequential = made
        self.sequential = replace(
            self.sequential, graph=sequential, inputs=_input_tensors(sequential, self.sequential, ())
        )
        self.distributed = replace(
            self.distributed,
            graph=distributed,
            inputs=_input_tensors(distributed, self.distributed, {each.left for each in stated}),
        )
        return True

    def _inputs(self, named: Collection[str]) -> list[tuple[ImportedTensor, ImportedTensor]] | None:
        """The inputs that correspond: those that are `named` by the refinement by their names."""
        given = {each.name: each for each in self.distributed.inputs}
        own = [each for each in self.sequential.inputs if each.name in named and each.name in given]
        taken = {each.name for each in own}
        rest = self._paired(
            [each for each in self.sequential.inputs if each.name not in taken],
            [each for each in self.distributed.inputs if each.name not in taken],
        )
        if rest is None:
            return None
        found = {one.name: (one, other) for one, other in [*((each, given[each.name]) for each in own), *rest]}
        return [found[each.name] for each in self.sequential.inputs]

    def _whole(self, stated: StatedParts) -> _Side | None:
        """The distributed graph with one input in the place of its parts; None, noted, if they are not its parts."""
        known = {each.name: each for each in self.sequential.inputs}
        given = {each.name: each for each in self.distributed.inputs}
        if stated.name not in known:
            self._error(UnknownName("input", stated.name, None), stated.site)
            return None
        for name in stated.parts:
            if name not in given:
                self._error(UnknownName("input", name, None), stated.site)
                return None
        whole, parts = known[stated.name], [given[name] for name in stated.parts]
        along = int(stated.dimension)
        local = [self._local(each) for each in parts]
        if along >= max(len(whole.shape), 1) or any(len(each) != len(whole.shape) for each in local):
            self._error(NoSuchDimension(stated.dimension, _shown(whole.shape)), stated.site)
            return None
        if len(parts) > 1:
            joined = list(local[0])
            joined[along] = sum(each[along] for each in local)
            rest = {(*each[:along], *each[along + 1 :]) for each in local}
            if tuple(joined) != whole.shape or len(rest) > 1:
                self._error(PlacementDoesNotFit(stated.name, _shown(whole.shape), _shown(joined)), stated.site)
                return None
        graph = _with_whole(self.distributed.graph, stated, (whole.shape, along, local))
        made = (
            ImportedTensor(stated.name, whole.shape, None, stated.site)
            if len(parts) > 1
            else replace(parts[0], name=stated.name)
        )
        others = [each for each in self.distributed.inputs if each.name not in stated.parts]
        return _Side(graph, [*others, made], self.distributed.results)

    def _paired(
        self, first: Sequence[ImportedTensor], second: Sequence[ImportedTensor]
    ) -> list[tuple[ImportedTensor, ImportedTensor]] | None:
        """Each of the sequential graph with that of the other: by name if all names are the same, else in order."""
        by_name = {each.name: each for each in second}
        if by_name.keys() == {each.name for each in first}:
            return [(each, by_name[each.name]) for each in first]
        if len(first) == len(second):
            return list(zip(first, second, strict=True))
        longer, graph = (first, self.distributed) if len(first) > len(second) else (second, self.sequential)
        names = {each.name for each in (second if longer is first else first)}
        missing = next((each for each in longer if each.name not in names), longer[-1])
        self._error(InputOfOneGraph(missing.name, graph.graph.name), 0)
        return None

    def _placed(
        self,
        pairs: Sequence[tuple[ImportedTensor, ImportedTensor]],
        stated: Sequence[StatedPlacement],
        what: str,
    ) -> list[Placed]:
        said = {each.name: each for each in stated}
        names = {name for pair in pairs for name in (pair[0].name, pair[1].name)}
        for each in stated:
            if each.name not in names:
                self._error(UnknownName(what, each.name, None), each.site)
        return [self._one(pair, said.get(pair[0].name) or said.get(pair[1].name)) for pair in pairs]

    def _one(self, pair: tuple[ImportedTensor, ImportedTensor], stated: StatedPlacement | None) -> Placed:
        one, other = pair
        name = Name(one.name)
        if stated is not None:
            placements, site = self._meant(stated, one), stated.site
        else:
            placements, site = other.placements or (), other.site if other.placements is not None else 0
        local = self._local(other)
        expected = self._shape(one.shape, placements)
        if -1 not in (*expected, *local) and expected != local:
            self._error(PlacementDoesNotFit(one.name, _shown(expected), _shown(local)), site)
        return Placed(name, placements, site)

    def _local(self, other: ImportedTensor) -> tuple[int, ...]:
        """The shape that a rank of the distributed graph holds."""
        graph = self.distributed.graph
        for each in graph.nodes:
            if isinstance(each, GraphInput) and each.name == other.name and other in self.distributed.inputs:
                return _numbers(each.shape)
        node = next(each.node for each in graph.results if each.name == other.name)
        return _numbers(graph.nodes[node].shape)

    def _meant(self, stated: StatedPlacement, of: ImportedTensor) -> Placements:
        """What is stated, as far as the graph has the dimensions and axes that it names."""
        axes = {axis.name for axis in self.distributed.graph.mesh}
        found: list[Shard | Partial] = []
        for each in stated.placements:
            if each.axis not in axes:
                self._error(UnknownName("mesh axis", each.axis, None), each.site)
            elif isinstance(each, StatedShard) and int(each.dimension) >= len(of.shape):
                self._error(NoSuchDimension(each.dimension, _shown(of.shape)), each.site)
            elif isinstance(each, StatedShard):
                found.append(Shard(int(each.dimension), Name(each.axis)))
            else:
                found.append(Partial(each.monoid, Name(each.axis)))
        return tuple(found)

    def _shape(self, whole: tuple[int, ...], placements: Placements) -> tuple[int, ...]:
        """The shape on each rank; a size that is not divided stays what it is."""
        ranks = {axis.name: axis.size for axis in self.distributed.graph.mesh}
        made = list(whole)
        for each in placements:
            if isinstance(each, Shard) and each.dimension < len(made) and each.axis in ranks:
                size, many = made[each.dimension], ranks[each.axis]
                made[each.dimension] = size // many if size > 0 and size % many == 0 else -1 if size < 0 else size
        return tuple(made)

    def _error(self, diagnosis: Diagnosis, site: int) -> None:
        self.reading.problems.append(Finding(diagnosis, Severity.ERROR, self.reading.place(site)))


def _input_tensors(graph: Graph, before: _Side, new: Collection[str]) -> list[ImportedTensor]:
    """The inputs of a graph; of those that are `new`, or were not there before, nothing is said."""
    known = {each.name: each for each in before.inputs if each.name not in new}
    given = (each for each in graph.nodes if isinstance(each, GraphInput))
    return [known.get(each.name) or ImportedTensor(each.name, _numbers(each.shape), None, each.site) for each in given]


def _shown(shape: Sequence[int]) -> str:
    return f"[{', '.join('?' if each < 0 else str(each) for each in shape)}]"


def _with_whole(
    graph: Graph, stated: StatedParts, sizes: tuple[tuple[int, ...], int, Sequence[tuple[int, ...]]]
) -> Graph:
    """The graph with one input, of which those that are named are parts, one after the other along a dimension."""
    shape, along, local = sizes
    if len(stated.parts) == 1:
        names = {stated.parts[0]: Name(stated.name)}
        nodes = tuple(
            replace(each, name=names[each.name]) if isinstance(each, GraphInput) and each.name in names else each
            for each in graph.nodes
        )
        return replace(graph, nodes=nodes)
    first = next(each for each in graph.nodes if isinstance(each, GraphInput) and each.name == stated.parts[0])
    whole = GraphInput(Name(stated.name), first.type, tuple(Number(size, first.site) for size in shape), first.site)
    starts, offset = {}, 0
    for name, part in zip(stated.parts, local, strict=True):
        starts[name] = offset
        offset += part[along]
    made: list[Node] = [whole]
    for each in (redirected(each, lambda number: number + 1) for each in graph.nodes):
        if isinstance(each, GraphInput) and each.name in starts:
            start = tuple(Number(starts[each.name] if d == along else 0, each.site) for d in range(len(each.shape)))
            each = Slice(0, start, each.shape, each.site)
        made.append(each)
    results = tuple(replace(each, node=each.node + 1) for each in graph.results)
    loops = tuple(replace(each, first=each.first + 1, stop=each.stop + 1) for each in graph.loops)
    # Calls only save work where the sequential graph has some, too, which a text has not.
    return replace(graph, nodes=tuple(made), results=results, loops=loops, calls=())


def _renamed(
    graph: Graph,
    inputs: Sequence[tuple[ImportedTensor, ImportedTensor]],
    results: Sequence[tuple[ImportedTensor, ImportedTensor]],
) -> Graph:
    """The graph with the names that inputs and results have in the sequential one."""
    names = {other.name: Name(one.name) for one, other in inputs}
    called = {other.name: Name(one.name) for one, other in results}
    return replace(
        graph,
        nodes=tuple(
            replace(each, name=names[each.name]) if isinstance(each, GraphInput) else each for each in graph.nodes
        ),
        results=tuple(replace(each, name=called[each.name]) for each in graph.results),
    )
