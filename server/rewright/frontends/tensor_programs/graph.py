"""From a tensor program to the graph of one of its functions: one program for every rank, or one for one device.

Owns the way through functions, and what says how ranks hold inputs and results: Shardy's manual computation, GSPMD's
custom calls. An operation that is not taken is a problem at its place; its results, and what reads them, are not taken
either. Must not know any language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rewright.frontends.tensor_programs.attributes import word
from rewright.frontends.tensor_programs.building import Nodes
from rewright.frontends.tensor_programs.collectives import COLLECTIVES, Devices, exchanged
from rewright.frontends.tensor_programs.imported import ImportedGraph, ImportedTensor, ImportProblem
from rewright.frontends.tensor_programs.operators import OPERATORS, Operator, each_shape, is_integral, is_real
from rewright.frontends.tensor_programs.program import (
    Function,
    Mesh,
    ModelLine,
    TensorOperation,
    TensorProgram,
    TensorType,
)
from rewright.frontends.tensor_programs.ranks import RankMesh, common_mesh
from rewright.frontends.tensor_programs.shardings import (
    Placements,
    device_factors,
    device_placements,
    mesh_named,
    per_value,
    placements,
)
from rewright.frontends.tensor_programs.values import NotTaken, Untaken, Value
from rewright.model.graph import Graph, GraphInput, GraphResult, Shard
from rewright.model.index import Name

MANUAL = "sdy.manual_computation"
RETURNS = frozenset({"func.return", "stablehlo.return", "sdy.return"})

MOST_CALLS = 40
"""How deep functions may call each other."""

MOST_OPERATIONS = 100_000
"""Operations of a graph, those of functions counted at each call."""

ANNOTATIONS = frozenset({"Sharding", "annotate_device_placement", "xla.sdy.FuncResultSharding"})
"""Custom calls that give their operand."""


Sited = Callable[[int, int], int]
"""The number of the site of a range of the text."""


def imported_graph(program: TensorProgram, entry: str, name: str, sited: Sited) -> ImportedGraph:
    """The graph of the function that is called `entry`, under a name of its own."""
    return _Import(program, Name(name), sited).graph(entry)


class _Stop(Exception):
    """The graph cannot be understood: a problem says why."""


@dataclass(frozen=True, slots=True)
class _Held:
    """An input or a result of the function: what is known of how ranks hold it."""

    shape: tuple[int, ...]
    placements: Placements | None
    site: int


@dataclass(slots=True)
class _Import:
    program: TensorProgram
    name: Name
    sited: Sited
    problems: list[ImportProblem] = field(default_factory=list)
    lines: dict[int, ModelLine] = field(default_factory=dict)
    left: int = MOST_OPERATIONS
    whole: set[str] = field(default_factory=set)
    nodes: Nodes = field(default_factory=lambda: Nodes(RankMesh(())))

    def graph(self, entry: str) -> ImportedGraph:
        for each in self.program.misread:
            self._problem(each.reason, self.sited(each.start, each.end))
        inputs: list[ImportedTensor] = []
        results: list[ImportedTensor] = []
        made = None
        try:
            function = _inlined(self.program, self._function(entry), 0)
            made = self._made(function, inputs, results)
        except _Stop:
            pass
        lines = tuple(self.lines.items())
        return ImportedGraph(made, tuple(inputs), tuple(results), tuple(dict.fromkeys(self.problems)), lines)

    def _function(self, entry: str) -> Function:
        functions = self.program.functions
        if entry in functions:
            return functions[entry]
        if self.program.entry is not None and named(self.program.entry).startswith(entry):
            return functions[self.program.entry]
        known = ", ".join(f"`{name}`" for name in list(functions)[:5])
        self._problem(f"there is no function `{entry}`{f', but {known}' if known else ''}", self.sited(0, 1))
        raise _Stop

    def _made(self, function: Function, inputs: list[ImportedTensor], results: list[ImportedTensor]) -> Graph | None:
        mesh = self._mesh(function)
        self.nodes = Nodes(RankMesh(mesh))
        names = _distinct([named(each.name) for each in function.parameters])
        values, given = self._inputs(function, names, inputs)
        is_whole = bool(mesh) and not self._is_partitioned(function)
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
        return Graph(self.name, self.nodes.mesh.model(), tuple(self.nodes.made), tuple(found))

    def _is_partitioned(self, function: Function) -> bool:
        """Whether the function is what each rank runs."""
        return self.program.is_partitioned and function.name == self.program.entry

    # ------------------------------------------------------------------------------------------------------- the ranks

    def _mesh(self, function: Function) -> Mesh:
        """The mesh of the ranks that run a function; none if it is for one device."""
        manual = [each for each in function.operations if each.name == MANUAL or _target(each) == TO_LOCAL]
        factors: list[tuple[int, ...]] = []
        is_sharded = self._is_partitioned(function)
        if is_sharded:
            factors = [each for said in _said(function) for each in device_factors(said)]
        for each in self._all(function.operations, 0):
            if each.name == "stablehlo.custom_call" and _target(each) in SHAPES:
                said = (word(other, "mhlo.sharding") for other in function.operations)
                factors += [each for text in said for each in device_factors(text)]
                is_sharded = True
                break
        try:
            if manual:
                shardings = per_value(manual[0].attributes.get("in_shardings"))
                for each in function.operations:
                    if "out_shardings" in each.attributes:
                        shardings += per_value(each.attributes["out_shardings"])
                return mesh_named(shardings, self.program.meshes)
        except NotTaken as reason:
            self._problem(_sentence(manual[0], reason), self.sited(manual[0].start, manual[0].end))
            raise _Stop from None
        if is_sharded:
            found = common_mesh([*factors, (self.program.partitions,)], "axis_{}".format)
            if found is not None:
                return found
            self._problem("its shardings lie along no axes of one mesh", self.sited(function.start, function.end))
            raise _Stop
        return ()

    def _all(self, operations: Iterable[TensorOperation], depth: int) -> Iterable[TensorOperation]:
        for each in operations:
            yield each
            callee = self.program.functions.get(word(each, "symbol") or word(each, "callee"))
            if each.name == "func.call" and callee is not None and depth < MOST_CALLS:
                yield from self._all(callee.operations, depth + 1)

    # ---------------------------------------------------------------------------------------------- inputs and results

    def _inputs(
        self, function: Function, names: Sequence[str], inputs: list[ImportedTensor]
    ) -> tuple[dict[str, Value], _Holdings]:
        """The values of the parameters, and how ranks hold what comes in and goes out."""
        holdings = _holdings(self, function)
        values: dict[str, Value] = {}
        for name, parameter in zip(names, function.parameters, strict=True):
            held = holdings.inputs.get(parameter.value)
            shape = _known(parameter.type)
            self.nodes.site = self.sited(parameter.start, parameter.end)
            if shape is None or not is_real(parameter.type.element):
                what = "has sizes that are not known" if shape is None else f"holds `{parameter.type.element}`"
                values[parameter.value] = self._untaken(f"`{parameter.value}` {what}: what reads it is not taken")
                continue
            local = held.shape if held is not None else shape
            said = held.placements if held is not None else None
            if self._is_partitioned(function):
                shape = _whole(local, said or (), dict(self.nodes.mesh.axes))
            inputs.append(ImportedTensor(name, shape, said, held.site if held is not None else self.nodes.site))
            node = GraphInput(Name(name), parameter.type.element, self.nodes.sizes(local), self.nodes.site)
            values[parameter.value] = self.nodes.add(node, local)
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
            shapes = [_known(each) for each in operation.types]
            known = [each for each in shapes if each is not None]
            if len(known) != len(shapes) or not known:
                raise NotTaken("its sizes are not known" if shapes else "its type cannot be read")
            if operation.name in COLLECTIVES:
                devices = Devices(self.program.partitions, self.program.replicas)
                return exchanged(self.nodes, operation, given, known, devices)
            operator = OPERATORS.get(operation.name)
            if operator is None:
                raise NotTaken("")
            return [self._applied(operation, operator, given, known[0])]
        except NotTaken as reason:
            return [self._untaken(_sentence(operation, reason))] * count

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

    def _enter(self, operation: TensorOperation) -> None:
        """Follows which values are whole tensors: an operation on these is none that each rank runs by itself."""
        shown = _target(operation) if operation.name == "stablehlo.custom_call" else ""
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
            callee = self.program.functions.get(word(operation, "symbol") or word(operation, "callee"))
            if callee is None:
                raise NotTaken("it calls a function that is not there")
            body, arguments = callee.operations, [each.value for each in callee.parameters]
        inner: dict[str, Value] = dict(zip(arguments, given, strict=False))
        return self._run(body, inner, depth + 1)

    def _custom_call(self, operation: TensorOperation, given: list[Value]) -> list[Value] | None:
        """The results of a custom call that only says how ranks hold its operand, None for any other."""
        target = _target(operation)
        if target in ANNOTATIONS or target in SHAPES:
            return given
        return None

    def _untaken(self, reason: str) -> Untaken:
        self._problem(reason, self.nodes.site)
        return Untaken(len(self.problems) - 1)

    def _problem(self, reason: str, site: int) -> None:
        self.problems.append(ImportProblem(reason, site))


TO_LOCAL, TO_GLOBAL = "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"
SHAPES = frozenset({"SPMDFullToShardShape", "SPMDShardToFullShape", TO_LOCAL, TO_GLOBAL})
"""Custom calls between the whole tensor and what a rank holds: GSPMD's, and Shardy's in HLO."""


def _said(function: Function) -> list[str]:
    """What is written of how ranks hold the parameters."""
    found = (each.attributes.get("mhlo.sharding") for each in function.parameters)
    return [each for each in found if isinstance(each, str)]


@dataclass(slots=True)
class _Holdings:
    """How ranks hold the inputs, and the values that are returned, by the names of the values."""

    inputs: dict[str, _Held] = field(default_factory=dict)
    results: dict[str, _Held] = field(default_factory=dict)


def _holdings(importing: _Import, function: Function) -> _Holdings:
    """What the function's own operations say: those of a manual computation, or custom calls."""
    found = _Holdings()
    mesh = importing.nodes.mesh.axes
    shardings: dict[str, tuple[str, str, int]] = {}
    parameters = {each.value for each in function.parameters}
    if importing.program.is_partitioned and function.name == importing.program.entry:
        try:
            _of_parameters(found, function, mesh, importing.sited)
        except NotTaken as reason:
            place = importing.sited(function.start, function.end)
            importing.problems.append(ImportProblem(f"`{function.name}` is not taken: {reason}", place))
            raise _Stop from None
        return found
    for each in function.operations:
        site = importing.sited(each.start, each.end)
        try:
            if each.name == MANUAL:
                _of_manual(found, each, parameters, (tuple(dict(mesh)), site))
            elif _target(each) in (TO_LOCAL, TO_GLOBAL):
                _of_shapes(found, each, parameters, (tuple(dict(mesh)), site))
            elif each.name == "stablehlo.custom_call" and each.operands and each.results:
                _of_custom_call(found, each, (shardings, mesh, site))
        except NotTaken as reason:
            importing.problems.append(ImportProblem(_sentence(each, reason), site))
            raise _Stop from None
    return found


def _is_local(operation: TensorOperation) -> bool:
    """Whether an operation leads from whole tensors to what ranks hold, or back."""
    return operation.name == MANUAL or _target(operation) in SHAPES


def _leads_to_ranks(program: TensorProgram, function: Function, depth: int) -> bool:
    for each in function.operations:
        callee = program.functions.get(word(each, "symbol")) if each.name == "func.call" else None
        if _is_local(each) or (
            callee is not None and depth < MOST_CALLS and _leads_to_ranks(program, callee, depth + 1)
        ):
            return True
    return False


def _inlined(program: TensorProgram, function: Function, depth: int) -> Function:
    """The function with those functions in it that say how ranks hold their values."""
    operations: list[TensorOperation] = []
    called: dict[str, str] = {}
    for number, each in enumerate(function.operations):
        made = replace(each, operands=tuple(called.get(operand, operand) for operand in each.operands))
        callee = program.functions.get(word(each, "symbol")) if each.name == "func.call" else None
        if callee is None or depth >= MOST_CALLS or not _leads_to_ranks(program, callee, 0):
            operations.append(made)
            continue
        inner = _inlined(program, callee, depth + 1)
        names = dict(zip((parameter.value for parameter in inner.parameters), made.operands, strict=False))
        for own in inner.operations:
            given = tuple(names.get(operand, f"{number}/{operand}") for operand in own.operands)
            if own.name in RETURNS:
                called |= dict(zip(each.results, given, strict=False))
                break
            operations.append(replace(own, operands=given, results=tuple(f"{number}/{name}" for name in own.results)))
    return replace(function, operations=tuple(operations))


def _of_manual(
    found: _Holdings, operation: TensorOperation, parameters: set[str], known: tuple[Collection[str], int]
) -> None:
    axes, site = known
    ins = per_value(operation.attributes.get("in_shardings"))
    outs = per_value(operation.attributes.get("out_shardings"))
    region = operation.regions[0] if operation.regions else None
    if region is None or len(ins) != len(operation.operands) or len(outs) != len(operation.results):
        raise NotTaken("its shardings are not one for each value")
    if any(each not in parameters for each in operation.operands):
        raise NotTaken("it is given what is computed before it")
    for value, sharding, (_, local) in zip(operation.operands, ins, region.arguments, strict=True):
        shape = _known(local)
        if shape is not None:
            found.inputs[value] = _Held(shape, placements(sharding, shape, axes), site)
    for value, sharding, whole in zip(operation.results, outs, operation.types, strict=True):
        shape = _known(whole)
        if shape is not None:
            found.results[value] = _Held(shape, placements(sharding, shape, axes), site)


def _of_shapes(
    found: _Holdings, operation: TensorOperation, parameters: set[str], known: tuple[Collection[str], int]
) -> None:
    """Shardy's custom calls in HLO: shardings of what goes in, or of what comes out."""
    axes, site = known
    enters = _target(operation) == TO_LOCAL
    shardings = per_value(operation.attributes.get("in_shardings" if enters else "out_shardings"))
    if not len(shardings) == len(operation.operands) == len(operation.types) == len(operation.results):
        raise NotTaken("its shardings are not one for each value")
    if enters and any(each not in parameters for each in operation.operands):
        raise NotTaken("it is given what is computed before it")
    given = zip(operation.operands, operation.results, operation.types, shardings, strict=True)
    for operand, result, type_, sharding in given:
        shape = _known(type_)
        if shape is not None and enters:
            found.inputs[operand] = _Held(shape, placements(sharding, shape, axes), site)
        elif shape is not None:
            found.results[result] = _Held(shape, placements(sharding, shape, axes), site)


def _of_parameters(found: _Holdings, function: Function, mesh: Mesh, sited: Sited) -> None:
    """Of a function that each rank runs: the shapes are those of a rank."""
    for each in function.parameters:
        said, shape = each.attributes.get("mhlo.sharding"), _known(each.type)
        if shape is not None:
            placed = device_placements(said, mesh, len(shape)) if isinstance(said, str) else ()
            found.inputs[each.value] = _Held(shape, placed, sited(each.start, each.end))


def _of_custom_call(
    found: _Holdings, operation: TensorOperation, known: tuple[dict[str, tuple[str, str, int]], Mesh, int]
) -> None:
    """GSPMD's: `Sharding` says how a value is held, of the whole or before it is put together."""
    shardings, mesh, site = known
    source, result = operation.operands[0], operation.results[0]
    text = word(operation, "mhlo.sharding")
    origin = shardings.get(source, (source, "", site))[0]
    shape = _known(operation.types[0]) if operation.types else None
    match _target(operation):
        case "Sharding":
            shardings[result] = origin, text, site
        case "SPMDFullToShardShape" if shape is not None:
            said = shardings.get(source, (source, "", site))
            found.inputs[said[0]] = _Held(shape, device_placements(said[1], mesh, len(shape)), said[2])
        case "SPMDShardToFullShape" if shape is not None:
            found.results[result] = _Held(shape, device_placements(text, mesh, len(shape)), site)
        case _:
            return


def _whole(local: tuple[int, ...], placed: Placements, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of which ranks hold parts of this shape."""
    made = list(local)
    for each in placed:
        if isinstance(each, Shard):
            made[each.dimension] *= sizes[each.axis]
    return tuple(made)


def _target(operation: TensorOperation) -> str:
    return word(operation, "symbol") or word(operation, "call_target_name")


def _known(type_: TensorType) -> tuple[int, ...] | None:
    """The sizes, None if one is only known when the program runs."""
    sizes = tuple(each for each in type_.shape if each is not None)
    return sizes if len(sizes) == len(type_.shape) else None


def _sentence(operation: TensorOperation, reason: NotTaken) -> str:
    target = f" `{_target(operation)}`" if operation.name.endswith("custom_call") else ""
    return f"`{operation.name}`{target} is not taken{f': {reason}' if str(reason) else ''}"


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
