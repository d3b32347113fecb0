"""Parameters of kernels that are structs: what a kernel sees of them, against a compiler; what is said of their fields.

Random structs are passed with a value in each field. The kernel writes what it finds under each field's name, where the
field lies, and how large the struct is.
"""

from __future__ import annotations

import random
import re
import subprocess
from typing import NamedTuple

import numpy as np
import pytest
from cuda_documents import the_kernel
from cuda_runs import PRELUDE

from rewright.checks.kernel import answer
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.kernels.execution.regions import Flat
from rewright.kernels.execution.run import Machine
from rewright.model.index import Name
from rewright.model.kernel import ScalarParameter
from rewright.model.scalars import number
from rewright.model.simt.types import Scalar
from rewright.model.simt.violation import Setting
from rewright.replay.kernel.memory import cells
from rewright.rules.decision import Budget
from rewright.verdict import Answer, KernelWitness, Verdict

SCALARS = ("bool", "char", "unsigned char", "short", "unsigned", "int", "long long", "size_t", "float", "double")
LENGTH = 256
SEEDS = range(12)


class Drawn(NamedTuple):
    """A struct: the text that defines it, and the paths of its scalars, its pointers and its tables of ints."""

    text: str
    scalars: tuple[tuple[str, str], ...]
    pointers: tuple[str, ...]
    tables: tuple[tuple[str, int], ...]


def drawn(draw: random.Random, name: str, depth: int = 0) -> Drawn:
    """A random struct; those inside of it are defined before it."""
    before, lines = "", []
    scalars: list[tuple[str, str]] = []
    pointers: list[str] = []
    tables: list[tuple[str, int]] = []
    for number_ in range(draw.randint(1, 4)):
        field = f"f{number_}"
        match draw.randrange(7 if depth < 2 else 5):
            case 0:
                lines.append(f"int *{field};")
                pointers.append(f".{field}")
            case 1:
                kind, length = draw.choice(SCALARS), draw.randint(1, 4)
                lines.append(f"{kind} {field}[{length}];")
                scalars += [(f".{field}[{i}]", kind) for i in range(length)]
            case 2 if not tables:
                length = draw.randint(9, 12)
                lines.append(f"int {field}[{length}];")
                tables.append((f".{field}", length))
            case 5 | 6:
                inner = drawn(draw, f"{name}{number_}", depth + 1)
                before += inner.text
                many = draw.choice(("", "", "[2]")) if not inner.tables else ""
                lines.append(f"{name}{number_} {field}{many};")
                for at in [f".{field}[0]", f".{field}[1]"] if many else [f".{field}"]:
                    scalars += [(at + path, kind) for path, kind in inner.scalars]
                    pointers += [at + path for path in inner.pointers]
                    tables += [(at + path, length) for path, length in inner.tables]
            case _:
                kind = draw.choice(SCALARS)
                lines.append(f"{kind} {field};")
                scalars.append((f".{field}", kind))
    aligned = draw.choice(("", "", "__align__(16) "))
    return Drawn(f"{before}struct {aligned}{name} {{ {' '.join(lines)} }};\n", *map(tuple, (scalars, pointers, tables)))  # type: ignore[arg-type]


def kernel_of(made: Drawn) -> tuple[str, list[int]]:
    """A kernel that writes all that it finds, changed through a reference before, and the values to pass."""
    values = [(17 * i + 3) % 100 if kind != "bool" else i % 2 for i, (_, kind) in enumerate(made.scalars)]
    names = [*(path for path, _ in made.scalars), *(f"{path}[{i}]" for path, n in made.tables for i in range(n))]
    found = [f"(int)s{path}" for path in names]
    found += [f"s{path}[1]" for path in made.pointers]
    found += [f"(int)((char *)&s{path} - (char *)&s)" for path in (*names, *made.pointers)]
    found += ["(int)sizeof(S)", "(int)sizeof(c)", "(int)alignof(S)"]
    writes = "".join(f"  out[{i}] = {each};\n" for i, each in enumerate(found))
    changed = [path for path, kind in made.scalars if kind not in ("bool",)]
    change = "".join(f"  s{path} += 1;\n" for path in changed[::2])
    text = f"{made.text}__device__ void change(S &s) {{\n{change}}}\n"
    text += f"__global__ void k(S s, const S c, int *out) {{\n  change(s);\n{writes}"
    text += "".join(f"  out[{len(found) + i}] = (int)c{path};\n" for i, path in enumerate(names)) + "}\n"
    return text, values


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """What the kernels write when a compiler has made them: all in one program, each in a namespace of its own."""
    cases = {f"struct_{seed}": _runs_struct(*struct_of(seed)) for seed in SEEDS}
    cases |= {f"array_{seed}": _runs_array(*array_of(seed)) for seed in SEEDS}
    spaces = "".join(f"namespace {name} {{\n{case}}}\n" for name, case in cases.items())
    calls = "".join(f'  {name}::run();\n  printf("\\n");\n' for name in cases)
    enum = f"enum {{ THREADS = 1, LENGTH = {LENGTH}, N = 1 }};\n"
    folder = tmp_path_factory.mktemp("cases")
    (folder / "cases.cpp").write_text(f"{enum}{PRELUDE}{spaces}int main() {{\n{calls}}}\n")
    subprocess.run(["g++", "-std=c++17", "-O0", "-w", "-o", "cases", "cases.cpp"], cwd=folder, check=True)
    done = subprocess.run(["./cases"], cwd=folder, check=True, capture_output=True, text=True)
    return {name: list(map(int, line.split())) for name, line in zip(cases, done.stdout.splitlines(), strict=True)}


def struct_of(seed: int) -> tuple[str, Drawn, list[int]]:
    """A kernel with a struct, the struct, and the values to pass."""
    draw = random.Random(seed)
    made = drawn(draw, "S")
    while len(made.scalars) + sum(n for _, n in made.tables) > 40:
        made = drawn(draw, "S")
    text, values = kernel_of(made)
    return text, made, values


def array_of(seed: int) -> tuple[str, Drawn]:
    """A kernel with an array of structs, and the struct."""
    draw = random.Random(100 + seed)
    made = drawn(draw, "S")
    while made.pointers or made.tables or not 1 < len(made.scalars) <= 60:
        made = drawn(draw, "S")
    return kernel_of_array(made), made


def _runs_struct(text: str, made: Drawn, values: list[int]) -> str:
    """C++ that passes a struct to its kernel and prints what that writes."""
    sets = "".join(f"  s{path} = {value};\n" for (path, _), value in zip(made.scalars, values, strict=True))
    sets += "".join(f"  for (int i = 0; i < {n}; i++) s{path}[i] = 5 * i + 1;\n" for path, n in made.tables)
    sets += "".join(f"  int a{i}[2] = {{0, {1000 + i}}};\n  s{path} = a{i};\n" for i, path in enumerate(made.pointers))
    return f"{text}void run() {{\n  S s;\n  memset(&s, 0, sizeof s);\n{sets}{_prints('k(s, s, out)')}}}\n"


def _prints(call: str) -> str:
    """Statements that print what a call writes."""
    return f'  int out[LENGTH] = {{}};\n  {call};\n  for (int v : out) printf("%d ", v);\n'


def executed(text: str, made: Drawn, values: list[int]) -> list[int]:
    """What the kernel writes when it is run here, its fields stated by a comment."""
    entries = [f"out: inout s32[{LENGTH}]"]
    for name in "sc":
        entries += [
            f"{name}{path} = {_stated(value, kind)}" for (path, kind), value in zip(made.scalars, values, strict=True)
        ]
        entries += [f"{name}{path}: in s32[2]" for path in made.pointers]
    document = text.replace("__global__", f"// rewright: launch block(1); {'; '.join(entries)}\n__global__")
    contents: dict[str, tuple[int, ...]] = {"out": (0,) * LENGTH}
    for name in "sc":
        contents |= {f"{name}{path}": (0, 1000 + i) for i, path in enumerate(made.pointers)}
        contents |= {f"{name}{path}": tuple(5 * i + 1 for i in range(n)) for path, n in made.tables}
    return _output(document, contents)


def _output(document: str, contents: dict[str, tuple[int, ...]]) -> list[int]:
    """What one run of the kernel of a document leaves in `out`."""
    kernel = the_kernel(document, "k")
    program = lower(kernel, {"k.cu": document}).program
    assert program is not None
    scalars = [each for each in kernel.parameters if isinstance(each, ScalarParameter)]
    given = tuple((each.name, number(each.value, {})) for each in scalars if each.value is not None)
    assert len(given) == len(scalars)
    filled = tuple((Name(name), cells) for name, cells in contents.items())
    machine = Machine(program)
    outcome = machine.run(Setting((1, 1, 1), (1, 1, 1), given, filled), (0, 0, 0), 1_000_000)
    assert outcome.undecided is None and not outcome.violations, outcome
    region = machine._block.regions[next(i for i, each in enumerate(program.objects) if each.name == "out")]
    assert isinstance(region, Flat)
    return [int(value) for value in region.view(np.dtype(np.int32))[:LENGTH]]


def _stated(value: int, kind: str) -> str:
    if kind == "bool":
        return f"{value} != 0"
    return f"{value}.0" if kind in ("float", "double") else str(value)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_kernel_finds_in_a_struct_what_a_compiler_finds(seed: int, compiled: dict[str, list[int]]) -> None:
    assert executed(*struct_of(seed)) == compiled[f"struct_{seed}"]


# ------------------------------------------------------------------------------------------------- pointers to structs

STRUCTS = 3


def kernel_of_array(made: Drawn) -> str:
    """A kernel that changes structs of an array through pointers and references, and writes all that it finds."""
    found = [f"(int)p[{j}]{path}" for j in range(STRUCTS) for path, _ in made.scalars]
    found += ["(int)sizeof(S)", "(int)((char *)&p[2] - (char *)p)"]
    writes = "".join(f"  out[{i}] = {each};\n" for i, each in enumerate(found))
    change = "".join(f"  s{path} += 1;\n" for path, kind in made.scalars[::2] if kind != "bool")
    text = f"{made.text}__device__ void change(S &s) {{\n{change}}}\n"
    return text + f"__global__ void k(S *p, int *out) {{\n  S t = p[1];\n  change(p[0]);\n  p[2] = t;\n{writes}}}\n"


def _cell(j: int, i: int, kind: str) -> int:
    return (31 * j + 7 * i + 1) % 100 if kind != "bool" else (i + j) % 2


def _runs_array(text: str, made: Drawn) -> str:
    """C++ that passes an array of structs to its kernel and prints what that writes."""
    sets = "".join(
        f"  s[{j}]{path} = {_cell(j, i, kind)};\n"
        for j in range(STRUCTS)
        for i, (path, kind) in enumerate(made.scalars)
    )
    return f"{text}void run() {{\n  S s[{STRUCTS}];\n  memset(s, 0, sizeof s);\n{sets}{_prints('k(s, out)')}}}\n"


def executed_with_array(text: str, made: Drawn) -> list[int]:
    """What the kernel writes when it is run here."""
    contents: dict[str, list[int]] = {}
    for j in range(STRUCTS):
        for i, (path, kind) in enumerate(made.scalars):
            contents.setdefault("p" + re.sub(r"\[\d+\]$", "", path), []).append(_cell(j, i, kind))
    sized = next(iter(contents))
    inner = len(contents[sized]) // STRUCTS
    scalar = re.sub(r"\[\d+\]$", "", made.scalars[0][0])
    assert sized == f"p{scalar}"
    entry = f"{sized}: inout {_NAMES[made.scalars[0][1]]}[{STRUCTS}{f', {inner}' if _is_array(made) else ''}]"
    document = text.replace(
        "__global__", f"// rewright: launch block(1); out: inout s32[{LENGTH}]; {entry}\n__global__"
    )
    return _output(document, {"out": (0,) * LENGTH, **{name: tuple(cells) for name, cells in contents.items()}})


_NAMES = {
    "bool": "pred",
    "char": "s8",
    "unsigned char": "u8",
    "short": "s16",
    "unsigned": "u32",
    "int": "s32",
    "long long": "s64",
    "size_t": "u64",
    "float": "f32",
    "double": "f64",
}


def _is_array(made: Drawn) -> bool:
    """Whether the first scalar is one of several in an array."""
    return (
        sum(re.sub(r"\[\d+\]$", "", path) == re.sub(r"\[\d+\]$", "", made.scalars[0][0]) for path, _ in made.scalars)
        > 1
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_kernel_finds_in_an_array_of_structs_what_a_compiler_finds(seed: int, compiled: dict[str, list[int]]) -> None:
    assert executed_with_array(*array_of(seed)) == compiled[f"array_{seed}"]


@pytest.mark.parametrize("seed", range(6))
def test_execution_and_replay_put_the_same_bytes_into_an_array_of_structs(seed: int) -> None:
    draw = random.Random(200 + seed)
    made = drawn(draw, "S")
    while made.pointers or not made.scalars:
        made = drawn(draw, "S")
    document = f"{made.text}// rewright: launch block(1)\n__global__ void k(S *p) {{}}\n"
    program = lower(the_kernel(document, "k"), {"k.cu": document}).program
    assert program is not None
    (array,) = program.objects
    contents = {
        each.name: tuple(
            draw.randint(0, 1 if each.type is Scalar.PRED else 100) for _ in range(each.count * (5 + at % 2))
        )
        for at, each in enumerate(array.fields)
    }
    machine = Machine(program)
    machine.run(Setting((1, 1, 1), (1, 1, 1), (), tuple(contents.items())), (0, 0, 0), 10)
    (region,) = machine._block.regions
    assert isinstance(region, Flat)
    replayed = bytes(cells(array, None, contents).data)
    found = region.view(np.dtype(np.uint8)).tobytes()
    assert replayed.rstrip(b"\0") == found[: region.size].rstrip(b"\0") and any(replayed)


NODES = "struct Node { int next; double w; short k[3]; char c; };\n"
SIZE = "block(64); n = 64; s.next: in s32[n]"
RIGHT_ARRAYS = {
    "own struct": (SIZE, "Node *s, int n", "s[i].w = s[i].next;"),
    "neighbouring fields": (SIZE, "Node *s, int n", "s[i].w = 1; s[63 - i].c = 2;"),
    "index that is required": (
        f"{SIZE}; requires forall j in 0..n: 0 <= s.next[j] and s.next[j] < n",
        "const Node *s, int n",
        "int j = s[s[i].next].next; assert(j < n);",
    ),
    "whole structs": (SIZE, "Node *s, int n", "__shared__ Node t[64]; t[i] = s[i]; s[i] = t[i];"),
    "one struct": ("block(64); s.next: in s32[1]; x: out f32[64]", "const Node *s, float *x", "x[i] = s->w + s->k[2];"),
    "only written": (
        "block(64); s.w: out f64[64]; s.next: out s32[64]; s.k: out s16[64, 3]; s.c: out s8[64]",
        "Node *s",
        "s[i].w = 1;",
    ),
}
WRONG_ARRAYS = {
    "one past": (SIZE, "Node *s, int n", "s[i + 1].w = 1;", "s.w"),
    "racing": (SIZE, "Node *s, int n", "s[i / 2].c = i;", "s.c"),
    "racing with a whole struct": (SIZE, "Node *s, int n", "Node t = s[(i + 32) % 64]; s[i].w = 2 * t.w;", "s.w"),
    "index into an array in a struct": (SIZE, "Node *s, int n", "s[i].w = s[i].k[i / 16];", "s.k"),
    "before the first": (SIZE, "Node *s, int n", "s[i].w = s[i - 1].next;", "s.next"),
    "what was only to be written": (
        "block(64); x: out f32[64]; s.w: out f64[64]; s.next: out s32[64]; s.k: out s16[64, 3]; s.c: out s8[64]",
        "Node *s, float *x",
        "x[i] = s[i].w;",
        "s.w",
    ),
}


@pytest.mark.parametrize("name", RIGHT_ARRAYS)
def test_right_kernels_with_arrays_of_structs_are_checked(name: str) -> None:
    assert answered(*RIGHT_ARRAYS[name], NODES).verdict is Verdict.CHECKED


@pytest.mark.parametrize("name", WRONG_ARRAYS)
def test_wrong_kernels_with_arrays_of_structs_are_refuted_at_the_field(name: str) -> None:
    comment, parameters, body, array = WRONG_ARRAYS[name]
    found = answered(comment, parameters, body, NODES)
    assert found.verdict is Verdict.REFUTED
    assert any(f"'{array}'" in repr(finding.diagnosis) for finding in found.findings)
    assert isinstance(found.witness, KernelWitness) and found.witness.array == array


def test_fields_of_one_array_of_structs_have_one_size() -> None:
    text = NODES + "// rewright: launch block(64); s.next: in s32[64]; s.w: inout f64[65]\n"
    text += "__global__ void k(Node *s) { s[threadIdx.x].w = 1; }\n"
    (outlined,) = outline("a.cu", {"a.cu": text}).kernels
    assert outlined.kernel is not None
    reasons = [each.reason for each in lower(outlined.kernel, {"a.cu": text}).problems]
    assert reasons == ["the declaration gives fields of one array of structs different sizes"]


# ------------------------------------------------------------------------------------------------------------- verdicts

P = "struct P { int n; const float *x; float *y; };\n"
SIZED = "p.n = 100; p.x: in f32[p.n]; p.y: out f32[p.n]"
BODY = "int i = blockIdx.x * 64 + threadIdx.x;"


def answered(comment: str, parameters: str, body: str, before: str = P) -> Answer:
    """What is said of a kernel with these parameters and this body, launched as a comment says."""
    text = f"{before}// rewright: launch {comment}\n__global__ void k({parameters}) {{ {BODY} {body} }}\n"
    (outlined,) = outline("a.cu", {"a.cu": text}).kernels
    assert outlined.kernel is not None, (outlined.findings, outlined.problems)
    lowered = lower(outlined.kernel, {"a.cu": text})
    assert lowered.program is not None, lowered.problems
    return answer(outlined.kernel, lowered.program, Budget())


RIGHT = {
    "guarded": ("grid(2), block(64); " + SIZED, "P p", "if (i < p.n) p.y[i] = p.x[i];"),
    "free": ("grid(2), block(64); p.x: in f32[p.n]; p.y: out f32[p.n]", "P p", "if (i < p.n) p.y[i] = p.x[i];"),
    "empty": ("grid(2), block(64); p.n = 0; p.x: in f32[p.n]; p.y: out f32[p.n]", "P p", "if (i < p.n) p.y[i] = 1;"),
    "two of a type": (
        "block(64); p.n = 64; q.n = 64; p.y: out f32[64]; q.y: out f32[64]",
        "P p, P q",
        "p.y[i] = 1; q.y[63 - i] = 2;",
    ),
    "size in the launch": ("grid((p.n + 63) / 64), block(64); " + SIZED, "const P p", "if (i < p.n) p.y[i] = 1;"),
}
WRONG = {
    "one past": ("grid(2), block(64); " + SIZED, "P p", "if (i <= p.n) p.y[i] = 1;", "p.y"),
    "racing": ("block(64); " + SIZED, "P p", "p.y[i / 2] = i;", "p.y"),
    "other struct": (
        "block(64); p.n = 64; q.n = 32; p.y: out f32[p.n]; q.y: out f32[q.n]",
        "P p, P q",
        "if (i < p.n) q.y[i] = 1;",
        "q.y",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_kernels_with_structs_are_checked(name: str) -> None:
    assert answered(*RIGHT[name]).verdict is Verdict.CHECKED


@pytest.mark.parametrize("name", WRONG)
def test_wrong_kernels_with_structs_are_refuted(name: str) -> None:
    comment, parameters, body, array = WRONG[name]
    found = answered(comment, parameters, body)
    assert found.verdict is Verdict.REFUTED
    assert any(f"'{array}'" in repr(finding.diagnosis) for finding in found.findings)


def test_an_index_into_an_array_of_a_struct_stays_in_it() -> None:
    before = "struct F { float w[25]; int size[3]; int k; };\n"
    for k, verdict in ((25, Verdict.CHECKED), (26, Verdict.REFUTED)):
        body = "float s = 0; for (int j = 0; j < f.k; j++) s += f.w[j]; x[i] = s;"
        assert answered(f"block(64); x: out f32[64]; f.k = {k}", "F f, float *x", body, before).verdict is verdict
    for j, verdict in ((2, Verdict.CHECKED), (3, Verdict.REFUTED), (-1, Verdict.REFUTED)):
        comment = f"block(64); x: out f32[64]; f.k = {j}"
        assert answered(comment, "F f, float *x", "x[i] = f.size[f.k];", before).verdict is verdict


def test_a_union_is_passed_by_its_words() -> None:
    before = "struct U { int tag; union { int i; float f; unsigned char b[4]; } v; union { double d; int k[2]; }; };\n"
    body = (
        "assert(u.v.i == 258 && u.v.b[0] == 2 && u.v.b[1] == 1 && u.k[1] == 1); u.v.f = 1; assert(u.v.i == 0x3f800000);"
    )
    comment = "block(1); u.tag = 1; u.v = 258; u = 4294967296"
    assert answered(comment, "U u", body, before).verdict is Verdict.CHECKED


def test_what_a_comment_requires_of_a_table_holds() -> None:
    before = "struct F { int w[25]; };\n"
    comment = "block(64); x: out f32[64]; requires forall i in 0..25: 0 <= f.w[i] and f.w[i] < 64"
    assert answered(comment, "F f, float *x", "if (i == 0) x[f.w[3]] = 1;", before).verdict is Verdict.CHECKED
    assert answered("block(64); x: out f32[64]", "F f, float *x", "if (i == 0) x[f.w[3]] = 1;", before).verdict is not (
        Verdict.CHECKED
    )


def test_fields_that_are_not_there_are_said_where_they_stand() -> None:
    text = P + "// rewright: launch block(64); p.m = 3; q.n = 4\n__global__ void k(P p) { p.y[0] = 1; }\n"
    (outlined,) = outline("a.cu", {"a.cu": text}).kernels
    places = [each.place for each in outlined.findings]
    assert [text[at.start : at.end] for at in places] == ["p.m", "q.n"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("before", "parameter", "reason"),
    [
        ("struct S;\n", "S s", "`S` is declared, but not defined in the source"),
        ("template <int N> struct S;\n", "S<3> s", "`S` is declared, but not defined in the source"),
        ("union U { int a; float *b; };\n", "U u", "a parameter with a pointer in a union is not supported yet"),
        ("struct S { virtual void f() {} int a; };\n", "S s", "a virtual function is not supported yet"),
        ("struct S { int a[300]; };\n", "S s", "a parameter with 300 elements of arrays in it is not supported yet"),
        ("struct S { float *a[65]; };\n", "S s", "a parameter of 65 parts is not supported yet"),
    ],
)
def test_types_that_are_not_taken_are_said_at_the_parameter(before: str, parameter: str, reason: str) -> None:
    text = f"{before}// rewright: launch block(64)\n__global__ void k({parameter}) {{}}\n"
    (outlined,) = outline("a.cu", {"a.cu": text}).kernels
    assert [each.reason for each in outlined.problems] == [reason]
    (place,) = (each.place for each in outlined.problems)
    assert text[place.start : place.end] in (parameter, parameter.split()[0], "S", "virtual void f() {}")  # type: ignore[union-attr]


TYPES = ("std::uint32_t", "at::Half", "c10::BFloat16", "__nv_bfloat16", "clock_t", "E", "C", "Byte", "my::Index")
DECLARED = "enum E { A, B };\nenum class C : unsigned char { A };\nusing Byte = std::int8_t;\n"
DECLARED += "namespace my { typedef long Index; }\n"


@pytest.mark.parametrize("kind", TYPES)
def test_names_of_scalars_are_taken_alone_and_behind_a_pointer(kind: str) -> None:
    comment = "block(64); x: inout {}[64]".format(
        {"std::uint32_t": "u32", "clock_t": "s64", "E": "s32", "C": "u8", "Byte": "s8", "my::Index": "s64"}.get(
            kind, "bf16" if "b" in kind.lower() else "f16"
        )
    )
    assert answered(comment, f"{kind} *x, {kind} v", "x[i] = v;", DECLARED).verdict is Verdict.CHECKED
