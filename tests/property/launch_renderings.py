"""Drafts with launches as one CUDA source: launches are said by comments, by calls, and by both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from kernel_drafts import SIZE, At, Draft, Outside
from kernel_renderings import Written, _Cuda, _shown, scalars_of

from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.outlined import OutlinedKernel
from rewright.frontends.programs import lower
from rewright.kernels.launches.several import ProgramLaunch

PATH = "tiny.cu"


@dataclass(frozen=True)
class Sourced:
    """A kernel that was read from a source, with a program for each of its launches."""

    written: Written
    launches: tuple[ProgramLaunch, ...]


def in_one_source(kernels: Sequence[Draft], random: Random) -> list[Sourced]:
    """Kernels as functions of one source, which has the variables of the first one outside of them."""
    lines = [_declared(each) for each in kernels[0].outside]
    shown: list[dict[int, int]] = []
    calls: list[str] = []
    for number, kernel in enumerate(kernels):
        name = f"tiny{number}"
        comments, called = _said(kernel, random)
        lines += [
            *comments,
            f"__global__ void {name}(int *g, int n) {{",
            f"  __shared__ int a[{SIZE}], b[{SIZE}];",
            "  int t = threadIdx.x, u = blockIdx.x * blockDim.x + threadIdx.x;",
            *(f"  int {name};" for name in kernel.variables),
        ]
        writer = _Cuda(lines, scalars=scalars_of(kernel))
        writer.body(kernel.body)
        lines = [*writer.lines, "}"]
        calls += _calls(name, called, random)
        shown.append(_shown(kernel, writer))
    source = "\n".join([*lines, "void host(int *g) {", *calls, "}"]) + "\n"
    outlined = outline(PATH, {PATH: source}).kernels
    return [_sourced(source, *each) for each in zip(outlined, shown, strict=True)]


def _declared(variable: Outside) -> str:
    word = "__constant__" if variable.constant else "__device__"
    extent = "" if variable.size == 1 else f"[{variable.size}]"
    if variable.initial is None:
        return f"{word} int {variable.name}{extent};"
    values = ", ".join(map(str, variable.initial))
    return f"{word} int {variable.name}{extent} = {values if variable.size == 1 else '{' + values + '}'};"


def _said(kernel: Draft, random: Random) -> tuple[list[str], tuple[At, ...]]:
    """The comments above a kernel, and the launches that calls are to say; one may be said twice."""
    launches, sizes = kernel.launches, {each.size for each in kernel.launches}
    by_parameter = all(each.size == each.n for each in launches)
    declared = [] if sizes == {None} else [f"// rewright: g: out s32[{'n' if by_parameter else SIZE}]"]
    if not declared or random.random() < 0.4:
        return declared, launches
    if by_parameter and random.random() < 0.5:
        said, called = launches[:1], launches[random.randint(0, 1) :]
    else:
        said, called = launches, ()
    stated = [f"// rewright: launch grid({each.blocks}), block({each.threads}); n = {each.n}" for each in said]
    return [*declared, *stated], called


def _calls(name: str, launches: tuple[At, ...], random: Random) -> Iterator[str]:
    for number, each in enumerate(launches):
        grid, block, given = str(each.blocks), str(each.threads), str(each.n)
        if random.random() < 0.3:
            yield f"  const int {name}_{number} = {block};"
            block = f"{name}_{number}"
        if random.random() < 0.3:
            grid, block = f"dim3({grid})", f"dim3({block}, 1)"
        yield f"  {name}<<<{grid}, {block}>>>(g, {given});"


def _sourced(source: str, outlined: OutlinedKernel, lines: dict[int, int]) -> Sourced:
    assert not outlined.findings and not outlined.problems and not outlined.left_out, (source, outlined)
    launches = []
    for said in outlined.launches:
        lowered = lower(said.kernel, {PATH: source})
        assert lowered.program is not None, (source, lowered.problems)
        launches.append(ProgramLaunch(said.kernel, lowered.program, said.written, said.is_needed))
    first = launches[0]
    return Sourced(Written("", source, first.kernel, first.program, (), lines), tuple(launches))
