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
    "cholesky": "cholesky tiled peeled",
    "lu_by_blocks": "lu_by_blocks",
    "scratch_product": "scratch_product",
    "sum_by_halves": "sum_by_halves",
    "copy_by_halves": "copy_by_halves",
    "heat_on_a_torus": "heat_on_a_torus",
    "two_products": "two_products by_rows tiled",
    "three_products": "three_products by_rows",
    "atax": "atax distributed tiled",
    "mvt": "mvt fused tiled",
    "gesummv": "gesummv distributed tiled",
    "syrk": "syrk by_elements tiled",
    "syr2k": "syr2k tiled",
    "symm": "symm distributed tiled",
    "trmm": "trmm by_columns tiled",
    "trisolv": "trisolv by_columns tiled",
    "durbin": "durbin tiled",
    "gramschmidt": "gramschmidt by_rows",
    "ludcmp": "ludcmp tiled merged",
    "floyd_warshall": "floyd_warshall interchanged tiled",
    "nussinov": "nussinov by_diagonals by_columns",
    "heat_in_space": "heat_in_space tiled shifted",
    "dynprog": "dynprog by_columns",
    "adi": "adi by_steps",
}
"""By file, what is proved: the specification, and transforms without the name of their file in front."""

CHECKED = {
    "seidel_quadrants": "recursive",
    "matmul": "rectangular recursive by_rows",
    "heat": "walk halves",
    "option": "walk",
    "stencil_of_seven": "walk",
    "stencil_of_all": "walk",
    "lu_by_blocks": "recursive",
    "scratch_product": "recursive",
    "heat_on_a_torus": "walk",
    "sum_by_halves": "to_leaves",
    "copy_by_halves": "recursive",
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
        "without_last": ("missing", "RESULT(i, j);"),
        "halved": ("operation", "RESULT(i, j / 2);"),
        "added_late": ("order", "RESULT(i, j);"),
        "twice": ("extra", "ADD(i);"),
    },
    "jacobi": {
        "fused": ("order", "BACK(i, j);"),
        "without_last": ("missing", "BACK(i, j);"),
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
        "without_last": ("missing", "SPREAD(j, i, c);"),
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
    "cholesky": {
        "stored_early": ("order", "STORE(i, j);"),
        "without_last": ("operation", "LOAD_DIAGONAL(i);"),
    },
    "lu_by_blocks": {
        "updated_late": ("operation", "DIVIDE(i, j);"),
        "schur_first": ("order", "UPDATE(i, j, k);"),
        "cut_short": ("missing", "UPDATE(i, j, k);"),
    },
    "copy_by_halves": {
        "overlapping": ("extra", "COPY(i); /* the middle twice */"),
        "parted": ("missing", "COPY(i); /* all but the middle */"),
    },
    "sum_by_halves": {"overlapping": ("extra", "s[0] += A[i]; // of the middle twice")},
    "scratch_product": {
        "added_early": ("order", "ADD(i, j);"),
        "not_cleared": ("operation", "SECOND(i0, j0, k0);"),
    },
    "heat_on_a_torus": {
        "seam_first": ("order", "STEP(t0, i, j, (i + N - 1) % N, (i + 1) % N, (j + N - 1) % N, (j + 1) % N);"),
        "open_seam": ("missing", "STEP(t0, i, j, (i + N - 1) % N, (i + 1) % N, (j + N - 1) % N, (j + 1) % N);"),
    },
    "two_products": {
        "used_early": ("order", "SECOND(i, l, j);"),
        "without_last": ("missing", "FIRST(i, j, k);"),
    },
    "three_products": {
        "fused": ("order", "SUM_G(i, j, k);"),
    },
    "atax": {
        "fused": ("order", "SUM_Y(i, j);"),
        "backwards": ("operation", "SUM_Y(i, j);"),
    },
    "mvt": {
        "halved": ("operation", "COLUMN(j, i / 2);"),
        "backwards": ("operation", "ROW(i, j);"),
    },
    "gesummv": {
        "result_early": ("operation", "RESULT(i);"),
        "without_last": ("operation", "RESULT(i);"),
    },
    "syrk": {
        "without_diagonal": ("missing", "UPDATE(i, j, k);"),
        "of_both_triangles": ("extra", "UPDATE(i, j, k);"),
    },
    "syr2k": {
        "scaled_late": ("operation", "UPDATE(i, j, k);"),
        "transposed": ("extra", "UPDATE(j, i, k);"),
    },
    "symm": {
        "stored_early": ("order", "STORE(i, j);"),
        "cleared_once": ("missing", "CLEAR(i, 0);"),
    },
    "trmm": {
        "upwards": ("order", "UPDATE(i, j, k);"),
        "scaled_early": ("operation", "SCALE(i, j);"),
    },
    "trisolv": {
        "divided_late": ("order", "SUBTRACT(i, j);"),
        "without_first": ("operation", "DIVIDE(i);"),
    },
    "durbin": {
        "fused": ("order", "FORTH(k, i);"),
        "without_last": ("missing", "SUM(k, i);"),
    },
    "gramschmidt": {
        "fused": ("order", "SUBTRACT(i, k, j);"),
        "of_changed_columns": ("order", "SQUARE(i, k);"),
    },
    "ludcmp": {
        "downwards": ("operation", "LOAD_Y(i);"),
    },
    "floyd_warshall": {
        "inside": ("order", "SHORTEN(i, j, k);"),
        "of_one_half": ("missing", "SHORTEN(i, j, k);"),
    },
    "nussinov": {
        "upwards": ("order", "BELOW(i, j);"),
        "split_once_more": ("extra", "SPLIT(i, j, k);"),
    },
    "heat_in_space": {
        "fused": ("order", "BACK(i, j, k);"),
        "without_last": ("missing", "BACK(i, j, k);"),
    },
    "dynprog": {
        "upwards": ("order", "SUM(i, j, k);"),
        "stored_early": ("order", "STORE(i, j);"),
    },
    "adi": {
        "fused": ("order", "ROW_Q(i, j);"),
        "forwards": ("order", "ROW_BACK(i, j);"),
    },
}
