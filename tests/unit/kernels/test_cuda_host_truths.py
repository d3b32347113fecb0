"""Host code that computes with comparisons and decides by numbers, as C does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.outlined import OutlinedKernel
from rewright.model.body import Expression, Integer
from rewright.model.index import Name
from rewright.model.kernel import Kernel, ScalarParameter
from rewright.model.scalars import number

KERNEL = "__global__ void k(float *x, int n) { x[threadIdx.x] = n; }\n"

BLOCKS: dict[str, Callable[[int], int]] = {
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


def passed(kernel: Kernel) -> Expression:
    """What the host passes for `n`."""
    parameter = kernel.parameters[1]
    assert isinstance(parameter, ScalarParameter) and parameter.value is not None
    return parameter.value


@pytest.mark.parametrize("written", BLOCKS)
def test_comparisons_are_numbers_and_numbers_are_conditions(written: str) -> None:
    kernel = outlined(f"k<<<{written}, 64>>>(x, n);").kernel
    assert kernel is not None
    for n in (0, 1, 5, 63, 64, 65, 100, 128, 200):
        assert number(kernel.launch.grid[0], {Name("n"): n}) == BLOCKS[written](n), n


def test_a_parameter_that_is_passed_a_comparison_is_1_or_0() -> None:
    kernel = outlined("const int less = m < 7; k<<<1, 64>>>(x, less);").kernel
    assert kernel is not None
    value = passed(kernel)
    assert [number(value, {Name("m"): m}) for m in (3, 7, 9)] == [1, 0, 0]


def test_comparisons_that_are_compared_are_demands() -> None:
    launches = outlined("if ((m < 7) != 1) return; k<<<1, 64>>>(x, n); x[m] = 0;").launches
    assert len(launches) == 1


def test_a_parameter_that_a_known_function_computes_is_not_free() -> None:
    document = "template <typename T> T rounded(const T &n, const T &d) { return (n / d) + ((n % d) ? 1 : 0); }\n"
    document += KERNEL.replace("int n", "int n, int m").replace("= n", "= n + m")
    document += "void run(float *x, int m) { const int n = rounded(m, 8); k<<<rounded(m, n), 64>>>(x, n, m); }"
    (outlined,) = outline("a.cu", {"a.cu": document}).kernels
    assert outlined.kernel is not None
    value = passed(outlined.kernel)
    assert [number(value, {Name("m"): m}) for m in (8, 9, 100)] == [1, 2, 13]


CHANGING = """template <typename T> void shape(dim3 &grid, dim3 &block, int n);
template <> void shape<float>(dim3 &grid, dim3 &block, int n) { grid.x = n; block.x = 64; }
void sized(int &n) { n = 7; }
void kept(const int &n, int m) {}
struct Shapes { void fill(dim3 &grid); };
int chosen = 5;
int left = 5;
void choose() { sized(chosen); kept(left, left); }
"""


@pytest.mark.parametrize(
    ("host", "grid", "block", "n"),
    [
        ("dim3 grid, block; shape<float>(grid, block, n); k<<<grid, block>>>(x, 5);", None, None, 5),
        ("dim3 grid, block; k<<<grid, block>>>(x, 5); shape<float>(grid, block, n);", 1, 1, 5),
        ("int a = 5; sized(a); k<<<a, 32>>>(x, 5);", None, 32, 5),
        ("int a = 5; kept(a, a); k<<<a, 32>>>(x, 5);", 5, 32, 5),
        ("dim3 grid(3); sized(grid.x); k<<<grid, 32>>>(x, 5);", None, 32, 5),
        ("dim3 grid(3); Shapes s; s.fill(grid); k<<<grid, 32>>>(x, 5);", None, 32, 5),
        ("k<<<chosen, left>>>(x, 5);", None, 5, 5),
    ],
)
def test_what_a_function_takes_by_reference_is_not_known_after_its_call(
    host: str, grid: int | None, block: int | None, n: int
) -> None:
    (outlined,) = outline("a.cu", {"a.cu": f"{CHANGING}{KERNEL}void run(float *x, int n) {{ {host} }}"}).kernels
    assert outlined.kernel is not None
    launch, value = outlined.kernel.launch, passed(outlined.kernel)
    for known, expression in ((grid, launch.grid[0]), (block, launch.block[0]), (n, value)):
        assert isinstance(expression, Integer) == (known is not None)
        assert known is None or number(expression, {}) == known
