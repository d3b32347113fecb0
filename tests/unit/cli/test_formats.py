"""What `rewright check` prints for other programs: SARIF, JUnit, annotations, Markdown; and that they agree."""

from __future__ import annotations

import json
import re
from itertools import takewhile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from command_line import Done, check_here
from test_check import FALSE, TRUE

FORMATS = ["json", "sarif", "junit", "github", "markdown", "text"]
MIXED = TRUE + FALSE + "@expect(refuted)\n" + FALSE.replace("reverse_once", "known_wrong")


def check(folder: Path, format: str, *arguments: str) -> Done:
    return check_here(folder, ".", "--cache", str(folder / ".cache"), "--format", format, *arguments)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """A folder with a file that holds a right rule, a wrong one, and one that is expected to be wrong."""
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "ä b.rw").write_text(MIXED, encoding="utf-8")
    return {format: check(folder, format) for format in FORMATS}


def test_the_exit_status_does_not_depend_on_the_format(mixed: dict[str, Done]) -> None:
    assert {done.returncode for done in mixed.values()} == {1}


def test_sarif_lists_what_is_not_as_expected(mixed: dict[str, Done]) -> None:
    log = json.loads(mixed["sarif"].stdout)
    (run,) = log["runs"]
    (result,) = run["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (log["version"], run["columnKind"]) == ("2.1.0", "utf16CodeUnits")
    assert (result["ruleId"], result["level"]) == ("RW201", "error")
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "RW201"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "%C3%A4%20b.rw"
    assert (region["startLine"], region["startColumn"]) == (11, 20)
    assert result["properties"] == {"declaration": "reverse_once", "verdict": "refuted"}


def test_a_sarif_fingerprint_stays_when_lines_move(tmp_path: Path) -> None:
    def prints(text: str) -> list[Any]:
        (tmp_path / "a.rw").write_text(text)
        (run,) = json.loads(check(tmp_path, "sarif").stdout)["runs"]
        return [each["partialFingerprints"] for each in run["results"]]

    assert prints(FALSE) == prints("\n\n" + FALSE)


def test_junit_has_a_case_for_each_declaration(mixed: dict[str, Done]) -> None:
    root = ElementTree.fromstring(mixed["junit"].stdout.encode())
    (suite,) = root
    assert (root.tag, suite.tag, suite.get("name")) == ("testsuites", "testsuite", "ä b.rw")
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "0")
    assert [case.get("name") for case in suite] == ["reverse_twice", "reverse_once", "known_wrong"]
    (failure,) = root.iter("failure")
    assert failure.get("type") == "RW201" and "X = [1, 2]" in (failure.text or "")


def test_annotations_are_commands_of_github(mixed: dict[str, Done]) -> None:
    (line, counts) = mixed["github"].stdout.splitlines()
    assert line.startswith("::error file=ä b.rw,line=11,col=20,endColumn=21,title=RW201 reverse_once::at [0] the left")
    assert counts.startswith("1 proved, 2 refuted, 1 not as expected")


def test_markdown_says_first_what_is_wrong(mixed: dict[str, Done]) -> None:
    said = mixed["markdown"].stdout
    assert said.startswith("## ❌ Rewright: 1 proved, 2 refuted, 1 not as expected")
    assert "- **RW201** in `reverse_once`, `ä b.rw:11`: at \\[0\\] the left reads" in said
    rows = list(takewhile(lambda line: line.startswith("|"), said[said.index("| declaration") :].splitlines()))
    assert len(rows) == 2 + 3


def test_what_is_proved_and_expected_to_be_wrong_is_a_complaint_in_every_format(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text("@expect(refuted)\n" + TRUE)
    said = "`reverse_twice` is proved, expected refuted"
    for format in ("sarif", "junit", "github"):
        done = check(tmp_path, format)
        assert (done.returncode, said in done.stdout) == (1, True), format
    assert "**expectation** in `reverse_twice`" in check(tmp_path, "markdown").stdout


def test_errors_outside_of_declarations_are_a_case(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE + "\n)\n")
    root = ElementTree.fromstring(check(tmp_path, "junit").stdout)
    assert (root.get("tests"), root.get("errors")) == ("2", "1")
    assert check(tmp_path, "github").stdout.startswith("::error file=a.rw,line=8,")


def test_a_text_cannot_make_commands_or_markup(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text('import "\x1b\x01%25::error::,<b>@all</b>.rw"\n' + TRUE)
    github = check(tmp_path, "github").stdout
    assert github.count("\n::") == 0 and "%2525" in github and "\x1b" not in github
    assert "\\x01" in (ElementTree.fromstring(check(tmp_path, "junit").stdout)[0][0][0].get("message") or "")
    outside_code = re.sub(r"`[^`\n]*`", "", check(tmp_path, "markdown").stdout)
    assert "<b>" not in outside_code and "\x1b" not in outside_code


def test_a_run_that_could_not_check_everything_says_so_in_sarif(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE)
    (tmp_path / "b.rw").symlink_to("missing.rw")
    done = check(tmp_path, "sarif")
    assert done.returncode == 2
    assert json.loads(done.stdout)["runs"][0]["invocations"] == [{"executionSuccessful": False}]
