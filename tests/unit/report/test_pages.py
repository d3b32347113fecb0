"""The page of each code shows an example, and checking that example really gives the code."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from rewright.report import codes

WITHOUT_EXAMPLE = {
    "RW009": "syntax/test_problems.py::test_what_is_nested_too_deeply_is_reported_and_not_read",
    "RW010": "cli/test_check_cuda.py::test_a_source_that_is_too_long_is_reported_wherever_it_is_found",
    "RW131": "cli/test_check_cuda.py::test_a_file_of_kernels_none_of_which_has_a_launch_is_not_as_expected",
    "RW132": "cli/test_check_cuda.py::test_commands_of_a_build_that_cannot_be_used_are_told_once_where_they_stand",
    "RW209": "checks/test_second_opinion.py::test_the_command_line_asks_for_it_and_adds_up",
    "RW320": "kernels/test_kernels_overclaims.py::test_only_floats_excuse_what_does_not_replay",
    "RW401": "report/test_refinement_report.py::test_what_is_found_is_said_in_words",
    "RW402": "report/test_refinement_report.py::test_what_is_found_is_said_in_words",
    "RW403": "report/test_refinement_report.py::test_what_is_found_is_said_in_words",
    "RW420": "graphs/test_element_types.py::test_a_sum_over_ranks_in_few_bits_is_noted",
    "RW421": "graphs/test_element_types.py::test_a_cast_before_the_sum_is_told_from_one_after_it",
    "RW422": "graphs/test_element_types.py::test_a_sum_of_more_terms_than_the_type_counts_is_noted",
    "RW423": "graphs/test_element_types.py::test_a_count_that_its_type_does_not_hold_is_noted",
    "RW508": "loops/test_c_programs.py::test_what_never_ran_is_named",
    "RW901": "checks/test_checks_looked.py::test_a_false_proof_is_reported_as_a_fault_of_ours_and_the_rest_is_answered",
}
"""The test that asserts a code which no example can give: two need a long text, two a source of their own, one has to
be asked for, one needs two machines, three a refinement that is decided, one a source in C, the last a
defect of ours."""

UNIT = Path(__file__).parents[1]

EXAMPLES = {
    code.code: re.findall(r"^```rw\n(.*?)^```", codes.page(code), re.MULTILINE | re.DOTALL) for code in codes.every()
}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The codes that each example gives, by the example's file; all are checked in one run."""
    folder = tmp_path_factory.mktemp("pages")
    for page in map(codes.page, codes.every()):
        for name, source in re.findall(r"^```cuda\n// (\S+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
            (folder / name).write_text(source, encoding="utf-8")
    for code, examples in EXAMPLES.items():
        for n, example in enumerate(examples):
            (folder / f"{code}-{n}.rw").write_text(example, encoding="utf-8")
    command = [sys.executable, "-m", "rewright.cli", "check", ".", "--no-cache", "--format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    found: dict[str, set[str]] = defaultdict(set)
    for entry in (*report["files"], *report["results"]):
        found[entry["file"]] |= {diagnostic["code"] for diagnostic in entry["diagnostics"]}
    return found


def test_every_page_has_an_example() -> None:
    assert {code for code, examples in EXAMPLES.items() if not examples} == set(WITHOUT_EXAMPLE)


@pytest.mark.parametrize("code", WITHOUT_EXAMPLE)
def test_a_code_without_an_example_is_asserted_by_its_test(code: str) -> None:
    file, name = WITHOUT_EXAMPLE[code].split("::")
    tree = ast.parse((UNIT / file).read_text(encoding="utf-8"))
    (test,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    asserts = [ast.unparse(node) for node in ast.walk(test) if isinstance(node, ast.Assert)]
    assert any(code in each for each in asserts)


@pytest.mark.parametrize(
    ("code", "n"), [(code, n) for code, examples in EXAMPLES.items() for n in range(len(examples))]
)
def test_the_example_gives_the_code(code: str, n: int, given: dict[str, set[str]]) -> None:
    assert code in given[f"{code}-{n}.rw"]
