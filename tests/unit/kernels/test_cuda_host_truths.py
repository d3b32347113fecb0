"""Host code that computes with comparisons and decides by numbers, as C does."""

from __future__ import annotations

import pytest

from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.outlined import OutlinedKernel
from rewright.model.scalars import number

KERNEL = "__global__ void k(float *x, int n) { x[threadIdx.x] = n; }\n"

BLOCKS = {
    "n / 64 + (n % 64 > 0)": lambda n: n // 64 + (n % 64 > 0),
    "n / 64 + (0 != n % 64)": lambda n: n // 64 + (n % 64 != 0),
    "n / 64 + !(n % 64) + 1": lambda n: n // 64 + (n % 64 == 0) + 1,
    "n / 64 + !!(n % 64) + 1": lambda n: n // 64 + (n % 64 != 0) + 1,
    "n / 64 + (n % 64 ? 1 : 2)": lambda n: n // 64 + (1 if n % 64 else 2),
    "1 + (n > 64 && n % 3)": lambda n: 1 + (n > 64 and n % 3 != 0),
    "1 + (n > 100 || n % 5)": lambda n: 1 + (n > 100 or n % 5 != 0),
    "1 + -(n > 64) + 2 * (n > 3)": lambda n: 1 - (n > 64) + 2 * (n > 3),
    "1 + ((n > 64) == (n > 100))": lambda n: 1 + ((n > 64) == (n > 100)),
    "max(n > 64, 1)": lambda n: max(n > 64, 1),
    "1 + (5 > 3) + (n ? n > 64 : 0)": lambda n: 2 + (n > 64 if n else 0),
}


def outlined(host: str) -> OutlinedKernel:
    """The kernel with what host code launches it with."""
    (kernel,) = outline("a.cu", {"a.cu": f"{KERNEL}void run(float *x, int n, int m) {{ {host} }}"}).kernels
    return kernel


@pytest.mark.parametrize("written", BLOCKS)
def test_comparisons_are_numbers_and_numbers_are_conditions(written: str) -> None:
    kernel = outlined(f"k<<<{written}, 64>>>(x, n);").kernel
    assert kernel is not None
    for n in (0, 1, 5, 63, 64, 65, 100, 128, 200):
        assert number(kernel.launch.grid[0], {"n": n}) == BLOCKS[written](n), n


def test_a_parameter_that_is_passed_a_comparison_is_1_or_0() -> None:
    kernel = outlined("const int less = m < 7; k<<<1, 64>>>(x, less);").kernel
    assert kernel is not None
    value = kernel.parameters[1].value
    assert [number(value, {"m": m}) for m in (3, 7, 9)] == [1, 0, 0]


def test_comparisons_that_are_compared_are_demands() -> None:
    launches = outlined("if ((m < 7) != 1) return; k<<<1, 64>>>(x, n); x[m] = 0;").launches
    assert len(launches) == 1


def test_a_parameter_that_a_known_function_computes_is_not_free() -> None:
    document = "template <typename T> T rounded(const T &n, const T &d) { return (n / d) + ((n % d) ? 1 : 0); }\n"
    document += KERNEL.replace("int n", "int n, int m").replace("= n", "= n + m")
    document += "void run(float *x, int m) { const int n = rounded(m, 8); k<<<rounded(m, n), 64>>>(x, n, m); }"
    (outlined,) = outline("a.cu", {"a.cu": document}).kernels
    assert outlined.kernel is not None
    value = outlined.kernel.parameters[1].value
    assert value is not None
    assert [number(value, {"m": m}) for m in (8, 9, 100)] == [1, 2, 13]
