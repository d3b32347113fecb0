"""Launches that were found, in the line above a kernel and in its hover."""

from __future__ import annotations

from rewright.checks.kernel_question import OutlinePayload, SourceText
from rewright.checks.lowering import outline_source
from rewright.model.found_launch import FoundLaunch
from rewright.report.launched import LONGEST, MOST_LISTED, in_line, listed

SCALE = """\
__global__ void scale(const float *x, float *y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
"""


def found(source: str) -> tuple[FoundLaunch, ...]:
    """The launches of the one kernel in a source."""
    (kernel,) = outline_source(OutlinePayload("k.cu", (SourceText("k.cu", source),))).kernels
    return kernel.launches


def test_host_variables_are_shown_as_what_they_stand_for() -> None:
    host = (
        "void run(float *x, float *y, int count) {\n  const int threads = 256;\n"
        "  scale<<<(count + threads - 1) / threads, threads, 0, stream>>>(x, y, 2.0f, count);\n}\n"
    )
    (launch,) = found(SCALE + host)
    assert in_line([launch]) == "<<<(n + 255) / 256, 256>>> · n free"
    (line,) = listed([launch])
    assert line.startswith("- launch `<<<(n + 255) / 256, 256>>>`, by `scale<<<(count + threads - 1) / threads")
    assert line.endswith("; free: `n`")


def test_axes_dynamic_shared_memory_and_other_launches() -> None:
    host = (
        "void run(float *x, float *y, int n) {\n  dim3 block(16, 8);\n"
        "  scale<<<dim3(n / 16, 3), block, 4 * n>>>(x, y, 1.0f, n);\n  scale<<<8, 32>>>(x, y, 1.0f, 256);\n}\n"
    )
    assert in_line(found(SCALE + host)) == "<<<(n / 16, 3), (16, 8), 4 * n>>> and 1 other · n free"


def test_a_launch_that_a_comment_states_is_not_shown_again() -> None:
    launches = found("// rewright: launch grid(4), block(256)\n" + SCALE)
    assert in_line(launches) == "n free"
    assert list(listed(launches)) == ["- `launch grid(4), block(256)`; free: `n`"]
    assert in_line(found("// rewright: launch grid(4), block(256); n = 1000\n" + SCALE)) == ""


def test_what_is_long_is_cut() -> None:
    long = FoundLaunch("<<<" + "n + " * 40 + "n, 32>>>", "k<<<…>>>", ("a", "b", "c", "d", "e", "f"))
    line = in_line([long])
    assert line.endswith("… · a, b, c, d and 2 more free") and len(line) < LONGEST + 40
    assert in_line([]) == ""
    lines = list(listed([long] * (MOST_LISTED + 2)))
    assert len(lines) == MOST_LISTED + 1 and lines[-1] == "- 2 more launches"
