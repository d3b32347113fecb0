"""The evaluation of PolyCheck beside rules/loops, and the page that shows it: Markdown.

Verdicts are those of `loops_list`. Must not know where the page is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import loops_list

BENCHMARKS = {
    "gemm": "gemm",
    "gemver": "gemver",
    "lu": "lu",
    "bicg": "bicg",
    "correlation": "correlation",
    "covariance": "covariance",
    "jacobi-2d-imper": "jacobi",
    "seidel-2d": "gauss_seidel",
    "fdtd-2d": "fdtd",
    "reg_detect": "reg_detect",
    "doitgen": "doitgen",
}
"""Table 5: the file of each benchmark."""

LOCALITY = ("by_columns_of_a", "by_rows", "distributed", "fused", "shifted", "skewed")
PASSES = {
    "passthru": ("copied",),
    "data locality": LOCALITY,
    "fixed tiling": ("tiled",),
    "unrolling": ("unrolled",),
    "bound optimization": ("hoisted",),
    "parametric tiling": ("parametric",),
    "full tile separation": ("tiled_apart",),
}
"""Table 6: the passes, and what the transforms of one are called; each benchmark has one of them."""

BUGS = {
    "loop bound": ("without_last",),
    "array access": ("halved",),
    "permutation": ("sweeps_inside", "tiled_wrongly"),
    "code motion": (
        *("added_late", "centred_early", "cleared_late", "deviation_first", "divided_early", "fused", "fused_wrongly"),
        *("magnetic_first", "mean_early", "mirrored_early", "multiplied_early", "path_first", "scaled_early"),
        *("scaled_late", "stored_early", "swapped", "upper_first"),
    ),
    "others": ("backwards", "rest_lost", "tiles_of_another_size", "tiles_overlapping", "twice"),
}
"""Table 7: the kinds of bugs, and what wrong transforms of each kind are called; the paper has no others."""

SHAPES: Mapping[str, tuple[str, str]] = {
    "matmul": ("matmul_recursive", "quadrants that are halved down to a product of two elements"),
    "rectmul": ("matmul_rectangular", "the longest side is halved"),
    "spacemul": ("scratch_product_recursive", "one half of each sum in a scratch matrix, which the loops have, too"),
    "heat": ("heat_halves", "the rows of each step are halved"),
    "lu": ("lu_by_blocks_recursive", "blocks that are factorised recursively"),
    "heat_2D": ("heat_walk", "trapezoids in time and rows"),
    "heat_2P": ("heat_on_a_torus_walk", "trapezoids in time and rows, and those that close the seam of the torus"),
    "apop": ("option_walk", "trapezoids in time and price"),
    "3d7pt": ("stencil_of_seven_walk", "trapezoids in time and the first dimension"),
    "3d27pt": ("stencil_of_all_walk", "trapezoids in time and the first dimension"),
}
"""Table 9: for each program the transform that has its shape, none if there is none yet, and what the shape is."""

RECURSIVE = (
    *(
        "matmul",
        "scratch_product",
        "heat",
        "lu_by_blocks",
        "heat_on_a_torus",
        "option",
        "stencil_of_seven",
        "stencil_of_all",
    ),
    "seidel_quadrants",
)
"""The files with transforms that are run at sizes, as in Table 10 and Table 4."""

POLYOPT = {
    "cholesky": ("cholesky_stored_early", "`A[1][0]` is made of `x` before that was loaded: of its first value"),
    "reg_detect": ("reg_detect_mean_early", "`mean` is read off a sum that is not complete"),
}
"""Table 8: the transform that has the error of PolyOpt, none if there is none yet, and what the error is."""

FAMILIES = {
    "2mm": "two_products",
    "3mm": "three_products",
    "adi": "adi",
    "atax": "atax",
    "cholesky": "cholesky",
    "durbin": "durbin",
    "dynprog": "dynprog",
    "floyd-warshall": "floyd_warshall",
    "gesummv": "gesummv",
    "gramschmidt": "gramschmidt",
    "heat-3d": "heat_in_space",
    "ludcmp": "ludcmp",
    "mvt": "mvt",
    "nussinov": "nussinov",
    "symm": "symm",
    "syr2k": "syr2k",
    "syrk": "syrk",
    "trisolv": "trisolv",
    "trmm": "trmm",
}
"""The file of each other benchmark of PolyBench that has one in C."""

INTRODUCTION = """# The loops of PolyCheck

PolyCheck (Bao, Krishnamoorthy, Pouchet, Rastello, Sadayappan: *Dynamic Verification of Iteration Space Transformations
on Affine Programs*, POPL 2016) checks transformed programs while they run. This page sets the benchmarks of its
evaluation beside what `rules/loops` has of them. All texts there were written for this library: they have the structure
of what the compilers of the paper make, and are not their output.

PolyCheck says that a run at one size was right. *Proved* holds at all sizes; *checked* holds at the sizes that were
run; *refuted* names the first operation that is wrong, at the smallest size that was found.
[What a verdict on loops means](loops.md) has more.
"""

PASSES_SAY = """\
Each benchmark under each pass. The paper reports all of them as equivalent, by running them; ISA, which proves, did not
take the last four passes. Parametric tiles are proved for tiles of 3 and of 16, at all sizes of the arrays. Full tiles
are separated at tile sizes that are fixed here, and parameters in the paper."""

BUGS_SAY = """\
The paper decreases a loop bound, halves a subscript, interchanges loops that may not be, and moves loops about. A dash
is a kind that the library has not for that benchmark. The last column has what the paper has not."""


SCRATCH_SAYS = """\
What is computed in a scratch matrix and added later has an operation more than the loop that sums at once, and another
order of the sum. So spacemul is compared with loops that have the scratch matrix; with `matmul` it has no
correspondence, and no relaxation states one."""

FAMILIES_SAY = """\
The benchmarks of PolyBench that the paper did not take, by themselves and in other orders. jacobi-1d is in
`stencils.rw`, cholesky without its scalar in `factorisations.rw`. deriche and fdtd-apml are not there."""


def right(file: str, names: Sequence[str]) -> list[str]:
    """Which of these transforms a file has as proved, without the name of the file in front."""
    return [name for name in names if name in loops_list.PROVED[file].split()]


def wrong(file: str, names: Sequence[str]) -> list[str]:
    """Which of these transforms a file has as refuted, without the name of the file in front."""
    return [name for name in names if name in loops_list.WRONG[file]]


def verdict(transform: str) -> str:
    """How a transform or a nest comes out, as `loops_list` has it. Raises `KeyError` if no file has it."""
    for file in sorted(loops_list.PROVED, key=len, reverse=True):
        if transform == file:
            return "proved"
        if transform.startswith(f"{file}_"):
            name = transform.removeprefix(f"{file}_")
            if name in loops_list.PROVED[file].split():
                return "proved"
            if name in loops_list.CHECKED.get(file, "").split():
                return "checked"
            if name in loops_list.WRONG[file]:
                return f"refuted: {loops_list.WRONG[file][name][0]}"
    raise KeyError(transform)


def paper_page() -> str:
    """The page: a section for each table of the paper."""
    return "\n\n".join((INTRODUCTION.rstrip(), *_passes(), *_bugs(), *_errors(), *_shapes(), *_families())) + "\n"


def _passes() -> Iterator[str]:
    yield "## Compiler passes (Tables 5 and 6)"
    yield PASSES_SAY
    rows = [(key, *(_said(file, right(file, each)) for each in PASSES.values())) for key, file in BENCHMARKS.items()]
    yield _table(("benchmark", *PASSES), rows)


def _bugs() -> Iterator[str]:
    yield "## Bugs that were put in (Table 7)"
    yield BUGS_SAY
    rows = [(key, *(_said(file, wrong(file, each)) for each in BUGS.values())) for key, file in BENCHMARKS.items()]
    yield _table(("benchmark", *BUGS), rows)


def _errors() -> Iterator[str]:
    yield "## Errors of a compiler (Table 8)"
    yield _table(
        ("benchmark", "transform", "verdict", "error"),
        [(key, *_shape(transform), says) for key, (transform, says) in POLYOPT.items()],
    )


def _shapes() -> Iterator[str]:
    yield "## Cilk and Pochoir (Tables 9 and 10)"
    there = sum(bool(transform) for transform, _ in SHAPES.values())
    yield f"{there} of the {len(SHAPES)} programs have a transform of their shape, which is run at several sizes."
    yield _table(
        ("program", "transform", "verdict", "shape"),
        [(key, *_shape(transform), says) for key, (transform, says) in SHAPES.items()],
    )
    yield SCRATCH_SAYS
    yield "Their wrong twins, and those of the recursive sweeps of the paper's Table 4:"
    found = [(f"{file}_{name}", says) for file in RECURSIVE for name, (says, _) in loops_list.WRONG[file].items()]
    yield _table(("transform", "verdict"), [(f"`{transform}`", f"refuted: {says}") for transform, says in found])


def _families() -> Iterator[str]:
    yield "## The rest of PolyBench"
    yield FAMILIES_SAY
    rows = [
        (key, verdict(file), _said(file, _orders(file)), _said(file, tuple(loops_list.WRONG[file])))
        for key, file in FAMILIES.items()
    ]
    yield _table(("benchmark", "its subscripts", "other orders", "wrong ones"), rows)


def _orders(file: str) -> list[str]:
    return [name for name in loops_list.PROVED[file].split() if name != file]


def _said(file: str, names: Sequence[str]) -> str:
    return "<br>".join(f"`{name}` {verdict(f'{file}_{name}')}" for name in names) or "—"


def _shape(transform: str) -> tuple[str, str]:
    return (f"`{transform}`", verdict(transform)) if transform else ("—", "not there yet")


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *lines))
