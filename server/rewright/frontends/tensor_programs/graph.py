"""From a tensor program to the graph of one of its functions: one program for every rank, or one for one device.

Owns the way through functions and operations. An operation that is not taken is a problem at its place; its results,
and what reads them, are not taken either. Must not know any language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from rewright.frontends.tensor_programs.attributes import word
from rewright.frontends.tensor_programs.building import Nodes
from rewright.frontends.tensor_programs.collectives import COLLECTIVES, Devices, exchanged, group_size
from rewright.frontends.tensor_programs.element_types import ElementNote, element_notes
from rewright.frontends.tensor_programs.folding import each_shape, is_integral, signed
from rewright.frontends.tensor_programs.holdings import (
    Holdings,
    NotHeld,
    Sited,
    holdings_of,
    is_partitioned,
    mesh_of,
    sentence,
    whole_shape,
)
from rewright.frontends.tensor_programs.imported import ImportedGraph, ImportedTensor, ImportProblem
from rewright.frontends.tensor_programs.inlining import (
    ANNOTATIONS,
    MANUAL,
    MOST_CALLS,
    RETURNS,
    SHAPES,
    TO_GLOBAL,
    TO_LOCAL,
    callee,
    inlined,
    known,
    target,
)
from rewright.frontends.tensor_programs.looking_up import with_clamps
from rewright.frontends.tensor_programs.operators import OPERATORS, Operator, is_real
from rewright.frontends.tensor_programs.program import Function, ModelLine, TensorOperation, TensorProgram
from rewright.frontends.tensor_programs.ranks import RankMesh
from rewright.frontends.tensor_programs.values import NotTaken, Tensor, Untaken, Value
from rewright.model.graph import INTEGERS, Graph, GraphInput, GraphResult, Shard
from rewright.model.index import Name

GROUP_SIZE = "rewright.group_size"
"""How many ranks a group has that is named, as an operation of the front ends."""

TRUTHFUL = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("compare", "and", "or", "not", "select", "convert", "constant", "optimization_barrier"),
        *("broadcast_in_dim", "reshape", "transpose", "slice", "dynamic_slice"),
    )
)
"""Operators that take tensors of truth values: logic, and what moves elements."""

MAIN = "main"
"""What the function is called that is meant where none is named."""

MOST_OPERATIONS = 100_000
"""Operations of a graph, those of functions counted at each call."""


def imported_graph(program: TensorProgram, entry: str, name: str, sited: Sited) -> ImportedGraph:
    """The graph of the function that is called `entry`, under a name of its own."""
    return _Import(program, Name(name), sited).graph(entry)


class _Stop(Exception):
    """The graph cannot be understood: a problem says why."""


class _Import(Struct):
    program: TensorProgram
    name: Name
    sited: Sited
    problems: list[ImportProblem] = field(default_factory=list)
    lines: dict[int, ModelLine] = field(default_factory=dict)
    left: int = MOST_OPERATIONS
    whole: set[str] = field(default_factory=set)
    cut: dict[int, set[int]] = field(default_factory=dict)
    nodes: Nodes = field(default_factory=lambda: Nodes(RankMesh(())))

    def graph(self, entry: str) -> ImportedGraph:
        for each in self.program.misread:
            self._problem(each.reason, self.sited(each.start, each.end))
        inputs: list[ImportedTensor] = []
        results: list[ImportedTensor] = []
        made = None
        notes: tuple[ElementNote, ...] = ()
        try:
            function = inlined(self.program, self._function(entry))
            notes = element_notes(self.program, function)
            made = self._made(function, inputs, results)
        except NotHeld as found:
            self._problem(str(found), self.sited(found.start, found.end))
        except _Stop:
            pass
        lines = tuple(self.lines.items())
        problems = tuple(dict.fromkeys(self.problems))
        noted = tuple((each.diagnosis, self.sited(each.start, each.end)) for each in notes)
        return ImportedGraph(made, tuple(inputs), tuple(results), problems, lines, noted)

    def _function(self, entry: str) -> Function:
        functions = self.program.functions
        if entry in functions:
            return functions[entry]
        is_default = entry == MAIN and self.program.entry is not None
        if self.program.entry is not None and (is_default or named(self.program.entry).startswith(entry)):
            return functions[self.program.entry]
        others = ", ".join(f"`{name}`" for name in list(functions)[:5])
        self._problem(f"there is no function `{entry}`{f', but {others}' if others else ''}", self.sited(0, 1))
        raise _Stop

    def _made(self, function: Function, inputs: list[ImportedTensor], results: list[ImportedTensor]) -> Graph | None:
        mesh = mesh_of(self.program, function)
        self.nodes = Nodes(RankMesh(mesh))
        names = _distinct([named(each.name) for each in function.parameters])
        values, given = self._inputs(function, names, inputs)
        is_whole = bool(mesh) and not is_partitioned(self.program, function)
        self.whole = {each.value for each in function.parameters} if is_whole else set()
        returned = self._run(function.operations, values, 0)
        end = function.operations[-1] if function.operations else None
        if end is None or end.name not in RETURNS or not returned:
            self._problem(f"`{function.name}` returns nothing", self.sited(function.start, function.end))
            return None
        called = [f"result_{number}" for number in range(len(returned))] if len(returned) > 1 else ["result"]
        found: list[GraphResult] = []
        for own, operand, value in zip(called, end.operands, returned, strict=True):
            if isinstance(value, Untaken):
                continue
            self._at(end)
            if is_whole and operand not in self.whole:
                self._problem(f"`{operand}` is no whole tensor: it is not said how ranks hold it", self.nodes.site)
                continue
            try:
                tensor = self.nodes.tensor(value)
                if self.nodes.kind(tensor) == "truth":
                    raise NotTaken("it is on truth values")
            except NotTaken:
                self._problem(f"`{operand}` is no tensor of real numbers", self.sited(end.start, end.end))
                continue
            held = given.results.get(operand)
            shape = held.shape if held is not None else tensor.shape
            said = held.placements if held is not None else None
            results.append(ImportedTensor(own, shape, said, held.site if held is not None else self.nodes.site))
            found.append(GraphResult(Name(own), tensor.node))
        if len(found) < len(returned):
            return None
        return Graph(self.name, self.nodes.mesh.model(), *with_clamps(self.nodes, found, self.cut))

    # ---------------------------------------------------------------------------------------------- inputs and results

    def _inputs(
        self, function: Function, names: Sequence[str], inputs: list[ImportedTensor]
    ) -> tuple[dict[str, Value], Holdings]:
        """The values of the parameters, and how ranks hold what comes in and goes out."""
        holdings = holdings_of(self.program, function, self.nodes.mesh.axes, self.sited)
        values: dict[str, Value] = {}
        for name, parameter in zip(names, function.parameters, strict=True):
            held = holdings.inputs.get(parameter.value)
            shape = known(parameter.type)
            self.nodes.site = self.sited(parameter.start, parameter.end)
            element = signed(parameter.type.element)
            if shape is None or not (is_real(element) or element in INTEGERS):
                what = "has sizes that are not known" if shape is None else f"holds `{parameter.type.element}`"
                values[parameter.value] = self._untaken(f"`{parameter.value}` {what}: what reads it is not taken")
                continue
            local = held.shape if held is not None else shape
            said = held.placements if held is not None else None
            if is_partitioned(self.program, function):
                shape = whole_shape(local, said or (), dict(self.nodes.mesh.axes))
            inputs.append(ImportedTensor(name, shape, said, held.site if held is not None else self.nodes.site))
            node = GraphInput(Name(name), element, self.nodes.sizes(local), self.nodes.site)
            made = self.nodes.add(node, local)
            values[parameter.value] = made
            if said is not None:
                self.cut[made.node] = {each.dimension for each in said if isinstance(each, Shard)}
        return values, holdings

    # ------------------------------------------------------------------------------------------------------- operations

    def _run(self, operations: Sequence[TensorOperation], values: dict[str, Value], depth: int) -> list[Value]:
        """What the operations return, given the values so far; `values` gains theirs."""
        for operation in operations:
            self.left -= 1
            if self.left < 0:
                self._problem(f"there are more than {MOST_OPERATIONS} operations", self.nodes.site)
                raise _Stop
            if operation.name in RETURNS:
                return [values.get(each, Untaken(-1)) for each in operation.operands]
            self._at(operation)
            made = self._operation(operation, [values.get(each, Untaken(-1)) for each in operation.operands], depth)
            for name, value in zip(operation.results, made, strict=False):
                values[name] = value
        return []

    def _at(self, operation: TensorOperation) -> None:
        self.nodes.site = self.sited(operation.start, operation.end)
        if operation.line is not None:
            self.lines.setdefault(self.nodes.site, operation.line)

    def _operation(self, operation: TensorOperation, given: list[Value], depth: int) -> list[Value]:
        """The results of an operation; values that are not taken where it is not."""
        count = max(len(operation.results), 1)
        missing = next((each for each in given if isinstance(each, Untaken)), None)
        try:
            if depth == 0 and self.nodes.mesh.axes:
                self._enter(operation)
            if operation.name == MANUAL or operation.name == "func.call":
                return self._called(operation, given, depth)
            if operation.name == "stablehlo.custom_call" and (found := self._custom_call(operation, given)) is not None:
                return found
            if missing is not None:
                return [missing] * count
            if operation.name == "stablehlo.optimization_barrier":
                return given
            if "untaken" in operation.attributes:
                raise NotTaken(word(operation, "untaken"))
            shapes = [known(each) for each in operation.types]
            local = [each for each in shapes if each is not None]
            if len(local) != len(shapes) or not local:
                raise NotTaken("its sizes are not known" if shapes else "its type cannot be read")
            if operation.name not in TRUTHFUL and any(map(self._is_truth, given)):
                raise NotTaken("it is on truth values")
            if operation.name in COLLECTIVES:
                devices = Devices(self.program.partitions, self.program.replicas)
                return exchanged(self.nodes, operation, given, local, devices)
            operator = group_size if operation.name == GROUP_SIZE else OPERATORS.get(operation.name)
            if operator is None:
                raise NotTaken("")
            return [self._applied(operation, operator, given, local[0])]
        except NotTaken as reason:
            return [self._untaken(sentence(operation, reason))] * count

    def _applied(
        self, operation: TensorOperation, operator: Operator, given: list[Value], shape: tuple[int, ...]
    ) -> Value:
        """The result of an operator on one rank."""
        element = operation.types[0].element
        if not (is_real(element) or is_integral(element)):
            raise NotTaken(f"it gives `{element}`")
        if operation.name == "stablehlo.partition_id" and not self.nodes.mesh.axes and self.program.partitions > 1:
            raise NotTaken("it is not said which ranks there are")
        made = operator(self.nodes, operation, given, shape)
        if each_shape(made) != shape:
            raise NotTaken("its type does not fit its operands")
        return made

    def _is_truth(self, value: Value) -> bool:
        return isinstance(value, Tensor) and self.nodes.kind(value) == "truth"

    def _enter(self, operation: TensorOperation) -> None:
        """Follows which values are whole tensors: an operation on these is none that each rank runs by itself."""
        shown = target(operation) if operation.name == "stablehlo.custom_call" else ""
        on_whole = not self.whole.isdisjoint(operation.operands)
        leaves = operation.name == MANUAL or shown in ("SPMDShardToFullShape", TO_GLOBAL)
        if leaves or (shown in ANNOTATIONS and on_whole):
            self.whole |= set(operation.results)
        elif on_whole and shown not in ("SPMDFullToShardShape", TO_LOCAL):
            raise NotTaken("it stands outside of what each rank runs")

    def _called(self, operation: TensorOperation, given: list[Value], depth: int) -> list[Value]:
        """The results of a function's body, or of the body of a manual computation, in its place."""
        if depth >= MOST_CALLS:
            raise NotTaken("functions call each other in circles, or too deep")
        if operation.name == MANUAL:
            if depth:
                raise NotTaken("it stands in what a function or a rank runs")
            if not operation.regions:
                raise NotTaken("it has no body")
            region = operation.regions[0]
            body, arguments = region.operations, [name for name, _ in region.arguments]
        else:
            called = callee(self.program, operation)
            if called is None:
                raise NotTaken("it calls a function that is not there")
            body, arguments = called.operations, [each.value for each in called.parameters]
        inner: dict[str, Value] = dict(zip(arguments, given, strict=False))
        return self._run(body, inner, depth + 1)

    def _custom_call(self, operation: TensorOperation, given: list[Value]) -> list[Value] | None:
        """The results of a custom call that only says how ranks hold its operand, None for any other."""
        return given if target(operation) in ANNOTATIONS | SHAPES else None

    def _untaken(self, reason: str) -> Untaken:
        self._problem(reason, self.nodes.site)
        return Untaken(len(self.problems) - 1)

    def _problem(self, reason: str, site: int) -> None:
        self.problems.append(ImportProblem(reason, site))


def named(name: str) -> str:
    """A name as declarations write it: `%12` is `_12`, `arg.1` is `arg_1`."""
    made = re.sub(r"\W", "_", name.removeprefix("%"))
    return made if re.match(r"[A-Za-z_]", made) else f"_{made}"


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, each made another where it is taken."""
    found: dict[str, None] = {}
    for name in names:
        made = name
        while made in found:
            made += "_"
        found[made] = None
    return list(found)
