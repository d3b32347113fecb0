"""`rewright check` as a script sees it: exit status, JSON, and what is said of what cannot be checked."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command_line import check_here, rewright

from rewright.report import json_view

SCHEMA = json.loads((Path(json_view.__file__).parent / "report.schema.json").read_text())

TRUE = """rule reverse_twice<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(reverse(X, A), A) => X
}
"""
FALSE = TRUE.replace("reverse_twice", "reverse_once").replace("reverse(reverse(X, A), A)", "reverse(X, A)")


def check(folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Checks in JSON; the report must fit the published schema."""
    done = check_here(folder, *(arguments or (".",)), "--no-cache", "--format", "json")
    report = json.loads(done.stdout)
    jsonschema.validate(report, SCHEMA)
    return done.returncode, report


@pytest.mark.parametrize("arguments", [[".", "--no-cache"], ["nowhere"]])
def test_a_process_of_its_own_says_the_same(tmp_path: Path, arguments: list[str]) -> None:
    """The other tests run the commands in the process of the tests."""
    (tmp_path / "a.rw").write_text(TRUE + FALSE, encoding="utf-8")
    command = [sys.executable, "-m", "rewright.cli", "check", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    alike = rewright(tmp_path, "check", *arguments)
    times = re.compile(r" +[\d.]+ m?s\b")
    assert times.sub("", done.stdout) == times.sub("", alike.stdout)
    assert (done.returncode, done.stderr) == (alike.returncode, alike.stderr)


def test_a_rule_that_holds(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE)
    status, report = check(tmp_path)
    (result,) = report["results"]
    assert status == 0
    assert (result["verdict"], result["as_expected"], result["counterexample"]) == ("proved", True, None)
    assert result["coverage"]["text"] == "all ranks and sizes"
    assert not result["coverage"]["bounded"]
    assert result["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 1}}
    assert report["summary"]["proved"] == 1


def test_a_rule_that_does_not(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE + FALSE)
    status, report = check(tmp_path)
    _, result = report["results"]
    found = result["counterexample"]
    assert status == 1
    assert (result["verdict"], result["as_expected"]) == ("refuted", False)
    assert (found["fails"], found["replayed"], found["ranks"]) == ("value", True, {"A": 1})
    assert found["tensors"]["X"]["shape"] == [2]
    assert found["left"] != found["right"]
    (diagnostic,) = result["diagnostics"]
    assert (diagnostic["code"], diagnostic["severity"]) == ("RW201", "error")
    assert diagnostic["range"]["start"]["line"] == 10


def test_a_tensor_without_groups_is_listed_among_the_tensors(tmp_path: Path) -> None:
    rule = "rule r<T: num> { axes A; map n on A; tensor X: T[A: n]; tensor q: T; scalar c: T; X + q => X + c }\n"
    (tmp_path / "a.rw").write_text(rule)
    found = check(tmp_path)[1]["results"][0]["counterexample"]
    assert found["tensors"]["q"]["shape"] == [] and len(found["tensors"]["q"]["data"]) == 1
    assert "q" not in found["values"] and "c" in found["values"] and "c" not in found["tensors"]


def test_an_expected_refutation_passes(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text("@expect(refuted)\n" + FALSE)
    assert check(tmp_path)[0] == 0
    (tmp_path / "a.rw").write_text("@expect(refuted)\n" + TRUE)
    assert check(tmp_path)[0] == 1
    (tmp_path / "a.rw").write_text("@expect(refuted, code = RW203)\n" + FALSE)
    assert check(tmp_path)[0] == 1


def test_an_error_outside_any_declaration(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE + "\n)\n")
    status, report = check(tmp_path)
    (file,) = report["files"]
    assert status == 1
    assert [diagnostic["code"] for diagnostic in file["diagnostics"]] == ["RW001"]
    assert report["results"][0]["verdict"] == "proved"


def test_a_bad_declaration_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text("rule half<T: any> {\n  axes A\n  map n on\n" + TRUE + FALSE.replace("X =>", "Y =>"))
    status, report = check(tmp_path)
    assert status == 1
    assert [result["verdict"] for result in report["results"]] == ["invalid", "proved", "refuted"]


def test_names_that_are_requested(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE + FALSE)
    status, report = check(tmp_path, ".", "--only", "reverse_twice")
    assert status == 0
    assert [result["name"] for result in report["results"]] == ["reverse_twice"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "`nowhere` does not exist"),
        (["a.txt"], "`a.txt` is no `.rw`, `.cu` or `.c` file"),
        (["empty"], "no `.rw` file here"),
        (["a.rw", "--only", "b"], "no declaration is called `b`"),
        (["a.rw", "--jobs", "0"], "jobs"),
        ([], "PATH"),
    ],
)
def test_what_cannot_be_checked(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.rw").write_text(TRUE)
    (tmp_path / "a.txt").write_text("")
    done = rewright(tmp_path, "check", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_an_unreadable_file_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE)
    (tmp_path / "b.rw").symlink_to("missing.rw")
    done = check_here(tmp_path, ".", "--no-cache")
    assert done.returncode == 2
    assert "reverse_twice" in done.stdout
    assert "cannot read" in done.stderr


def test_bad_settings_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE)
    (tmp_path / "rewright.toml").write_text("[check]\nbudgt = 1\n")
    done = rewright(tmp_path, "check", ".")
    assert done.returncode == 2
    assert "unknown key `budgt`" in done.stderr


def test_the_text_view_names_verdict_place_and_input(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE + FALSE)
    done = check_here(tmp_path, ".", "--no-cache")
    assert "✓ reverse_twice  all ranks and sizes" in done.stdout
    assert "✗ reverse_once   refuted" in done.stdout
    assert "RW201" in done.stdout
    assert "a.rw:11:" in done.stdout
    assert "ranks A = 1, n = 2" in done.stdout
    assert "X = [1, 2]" in done.stdout
    assert "1 proved, 1 refuted, 1 not as expected" in done.stdout


def test_the_text_view_names_what_a_verdict_rests_on(tmp_path: Path) -> None:
    parts = "axis d\nmap n, m on d\ntensor X: T[d: n]\ntensor Y: T[d: m]\n"
    sides = "concatenate(X, Y, d) => concatenate(X, Y, d)"
    (tmp_path / "a.rw").write_text(TRUE + f"rule joined<T: any> {{\n{parts}{sides}\n}}\n")
    _, report = check(tmp_path)
    assert [each["coverage"]["assumptions"] for each in report["results"]] == [
        [],
        ["concatenate of 2 operands, as written"],
    ]
    said = check_here(tmp_path, ".", "--no-cache").stdout.splitlines()
    at = next(number for number, line in enumerate(said) if "✓ joined" in line)
    assert said[at + 1] == "      assumes concatenate of 2 operands, as written"
    assert sum("assumes" in line for line in said) == 1


def test_the_text_view_names_the_terms_of_sums_that_differ(tmp_path: Path) -> None:
    sides = "reduce(add, X, d) => reduce(add, slice(X, 1, n), d)\nwhere n == 2"
    (tmp_path / "a.rw").write_text(f"rule wrong<T: int> {{\naxis d\nmap n on d\ntensor X: T[d: n]\n{sides}\n}}\n")
    done = check_here(tmp_path, ".", "--no-cache")
    assert "left, the sum of 2: ⟦[0] X[0] = 1⟧, [1] X[1] = 2" in done.stdout
    assert "right, the sum of 1: [0] X[1] = 2" in done.stdout


def test_a_refutation_of_another_kind_than_expected(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text("@expect(refuted, code = RW203)\n" + FALSE)
    said = check_here(tmp_path, ".", "--no-cache").stdout
    assert "(but not with the code, or not over the domain, that `@expect` names)" in said


def test_a_rename_and_a_comment_are_answered_from_the_cache(tmp_path: Path) -> None:
    cache = ["--cache", str(tmp_path / "cache"), "--format", "json"]
    (tmp_path / "a.rw").write_text(TRUE + FALSE)
    first = json.loads(check_here(tmp_path, ".", *cache).stdout)
    renamed = (TRUE + FALSE).replace("  axes A", "  // a comment\n  axes A").replace("X", "Größe")
    (tmp_path / "a.rw").write_text(renamed)
    second = json.loads(check_here(tmp_path, ".", *cache).stdout)
    assert [result["cached"] for result in first["results"]] == [False, False]
    assert [result["cached"] for result in second["results"]] == [True, True]
    assert "Größe" in second["results"][1]["counterexample"]["tensors"]


def test_explain(tmp_path: Path) -> None:
    done = rewright(tmp_path, "explain", "rw301")
    assert done.returncode == 0
    assert done.stdout.startswith("# RW301: data race")
    assert rewright(tmp_path, "explain", "RW999").returncode == 2


def test_query(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE)
    _, report = check(tmp_path)
    (question,) = report["results"][0]["questions"]
    done = rewright(tmp_path, "query", question["id"], "--smt2")
    assert done.returncode == 0
    assert "(check-sat)" in done.stdout
    assert rewright(tmp_path, "query", "no-such-id").returncode == 2


def test_the_pages_and_the_library_come_with_the_program(tmp_path: Path) -> None:
    assert rewright(tmp_path, "explain", "tutorial").stdout.startswith("# Tutorial")
    assert rewright(tmp_path, "explain", "language").stdout.startswith("# ")
    assert (Path(rewright(tmp_path, "library").stdout.strip()) / "xla" / "slice.rw").is_file()
