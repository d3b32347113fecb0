"""The page of each code shows an example, and checking that example really gives the code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict

import pytest

from rewright.report import codes

WITHOUT_EXAMPLE = {"RW009", "RW010", "RW131", "RW209", "RW320", "RW901"}
"""Two need a long text, one a source of its own, one has to be asked for, one needs two machines, the last needs a
defect of ours."""

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
    assert {code for code, examples in EXAMPLES.items() if not examples} == WITHOUT_EXAMPLE


@pytest.mark.parametrize(
    ("code", "n"), [(code, n) for code, examples in EXAMPLES.items() for n in range(len(examples))]
)
def test_the_example_gives_the_code(code: str, n: int, given: dict[str, set[str]]) -> None:
    assert code in given[f"{code}-{n}.rw"]
