"""Functions that launch a kernel that they get with what they get: each call of them is a launch."""

from __future__ import annotations

import pytest

from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.outlined import OutlinedKernel

KERNEL = "template <typename T> __global__ void k(const T *x, T *y, int n) { y[threadIdx.x] = x[n]; }\n"
PACKED = "template <typename K, typename... A> void launch(K kernel, dim3 grid, dim3 block, A &&...a)"
STRUCT = """struct Launch {
  dim3 grid, block;
  size_t shared;
};
"""
MADE = """struct Launch {
  dim3 grid, block;
  size_t shared;
  Launch(dim3 b, dim3 g, size_t s) : block(b), grid{g}, shared((size_t)s) {}
  Launch(dim3 b, dim3 g, int s) : block(b), grid(g), shared((size_t)s) {}
};
"""


def outlined(document: str) -> OutlinedKernel:
    """The only kernel of a document."""
    (kernel,) = outline("a.cu", {"a.cu": document}).kernels
    return kernel


def shown(document: str) -> list[str]:
    """The launches of the only kernel of a document as CUDA writes them."""
    return [each.shown for each in outlined(document).launches]


@pytest.mark.parametrize("passed", ["a...", "std::forward<A>(a)..."])
def test_a_pack_is_what_the_call_passes(passed: str) -> None:
    document = f"{KERNEL}{PACKED} {{ kernel<<<grid, block>>>({passed}); }}\n"
    document += "void run(const double *x, double *y) { launch(k<double>, dim3(3), 64, x, y, 5); }"
    assert shown(document) == ["<<<3, 64>>>"]
    (launch,) = outlined(document).launches
    assert [str(each.name) for each in launch.kernel.parameters] == ["x", "y", "n"]
    assert "value=5" in str(launch.kernel.parameters[2])


@pytest.mark.parametrize(
    ("struct", "made"),
    [
        (STRUCT, "Launch l = {dim3(m), dim3(64), 0};"),
        (STRUCT, "Launch l{m, 64, 0};"),
        (MADE, "const Launch l(64, m, 0);"),
        (MADE, "const Launch l = Launch(64, m, 0);"),
        (MADE, "auto l = Launch(64, m, 0);"),
    ],
)
def test_members_of_a_struct_are_what_it_is_made_of(struct: str, made: str) -> None:
    document = (
        f"{KERNEL}{struct}template <typename K, typename... A> void launch(K kernel, const Launch &l, A &&...a) {{\n"
    )
    document += "  kernel<<<l.grid, l.block, l.shared>>>(a...);\n}\n"
    document += f"void run(float *x, float *y, int m, int n) {{ {made} launch(k<float>, l, x, y, n); }}"
    assert shown(document) == ["<<<m, 64>>>"]


def test_calls_in_a_template_are_those_of_its_instances() -> None:
    document = f"{KERNEL}{PACKED} {{ kernel<<<grid, block>>>(a...); }}\n"
    document += "template <typename T> void run(T *x, int m) { launch(k<T>, m, 64, x, x, 5); }\n"
    document += "template void run(float *x, int m); template void run(double *x, int m);"
    assert len(shown(document)) == 2


@pytest.mark.parametrize(
    "inside",
    [
        "grid = dim3(2); kernel<<<grid, block>>>(a...);",
        "kernel<<<changed(grid), block>>>(a...);",
        "kernel<<<grid, block>>>(changed(a)...);",
    ],
)
def test_what_the_function_changes_is_not_passed_on(inside: str) -> None:
    document = f"{KERNEL}{PACKED} {{ {inside} }}\n"
    document += "void run(const double *x, double *y) { launch(k<double>, dim3(3), 64, x, y, 5); }"
    assert "<<<3, 64>>>" not in shown(document)
    (launch,) = outlined(document).launches
    assert "value=5" not in str(launch.kernel.parameters[2])


@pytest.mark.parametrize(
    "made",
    [
        "Launch l(64, m, 0); l.grid = 5;",
        "Launch l = n > 3 ? Launch(64, m, 0) : Launch(32, m, 0);",
        "Launch l(64, m, 0); if (n > 3) { l = Launch(32, m, 0); }",
    ],
)
def test_members_that_are_set_later_or_by_a_choice_are_not_known(made: str) -> None:
    document = (
        f"{KERNEL}{MADE}template <typename K, typename... A> void launch(K kernel, const Launch &l, A &&...a) {{\n"
    )
    document += "  kernel<<<l.grid, l.block, l.shared>>>(a...);\n}\n"
    document += f"void run(float *x, float *y, int m, int n) {{ {made} launch(k<float>, l, x, y, n); }}"
    assert all("64" not in each for each in shown(document))


def test_a_function_as_an_argument_of_a_template_goes_through_host_templates() -> None:
    document = "__device__ float half_of(float x) { return x / 2; }\n"
    document += "template <float (*op)(float)> __global__ void k(float *x) { x[threadIdx.x] = op(x[threadIdx.x]); }\n"
    document += "template <float (*op)(float)> void run(float *x) { k<op><<<1, 64>>>(x); }\n"
    document += "void all(float *x) { run<half_of>(x); }"
    (launch,) = outlined(document).launches
    assert "half_of" in str(launch.kernel.body)
