"""Launches whose values follow from each other, or have to divide each other."""

from __future__ import annotations

import pytest
from test_conditions import answered, conditions

from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.kernels.launches.cases import realistic_cases
from rewright.kernels.launches.given import completed, wraps
from rewright.model.index import Name
from rewright.model.kernel import Kernel
from rewright.model.simt.constants import NoValue
from rewright.verdict import Verdict

SCALE = """__global__ void scale(int count, float *y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = 2;
}
"""


def launched(source: str) -> Kernel:
    (found,) = outline("a.cu", {"a.cu": source}).kernels
    (launch,) = found.launches
    return launch.kernel


def test_a_value_may_follow_from_those_that_are_declared_after_it() -> None:
    host = "void run(float *y, int r, int c) { scale<<<(r * c + 63) / 64, 64>>>(r * c, y, r, c); }\n"
    kernel = launched(SCALE + host)
    chosen = {Name("rows"): 3, Name("columns"): 5}
    assert completed(kernel, chosen) == {"count": 15, "rows": 3, "columns": 5}
    assert list(completed(kernel, chosen)) == ["count", "rows", "columns"], "as they are declared"
    with pytest.raises(NoValue):
        completed(kernel, {Name("rows"): 3})
    assert answered(SCALE + host).verdict is Verdict.CHECKED


@pytest.mark.parametrize(("rows", "is_beyond"), [(1 << 15, False), (1 << 16, True), (92681, True)])
def test_a_product_beyond_its_type_is_no_launch(rows: int, is_beyond: bool) -> None:
    kernel = launched(f"{SCALE}void run(float *y, int r) {{ scale<<<1, 64>>>(r * r, y, r, 1); }}\n")
    values = completed(kernel, {Name("rows"): rows})
    assert wraps(kernel, values) is is_beyond


@pytest.mark.parametrize(("rows", "is_beyond"), [(0, False), (30, False), (32, True), (40, True), (-1, True)])
def test_bits_that_are_shifted_by_more_than_there_are_are_no_launch(rows: int, is_beyond: bool) -> None:
    kernel = launched(f"{SCALE}void run(float *y, int r) {{ scale<<<1, 64>>>(1 << r, y, r, 1); }}\n")
    assert wraps(kernel, completed(kernel, {Name("rows"): rows})) is is_beyond


HEADS = """#include <cassert>
__global__ void heads(float *y, int width, int heads) {
  int each = width / heads;
  assert(each * heads == width);
  y[blockIdx.x * each + threadIdx.x % each] = 1;
}
"""


@pytest.mark.parametrize(
    "demand", ["width / heads == 64", "64 == width / heads", "width / heads % 8 == 0 && width % heads == 0"]
)
def test_what_is_required_of_a_quotient_is_met(demand: str) -> None:
    host = f"void run(float *y, int width, int heads) {{ assert({demand}); heads<<<heads, 32>>>(y, width, heads); }}\n"
    answer = answered(HEADS.replace("y[blockIdx.x * each + threadIdx.x % each]", "if (threadIdx.x < each) y[0]") + host)
    assert answer.verdict is Verdict.CHECKED, answer


GRID = """int processors = 0;
void find() {{ {set} }}
__global__ void fill(float *y) {{ y[blockIdx.x * blockDim.x + threadIdx.x] = 1; }}
void run(float *y) {{ fill<<<processors * 8, 64>>>(y); }}
"""


@pytest.mark.parametrize("said", ["processors = count();", "get(&processors);", "processors++;"])
def test_a_variable_that_a_function_sets_has_not_its_first_value(said: str) -> None:
    answer = answered(GRID.format(set=said))
    assert answer.verdict is Verdict.CHECKED, answer


@pytest.mark.parametrize("said", ["int processors; processors = 4;", "use(processors);"])
def test_a_variable_that_no_function_sets_keeps_its_first_value(said: str) -> None:
    answer = answered(GRID.format(set=said).replace("= 0;", "= 3;"))
    assert answer.verdict is Verdict.CHECKED and "grid 24" in answer.coverage.text


STEP = """__global__ void step(float *a, int size, int left, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if ((unsigned)i >= size - 1 - t || (unsigned)j >= size - t) return;
  a[size * (i + 1 + t) + j + t] -= a[size * t + j + t];
}
void run(float *a, int size, int t, int blocks) {
  dim3 grid(blocks, blocks), block(4, 4);
  step<<<grid, block>>>(a, size, size - t, t);
}
"""


def test_realistic_sizes_leave_nothing_negative() -> None:
    """Compared without a sign, a negative number is large: some launches at which it is one seem right."""
    kernel = launched(STEP)
    program = lower(kernel, {"a.cu": STEP}).program
    assert program is not None
    cases = realistic_cases(kernel, program)
    assert all(value >= 0 for case in (*cases.needed, *cases.further) for _, value in case.values)
    answer = answered(STEP)
    assert (answer.verdict, conditions(answer)) == (Verdict.CONDITIONAL, ["t <= size"])


SHIFT = """__global__ void shift(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + 1];
}
"""


@pytest.mark.parametrize(
    ("passed", "verdict"),
    [("a, b", Verdict.CHECKED), ("a, a", Verdict.REFUTED), ("s.data<float>(), s.data<float>()", Verdict.REFUTED)],
)
def test_an_array_that_is_passed_twice_is_one(passed: str, verdict: Verdict) -> None:
    answer = answered(f"{SHIFT}void run(float *a, float *b, S s, int n) {{ shift<<<n / 64, 64>>>({passed}, n); }}\n")
    assert answer.verdict is verdict, answer
    in_place = SHIFT.replace("i + 1", "i")
    assert (
        answered(f"{in_place}void run(float *a, int n) {{ shift<<<1, 64>>>(a, a, n); }}\n").verdict is Verdict.CHECKED
    )
