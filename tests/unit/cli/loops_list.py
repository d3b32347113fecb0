"""The loop nests of rules/loops that are written in C, and how each comes out: nothing of it is read off the files.

Of a wrong one: how it fails, and the statement at which that is reported.
"""

from __future__ import annotations

PROVED = {
    "bicg": "bicg copied distributed tiled parametric unrolled hoisted tiled_apart",
    "correlation": "correlation copied by_rows tiled parametric unrolled hoisted tiled_apart",
    "covariance": "covariance copied by_rows tiled parametric unrolled hoisted tiled_apart",
    "doitgen": "doitgen copied by_rows tiled parametric unrolled hoisted tiled_apart",
    "fdtd": "fdtd copied fused tiled parametric unrolled hoisted tiled_apart",
    "gemm": "gemm copied by_columns_of_a tiled parametric unrolled hoisted tiled_apart",
    "gemver": "gemver copied fused tiled parametric unrolled hoisted tiled_apart",
    "jacobi": "jacobi copied shifted tiled parametric unrolled hoisted tiled_apart",
    "lu": "lu copied by_rows tiled parametric unrolled hoisted tiled_apart",
    "reg_detect": "reg_detect copied fused tiled parametric unrolled hoisted tiled_apart",
    "seidel_quadrants": "seidel_quadrants",
    "matmul": "matmul",
    "heat": "heat",
    "option": "option",
    "stencil_of_seven": "stencil_of_seven",
    "stencil_of_all": "stencil_of_all",
    "gauss_seidel": "gauss_seidel copied skewed tiled parametric unrolled hoisted tiled_apart",
}
"""By file, what is proved: the specification, and transforms without the name of their file in front."""

CHECKED = {
    "seidel_quadrants": "recursive",
    "matmul": "rectangular recursive by_rows",
    "heat": "walk halves",
    "option": "walk",
    "stencil_of_seven": "walk",
    "stencil_of_all": "walk",
}
"""By file, what is not affine and was run at sizes."""

WRONG = {
    "heat": {
        "short_walk": ("missing", "STEP(t0, i, j);"),
        "swapped_walk": ("order", "STEP(t0, i, j);"),
    },
    "option": {
        "short_walk": ("missing", "STEP(t0, i);"),
        "swapped_walk": ("order", "STEP(t0, i);"),
    },
    "stencil_of_seven": {
        "short_walk": (
            "missing",
            "STEP(t0, i, j, k);",
        ),
        "swapped_walk": ("order", "STEP(t0, i, j, k);"),
    },
    "stencil_of_all": {
        "short_walk": (
            "missing",
            "STEP(t0, i, j, k);",
        ),
        "swapped_walk": ("order", "STEP(t0, i, j, k);"),
    },
    "matmul": {
        "backwards": ("operation", "MULTIPLY(C[i][j], A[i][k0], B[k0][j]);"),
        "cut_short": ("missing", "MULTIPLY(c[j], a[k], B[k][j]);"),
        "of_another_row": ("operation", "MULTIPLY(c[j], a[k], B[k][j]);"),
    },
    "seidel_quadrants": {
        "once_more": ("extra", "SWEEP(ilo, jlo);"),
        "swapped": ("order", "SWEEP(ilo, jlo);"),
    },
    "bicg": {
        "cleared_late": ("operation", "SUM_Q(i, j);"),
        "without_last": ("missing", "SUM_S(i, j);"),
        "halved": ("operation", "SUM_Q(i, j / 2);"),
        "twice": ("extra", "SUM_S(i, j);"),
        "backwards": ("operation", "SUM_S(i, j);"),
    },
    "correlation": {
        "scaled_early": ("operation", "SCALE(i, j);"),
        "without_last": ("missing", "ONE(i);"),
        "halved": ("operation", "PRODUCT(i, j, k / 2);"),
        "twice": ("extra", "DEVIATION(j);"),
        "deviation_first": ("order", "SUM_DEVIATION(i, j);"),
    },
    "covariance": {
        "centred_early": ("order", "CENTRE(i, j);"),
        "without_last": ("operation", "NORM(i, j);"),
        "halved": ("operation", "PRODUCT(i, j, k / 2);"),
        "twice": ("extra", "MEAN(j);"),
        "mirrored_early": ("operation", "MIRROR(i, j);"),
    },
    "doitgen": {
        "fused": ("order", "SUM(r, q, p, s);"),
        "without_last": ("missing", "SUM(r, q, p, s);"),
        "halved": ("operation", "SUM(r, q, p, s / 2);"),
        "twice": ("extra", "STORE(r, q, p);"),
        "stored_early": ("order", "STORE(r, q, p);"),
    },
    "fdtd": {
        "magnetic_first": ("order", "HZ(i, j);"),
        "without_last": ("missing", "HZ(i, j);"),
        "halved": ("extra", "EY(i, j / 2);"),
        "twice": ("extra", "EX(i, j);"),
        "fused_wrongly": ("extra", "EX(i, N - 1);"),
    },
    "gemm": {
        "scaled_late": ("operation", "UPDATE(i, j, k);"),
        "without_last": ("missing", "UPDATE(i, j, k);"),
        "halved": ("operation", "UPDATE(i, j, k / 2);"),
        "twice": ("operation", "SCALE(i, j);"),
        "backwards": ("operation", "UPDATE(i, j, k);"),
        "rest_lost": ("missing", "UPDATE(i, j, k);"),
    },
    "gemver": {
        "multiplied_early": ("order", "MULTIPLY(i, j);"),
        "without_last": ("missing", "MULTIPLY(i, j);"),
        "halved": ("operation", "RESULT(i, j / 2);"),
        "added_late": ("order", "RESULT(i, j);"),
        "twice": ("extra", "ADD(i);"),
    },
    "jacobi": {
        "fused": ("order", "BACK(i, j);"),
        "without_last": ("missing", "FORTH(i, j);"),
        "halved": ("extra", "BACK(i, j / 2 + 1);"),
        "twice": ("extra", "FORTH(i, j);"),
        "swapped": ("order", "BACK(i, j);"),
        "tiles_overlapping": ("extra", "FORTH(i, j);"),
    },
    "lu": {
        "divided_early": ("operation", "DIVIDE(i, j);"),
        "without_last": ("missing", "LOWER(i, j, k);"),
        "halved": ("operation", "UPPER(i, j, k / 2);"),
        "twice": ("extra", "DIVIDE(i, j);"),
        "upper_first": ("order", "UPPER(i, j, k);"),
        "tiles_of_another_size": ("missing", "UPPER(i, j, k);"),
    },
    "reg_detect": {
        "mean_early": ("order", "MEAN(j, i);"),
        "without_last": ("missing", "FIRST(j, i);"),
        "halved": ("extra", "SPREAD(j, i, c / 2);"),
        "twice": ("extra", "PATH(j, i);"),
        "path_first": ("order", "PATH(j, i);"),
    },
    "gauss_seidel": {
        "tiled_wrongly": ("order", "SWEEP(i, j);"),
        "without_last": ("missing", "SWEEP(i, j);"),
        "halved": ("extra", "SWEEP(i, j / 2 + 1);"),
        "twice": ("extra", "SWEEP(i, j);"),
        "sweeps_inside": ("order", "SWEEP(i, j);"),
    },
}
