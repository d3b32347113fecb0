"""The graphs that JAX printed, against JAX itself on eight devices of the processor.

The texts of `rules/graphs/jax` are what `models.py` prints. Its functions run: what is proved of a pair holds of what
the devices hold, to rounding, and what is refuted fails on the counterexample. And jaxlib's own parsers find in each
text the operations, types and shardings that ours find. Needs the extra `xla`.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any

import jax_texts
import numpy as np
import pytest
from jax_texts import Axes, TypeOf

from rewright.frontends.hlo import reading as hlo
from rewright.frontends.stablehlo import reading as stablehlo
from rewright.frontends.tensor_programs.graph import imported_graph
from rewright.frontends.tensor_programs.program import Function, Region, TensorOperation, TensorProgram, TensorType
from rewright.frontends.tensor_programs.shardings import per_value, placements
from rewright.model.graph import Partial, Shard

LIBRARY = Path(__file__).parents[2] / "rules" / "graphs" / "jax"
TEXTS = sorted(path.name for path in LIBRARY.iterdir() if path.name.endswith((".mlir", ".hlo.txt")))
DEVICES = 8
NEAR = 1e-4
"""Of the largest element: floats of 24 bits, sums of some hundred terms."""

CHECK = "from rewright.cli.main import main; main()"

Array = Any
Index = tuple[int, ...]

pytestmark = pytest.mark.soak


# ------------------------------------------------------------------------------------------------- what the models are


@dataclass(frozen=True)
class Body:
    """What `shard_map` was given: what each rank runs, the mesh, how inputs and results are sharded."""

    function: Callable[..., Any]
    mesh: Any
    in_specs: Any
    out_specs: Any


@pytest.fixture(scope="module")
def models() -> Iterator[tuple[ModuleType, Mapping[str, Body]]]:
    """The module `models.py`, and what of it is sharded, by the names of its texts."""
    jax = importlib.import_module("jax")
    assert len(jax.devices()) == DEVICES
    given: dict[int, Body] = {}
    shard_map = jax.shard_map

    def recorded(function: Callable[..., Any], *, mesh: Any, in_specs: Any, out_specs: Any, check_vma: bool) -> Any:
        made = shard_map(function, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_vma)
        given[id(made)] = Body(function, mesh, in_specs, out_specs)
        return made

    spec = importlib.util.spec_from_file_location("models", LIBRARY / "models.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jax, "shard_map", recorded)
        spec.loader.exec_module(module)
    bodies = {name: given[id(function)] for name, (function, _) in module.TEXTS.items() if id(function) in given}
    assert len(bodies) == len(given) > 4
    yield module, bodies


def test_the_texts_are_what_the_models_print(tmp_path: Path) -> None:
    """In a process of its own: the texts say by which calls a line was reached."""
    subprocess.run([sys.executable, str(LIBRARY / "models.py"), str(tmp_path)], check=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == TEXTS
    for each in tmp_path.iterdir():
        assert each.read_text(encoding="utf-8") == (LIBRARY / each.name).read_text(encoding="utf-8"), each.name


# --------------------------------------------------------------------------------------------------------- what they do


@dataclass(frozen=True)
class Pair:
    """A refinement of the library: what the report says, and the models of both graphs by the names of their texts."""

    report: Mapping[str, Any]
    distributed: str
    sequential: str


@pytest.fixture(scope="module")
def pairs() -> Sequence[Pair]:
    done = subprocess.run(
        [sys.executable, "-c", CHECK, "check", str(LIBRARY), "--format", "json"], capture_output=True, check=False
    )
    texts = dict[str, str]()
    for path in LIBRARY.glob("*.rw"):
        declared = re.findall(r'^graph (\w+) from "(\w+)\.[\w.]+"', path.read_text(encoding="utf-8"), re.MULTILINE)
        texts |= dict(declared)
    found = []
    for each in json.loads(done.stdout)["results"]:
        if each["kind"] == "refinement":
            distributed, _, sequential = each["name"].partition(" of ")
            if distributed not in texts:
                continue  # a graph that is written in the declaration
            found.append(Pair(each, texts[distributed], texts[sequential]))
    return found


def test_what_is_proved_holds_of_what_the_devices_hold(
    models: tuple[ModuleType, Mapping[str, Body]], pairs: Sequence[Pair]
) -> None:
    proved = [each for each in pairs if each.report["verdict"] == "proved"]
    assert len(proved) >= 9
    for pair in proved:
        inputs = _drawn(models[0].TEXTS[pair.sequential])
        whole, ranks = _run(models, pair, inputs)
        related = [each for each in pair.report["relation"] if re.fullmatch(r"result(_\d+)?", each["output"])]
        assert len(related) == len(whole)
        for said in related:
            number = int(said["output"].rpartition("_")[2]) if "_" in said["output"] else 0
            _assert_near(_related(said["expression"], ranks), whole[number], pair)


def test_each_device_holds_what_the_text_claims(
    models: tuple[ModuleType, Mapping[str, Body]], pairs: Sequence[Pair]
) -> None:
    """Where a text has shardings of results, and is proved: those of JAX put the ranks' results together rightly."""
    jax = importlib.import_module("jax")
    seen = 0
    for pair in pairs:
        body = models[1].get(pair.distributed)
        if pair.report["verdict"] != "proved" or body is None:
            continue
        inputs = _drawn(models[0].TEXTS[pair.sequential])
        whole, ranks = _run(models, pair, inputs)
        specs = jax.tree.leaves(body.out_specs, is_leaf=lambda each: isinstance(each, jax.sharding.PartitionSpec))
        for number, (spec, expected) in enumerate(zip(specs, whole, strict=True)):
            sharding = jax.sharding.NamedSharding(body.mesh, spec)
            shards = jax.device_put(expected, sharding).addressable_shards
            for rank, shard in enumerate(sorted(shards, key=lambda each: each.device.id)):
                _assert_near(ranks[number][rank], np.asarray(shard.data), pair)
                seen += 1
    assert seen >= 10


def test_what_is_refuted_fails_on_the_counterexample(
    models: tuple[ModuleType, Mapping[str, Body]], pairs: Sequence[Pair]
) -> None:
    # Others are equations of the refinement's own, which no model computes.
    refuted = [each for each in pairs if each.report["verdict"] == "refuted" and _is_of_result(each)]
    assert len(refuted) >= 8
    for pair in refuted:
        shown = pair.report["counterexample"]
        inputs = {name: _array(value, name, models[0], pair) for name, value in shown["sequential"].items()}
        whole, ranks = _run(models, pair, inputs)
        given = _given(models, pair, inputs)
        for name, parts in shown["distributed"].items():
            # An input that is put together of several is shown as what it is put together to.
            due = given[name] if name in given else [inputs[name]]
            for rank, part in enumerate(parts):
                assert np.array_equal(due[rank], _array(part, name, models[0], pair)), (pair, name, rank)
        number = int(shown["output"].rpartition("_")[2]) if "_" in shown["output"] else 0
        index, scale = tuple(shown["index"]), max(1.0, float(abs(whole[number]).max()))
        expected = float(whole[number][index])
        assert abs(expected - float(Fraction(shown["expected"]))) <= NEAR * scale, pair
        for held in shown["held"]:
            found = float(ranks[number][held["rank"]][_at(models, pair, number, held["rank"], index)])
            assert abs(found - float(Fraction(held["value"]))) <= NEAR * scale, pair
        if shown["fails"] == "expectation":
            assert any(abs(float(Fraction(each["value"])) - expected) > NEAR * scale for each in shown["held"]), pair
        else:
            entries = [each.ravel() for each in ranks[number]]
            assert not _recoverable(expected, entries, NEAR * scale), pair


def _is_of_result(pair: Pair) -> bool:
    return re.fullmatch(r"result(_\d+)?", pair.report["counterexample"]["output"]) is not None


def _at(models: tuple[ModuleType, Mapping[str, Body]], pair: Pair, result: int, rank: int, index: Index) -> Index:
    """Where a rank has what JAX puts at an index of the whole."""
    body = models[1].get(pair.distributed)
    if body is None:
        return index
    jax = importlib.import_module("jax")
    spec = jax.tree.leaves(body.out_specs, is_leaf=lambda each: isinstance(each, jax.sharding.PartitionSpec))[result]
    shape = jax.eval_shape(models[0].TEXTS[pair.distributed][0], *models[0].TEXTS[pair.distributed][1])
    parts = jax.sharding.NamedSharding(body.mesh, spec).devices_indices_map(jax.tree.leaves(shape)[result].shape)
    own = sorted(parts.items(), key=lambda each: each[0].id)[rank][1]
    return tuple(at - (part.start or 0) for at, part in zip(index, own, strict=True))


def _drawn(model: tuple[Callable[..., Any], Sequence[Any]]) -> Mapping[str, Array]:
    """Random floats for the parameters of a model; integers that are indices of its first one."""
    rng = np.random.default_rng(11)
    function, arguments = model
    names = list(inspect.signature(function).parameters)
    found: dict[str, Array] = {}
    for name, each in zip(names, arguments, strict=True):
        if np.issubdtype(each.dtype, np.integer):
            found[name] = rng.integers(0, arguments[0].shape[0], each.shape).astype(each.dtype)
        else:
            found[name] = rng.standard_normal(each.shape).astype(np.float32)
    return found


def _array(shown: Mapping[str, Any], name: str, models: ModuleType, pair: Pair) -> Array:
    """An input of the sequential graph, in the type that the model has."""
    function, arguments = models.TEXTS[pair.sequential]
    types = {own: each.dtype for own, each in zip(inspect.signature(function).parameters, arguments, strict=True)}
    numbers = [float(Fraction(each)) for each in shown["data"]]
    return np.array(numbers).astype(types.get(name, np.float32)).reshape(shown["shape"])


def _arguments(models: tuple[ModuleType, Mapping[str, Body]], pair: Pair, inputs: Mapping[str, Array]) -> list[Any]:
    """The inputs of the distributed model, as wholes; `x0` is the first half of `x`, as the pairs of two steps say."""
    body = models[1].get(pair.distributed)
    function = body.function if body is not None else models[0].TEXTS[pair.distributed][0]
    found = []
    for name in inspect.signature(function).parameters:
        if name in inputs:
            found.append(inputs[name])
        else:
            found.append(np.split(inputs[name[:-1]], 2)[int(name[-1])])
    return found


def _given(
    models: tuple[ModuleType, Mapping[str, Body]], pair: Pair, inputs: Mapping[str, Array]
) -> Mapping[str, Sequence[Array]]:
    """What JAX gives each device of each input."""
    jax = importlib.import_module("jax")
    body, arguments = models[1].get(pair.distributed), _arguments(models, pair, inputs)
    function = body.function if body is not None else models[0].TEXTS[pair.distributed][0]
    names = list(inspect.signature(function).parameters)
    if body is None:
        return {name: [each] for name, each in zip(names, arguments, strict=True)}
    found = {}
    for name, each, spec in zip(names, arguments, body.in_specs, strict=True):
        shards = jax.device_put(each, jax.sharding.NamedSharding(body.mesh, spec)).addressable_shards
        found[name] = [np.asarray(shard.data) for shard in sorted(shards, key=lambda shard: shard.device.id)]
    return found


def _run(
    models: tuple[ModuleType, Mapping[str, Body]], pair: Pair, inputs: Mapping[str, Array]
) -> tuple[list[Array], list[Array]]:
    """The results of the sequential model, and of the distributed one, ranks first."""
    jax = importlib.import_module("jax")
    sequential, _ = models[0].TEXTS[pair.sequential]
    names = list(inspect.signature(sequential).parameters)
    whole = [np.asarray(each) for each in jax.tree.leaves(jax.jit(sequential)(*(inputs[name] for name in names)))]
    body, arguments = models[1].get(pair.distributed), _arguments(models, pair, inputs)
    if body is None:
        alone = jax.jit(models[0].TEXTS[pair.distributed][0])(*arguments)
        return whole, [np.asarray(each)[None] for each in jax.tree.leaves(alone)]

    def of_rank(*given: Any) -> Any:
        return jax.tree.map(lambda each: each[None], body.function(*given))

    spec = jax.sharding.PartitionSpec(body.mesh.axis_names)
    mapped = jax.shard_map(of_rank, mesh=body.mesh, in_specs=body.in_specs, out_specs=spec, check_vma=False)
    return whole, [np.asarray(each) for each in jax.tree.leaves(jax.jit(mapped)(*arguments))]


def _related(expression: str, ranks: Sequence[Array]) -> Array:
    """What a relation says, of what the ranks hold: `concatenate(result@0, result@1, 0)`."""

    def held(match: re.Match[str]) -> str:
        number = int(match[1].rpartition("_")[2]) if "_" in match[1] else 0
        return f"held[{number}][{match[2]}]"

    words = {"held": ranks, "concatenate": lambda *given: np.concatenate(given[:-1], given[-1])}
    return eval(re.sub(r"(\w+)@(\d+)", held, expression), {"__builtins__": {}}, words)


def _assert_near(found: Array, expected: Array, pair: Pair) -> None:
    assert found.shape == expected.shape, pair
    assert np.abs(found - expected).max() <= NEAR * max(1.0, float(np.abs(expected).max())), pair


def _recoverable(expected: float, entries: Sequence[Array], near: float) -> bool:
    """Whether a number is an entry of a rank, or a sum of one entry each of several."""
    for chosen in product(*([None, each] for each in entries)):
        own = [each for each in chosen if each is not None]
        sums = own[0] if own else np.array([])
        for each in own[1:]:
            sums = np.add.outer(sums, each).ravel()
        if (np.abs(sums - expected) <= near).any():
            return True
    return False


# --------------------------------------------------------------------------------------------------- what the texts say


@pytest.mark.parametrize("name", [each for each in TEXTS if each.endswith(".mlir")])
def test_operations_types_and_operands_are_those_of_jaxlib(name: str) -> None:
    text = (LIBRARY / name).read_text(encoding="utf-8")
    theirs, _ = jax_texts.mlir_functions(text)
    program = stablehlo.read_program(text)
    assert not program.misread and program.functions.keys() == theirs.keys()
    for each, expected in theirs.items():
        own = program.functions[each]
        assert tuple(_type(parameter.type) for parameter in own.parameters) == expected.parameters
        assert list(_flat(own)) == list(expected.operations)


def _type(type_: TensorType) -> TypeOf:
    assert None not in type_.shape
    return type_.element, tuple(size for size in type_.shape if size is not None)


RETURNS = ("func.return", "sdy.return", "stablehlo.return")
"""They print the types of what they return, and give nothing."""


def _flat(function: Function) -> Iterator[jax_texts.Parsed]:
    """The operations of a function as jaxlib lists them, each operand by where it is made."""
    made: dict[str, tuple[int, int]] = {}
    counts = {"operations": 0, "given": 0}

    def give(names: Sequence[str]) -> None:
        for each in names:
            counts["given"] -= 1
            made[each] = (counts["given"], 0)

    def of(operations: Sequence[TensorOperation]) -> Iterator[jax_texts.Parsed]:
        for each in operations:
            operands = tuple(made[operand] for operand in each.operands)
            for number, result in enumerate(each.results):
                made[result] = (counts["operations"], number)
            counts["operations"] += 1
            types = () if each.name in RETURNS else tuple(map(_type, each.types))
            yield jax_texts.Parsed(each.name, operands, types)
            for region in each.regions:
                yield from within(region)
            if not each.regions and each.name == "stablehlo.reduce":
                yield from applied(each)

    def within(region: Region) -> Iterator[jax_texts.Parsed]:
        give([name for name, _ in region.arguments])
        yield from of(region.operations)

    def applied(reduction: TensorOperation) -> Iterator[jax_texts.Parsed]:
        """What a reduction `applies` where it is printed without a region: the operator of its two arguments."""
        words = reduction.attributes["words"]
        assert isinstance(words, tuple) and words[0] == "applies" and isinstance(words[1], str)
        give(["", ""])
        last = counts["given"]
        yield jax_texts.Parsed(words[1], ((last + 1, 0), (last, 0)), ((_type(reduction.types[0])[0], ()),))
        yield jax_texts.Parsed("stablehlo.return", ((counts["operations"], 0),), ())
        counts["operations"] += 2

    give([each.value for each in function.parameters])
    yield from of(function.operations)


SHARDED = (
    *("embedding_of_columns", "embedding_tp", "embedding_tp_clamped", "embedding_tp_with_one_more"),
    *("embedding_tp_by_brackets", "embedding_tp_from_the_end"),
    *(
        "embedding_tp_without_mask",
        "attention_sp",
        "mlp_tp",
        "mlp_without_psum",
        "rotary_from_zero",
        "rotary_sp",
        "step_dp",
    ),
)


@pytest.mark.parametrize("name", SHARDED)
def test_shardings_are_those_of_jaxlib(name: str) -> None:
    text = (LIBRARY / f"{name}.mlir").read_text(encoding="utf-8")
    (theirs,) = jax_texts.mlir_functions(text)[1]
    found = imported_graph(stablehlo.read_program(text), "main", name, lambda start, end: start)
    assert [_axes(each.placements, len(each.shape)) for each in found.inputs] == list(theirs.given)
    assert [_axes(each.placements, len(each.shape)) for each in found.results] == list(theirs.results)
    assert {axis for each in theirs.given for axes in each for axis in axes}


def _axes(found: Sequence[Shard | Partial] | None, rank: int) -> Axes:
    assert found is not None and all(isinstance(each, Shard) for each in found)
    return tuple(
        tuple(str(each.axis) for each in found if isinstance(each, Shard) and each.dimension == number)
        for number in range(rank)
    )


OTHERWISE = {"dot": "dot_general", "broadcast": "broadcast_in_dim", "copy": "optimization_barrier"}
LEFT_OUT = ("parameter", "tuple", "get-tuple-element")


@pytest.mark.parametrize("name", [each for each in TEXTS if each.endswith(".hlo.txt")])
def test_instructions_are_those_of_xla(name: str) -> None:
    text = (LIBRARY / name).read_text(encoding="utf-8")
    program = hlo.read_program(text)
    theirs = jax_texts.hlo_computations(text)
    assert not program.misread and program.functions.keys() == theirs.keys()
    for each, instructions in theirs.items():
        _compare(program, program.functions[each], instructions)


def _compare(program: TensorProgram, own: Function, theirs: Mapping[str, jax_texts.Instruction]) -> None:
    parameters = dict(_parameters(theirs))
    assert [parameter.value for parameter in own.parameters] == list(parameters)
    for parameter, expected in zip(own.parameters, parameters.values(), strict=True):
        assert (_type(parameter.type),) == expected.types
    operations = {each.results[0].partition("#")[0]: each for each in own.operations if each.results}
    due = {name: each for name, each in theirs.items() if each.opcode not in LEFT_OUT}
    assert operations.keys() == due.keys()
    for name, expected in due.items():
        made = operations[name]
        called = "func.call" if expected.opcode in ("call", "fusion") else None
        opcode = OTHERWISE.get(expected.opcode, expected.opcode.replace("-", "_"))
        # A bitcast is read as the reshape that it is where layouts are row-major.
        named = {called or f"stablehlo.{opcode}", *(("stablehlo.reshape",) if opcode == "bitcast" else ())}
        assert made.name in named, (name, expected)
        assert tuple(map(_type, made.types)) == expected.types, (name, expected)
        assert [each.partition("#")[0] for each in made.operands] == list(_parts(expected.operands, theirs)), name
        if "xla.sdy.in_shardings" in expected.front_end:
            said = per_value(made.attributes["in_shardings"])
            for each, text in zip(said, _listed(expected.front_end["xla.sdy.in_shardings"]), strict=True):
                axes = {axis for mesh in program.meshes.values() for axis, _ in mesh}
                assert _axes(placements(each, (1,) * len(text), axes), len(text)) == text


def _parameters(computation: Mapping[str, jax_texts.Instruction]) -> Sequence[tuple[str, jax_texts.Instruction]]:
    """Those of a computation, in their order."""
    found = [(name, each) for name, each in computation.items() if each.opcode == "parameter"]
    return sorted(found, key=lambda each: each[1].number)


def _parts(names: Sequence[str], theirs: Mapping[str, jax_texts.Instruction]) -> Iterator[str]:
    """What makes operands: a tuple stands for what it is made of, a part of one for what makes that."""
    for name in names:
        made = theirs[name]
        if made.opcode == "tuple":
            yield from _parts(made.operands, theirs)
        elif made.opcode == "get-tuple-element":
            yield made.operands[0]
        elif len(made.types) > 1:
            yield from [name] * len(made.types)
        else:
            yield name


def _listed(text: str) -> list[Axes]:
    """`#sdy.sharding_per_value<[<@mesh, [{}, {"tp"}]>, …]>`, as axes of each dimension of each value."""
    found = re.findall(r"<@\w+, \[((?:\{[^}]*\}(?:, )?)*)\]>", text)
    return [
        tuple(tuple(re.findall(r'"(\w+)"', each)) for each in re.findall(r"\{([^}]*)\}", dimensions))
        for dimensions in found
    ]


@pytest.mark.parametrize("name", [each for each in TEXTS if each.endswith(".optimized.hlo.txt")])
def test_parts_of_parameters_are_those_of_xla(name: str) -> None:
    text = (LIBRARY / name).read_text(encoding="utf-8")
    found = imported_graph(hlo.read_program(text), "main", name.partition(".")[0], lambda start, end: start)
    (entry,) = re.findall(r"^ENTRY %(\S+)", text, re.MULTILINE)
    given = [each for _, each in _parameters(jax_texts.hlo_computations(text)[entry])]
    assert any(each.tiles for each in given) and len(given) == len(found.inputs)
    assert found.graph is not None
    sizes = {str(axis.name): axis.size for axis in found.graph.mesh}
    for each, expected in zip(found.inputs, given, strict=True):
        cut = tuple(prod(sizes[axis] for axis in axes) for axes in _axes(each.placements, len(each.shape)))
        assert cut == (expected.tiles or (1,) * len(each.shape))
