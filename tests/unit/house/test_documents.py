"""The documents are true where a test can tell: the list of packages, the length of the page, the links."""

import re
from pathlib import Path

import pytest
from test_imports import FLOORS

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "server" / "rewright"
DOCS = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md"))]
PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", *DOCS]
PROSE = ["README.md", "CONTRIBUTING.md", *DOCS]
LONGEST = 120
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LIMITS = {
    "without reductions, from the command line": ("test_library_times", r"COLD_LIMIT = ([\d.]+)", " s"),
    "answered from the cache": ("test_library_times", r"WARM_LIMIT = ([\d.]+)", " s"),
    "the slowest of these rules": ("test_library_times", r"RULE_LIMIT = ([\d.]+)", " ms"),
    "the 118 rules": ("test_reduction_times", r"^COLD_LIMIT = ([\d.]+)", " s"),
    "of a window or a convolution": ("test_reduction_times", r"^WINDOW_LIMIT = ([\d.]+)", " ms"),
    "of `rules/nn`": ("test_reduction_times", r"^FUNCTION_LIMIT = ([\d.]+)", " ms"),
    "the median of these": ("test_reduction_times", r"^USUAL_FUNCTION_LIMIT = ([\d.]+)", " ms"),
    "a save of a rule": ("test_editor_times", r"^SAVE = .*limit=([\d.]+)", " ms"),
    "a keystroke to names": ("test_editor_times", r"^KEY = .*limit=([\d.]+)", " ms"),
    "400 declarations": ("test_editor_times", r"^OPENING = .*limit=([\d.]+)", " ms"),
    "a counterexample": ("test_counterexample_times", r"^LIMIT = ([\d.]+)", " ms"),
    "a small CUDA file, from the start": ("test_cuda_times", r"START_LIMIT = [\d.]+, ([\d.]+)", " s"),
    "a verdict about a kernel": ("test_cuda_times", r"HIGH_LIMIT = [\d.]+, [\d.]+, ([\d.]+)", " ms"),
    "a save of a CUDA layer norm": ("test_kernel_editor_times", r"^SAVE = .*limit=([\d.]+)", " ms"),
    "a keystroke in 2,000 lines": ("test_kernel_editor_times", r"^KEY = .*limit=([\d.]+)", " ms"),
    "a matrix product": ("test_kernel_times", r"TILE_LIMIT = [\d.]+, ([\d.]+)", " s"),
    "all kernels of": ("test_kernel_times", r"LIBRARY_LIMIT = [\d.]+, ([\d.]+)", " s"),
    "a GPT layer on 8 ranks": ("test_graph_times", r"^LIMITS = .*\b8: ([\d.]+)", " ms"),
    "a GPT layer on 64 ranks": ("test_graph_times", r"^LIMITS = .*\b64: ([\d.]+)", " ms"),
    "a save of a GPT layer": ("test_graph_editor_times", r"^SAVE = .*limit=([\d.]+)", " ms"),
    "attention as JAX": ("test_graph_times", r"^PAIR_LIMIT = ([\d.]+)", " ms"),
    "all of `rules/graphs`": ("test_graph_times", r"^COLD_LIMIT = ([\d.]+)", " s"),
    "written out": ("test_graph_times", r"^STACK_LIMITS = .*\"written out\": ([\d.]+)", " ms"),
    "as calls of one": ("test_graph_times", r"^STACK_LIMITS = .*\"as calls\": ([\d.]+)", " ms"),
    "of fused kernels": ("test_graph_times", r"^KERNELS_LIMIT = ([\d.]+)", " ms"),
    "in tiles, proved": ("test_loop_times", r"^READ, PROOF, .* = [\d.]+, ([\d.]+)", " ms"),
    "a recursive program": ("test_loop_times", r"^OPERATIONS = .*\"recursion\": ([\d.]+)", " ms"),
}
"""What a row of docs/performance.md starts with or says, and where in tests/bench its limit stands, in which unit."""


def test_architecture_lists_the_packages_in_the_order_of_their_floors() -> None:
    listed = re.findall(r"^\| `(\w+)/`", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.MULTILINE)
    there = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert sorted(listed) == sorted(there)
    heights = [next(height for height, floor in enumerate(FLOORS) if name in floor) for name in listed]
    assert heights == sorted(heights)


def test_architecture_is_one_page() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) <= 90


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    prose = re.sub(
        r"^```.*?^```|`[^`\n]*`", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", prose):
        assert ((ROOT / page).parent / target).exists(), target


def test_the_limits_on_the_page_are_those_of_the_bench() -> None:
    rows = re.findall(r"^\| (.*) \| (\d.*) \|$", (ROOT / "docs" / "performance.md").read_text(encoding="utf-8"), re.M)
    assert len(rows) == len(LIMITS)
    for (row, shown), (words, (module, place, unit)) in zip(rows, LIMITS.items(), strict=True):
        bench = (ROOT / "tests" / "bench" / f"{module}.py").read_text(encoding="utf-8")
        (limit,) = re.findall(place, bench, re.MULTILINE)
        assert (words in row, shown) == (True, f"{float(limit):g}{unit}")


@pytest.mark.parametrize("page", PROSE)
def test_text_wraps_where_people_edit_it(page: str) -> None:
    prose = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8")).splitlines()
    assert not [line for line in prose if len(line) > LONGEST and not line.startswith("|")]


@pytest.mark.parametrize("page", PROSE)
def test_no_line_is_endless(page: str) -> None:
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if len(line) >= 300 and not line.startswith("|")]
