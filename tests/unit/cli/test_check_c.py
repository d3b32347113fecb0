"""`rewright check` of files in C: each region is a result, with its places in the file; others are left alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from test_check import check

SEIDEL = """\
#define min(a, b) ((a) < (b) ? (a) : (b))

void seidel(int T, int N, double A[N][N]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N; i++)
      for (int j = 1; j < N; j++)
        A[i][j] = A[i - 1][j] + A[i][j - 1];
#pragma endscop
}

#pragma rewright transform tiled of seidel
void seidel_tiled(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int ii = 1; ii < N; ii += 32)
      for (int jj = 1; jj < N; jj += 32)
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, N); j++)
            A[i][j] = A[i - 1][j] + A[i][j - 1];
}
"""
SHORT = SEIDEL.replace("j < min(jj + 32, N)", "j < min(jj + 32, N - 1)")


def results(report: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    return [(each["file"], each["kind"], each["name"], each["verdict"]) for each in report["results"]]


def test_the_regions_of_a_file_are_results_and_a_file_without_any_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "seidel.c").write_text(SEIDEL)
    (tmp_path / "main.c").write_text("int main(void) { while (1); }\n")
    status, report = check(tmp_path)
    assert status == 0
    assert results(report) == [
        ("seidel.c", "loops", "seidel", "proved"),
        ("seidel.c", "transform", "tiled", "proved"),
    ]
    assert [each["file"] for each in report["files"]] == ["seidel.c"]
    nest, tiled = report["results"]
    assert nest["range"]["start"] == {"line": 2, "character": len("void ")}
    assert tiled["coverage"]["text"] == "all sizes, T, N >= 1"


def test_what_is_wrong_stands_at_the_statement_related_to_both_texts(tmp_path: Path) -> None:
    (tmp_path / "seidel.c").write_text(SHORT)
    status, report = check(tmp_path, "seidel.c")
    assert (status, results(report)[1]) == (1, ("seidel.c", "transform", "tiled", "refuted"))
    (found,) = report["results"][1]["diagnostics"]
    lines = SHORT.splitlines()
    assert found["code"] == "RW502" and found["file"] == "seidel.c"
    assert lines[found["range"]["start"]["line"]].strip() == "A[i][j] = A[i - 1][j] + A[i][j - 1];"
    assert found["range"]["start"]["line"] > 10
    related = [lines[each["range"]["start"]["line"]].strip() for each in found["related"]]
    assert related == ["A[i][j] = A[i - 1][j] + A[i][j - 1];", "for (int j = jj; j < min(jj + 32, N - 1); j++)"]


def test_a_pragma_says_what_is_expected(tmp_path: Path) -> None:
    (tmp_path / "seidel.c").write_text(SHORT.replace("tiled of seidel", "tiled of seidel expect refuted"))
    status, report = check(tmp_path, "seidel.c")
    assert status == 0
    assert [(each["expected"], each["as_expected"]) for each in report["results"]] == [
        (["proved", "checked"], True),
        (["refuted"], True),
    ]


def test_loops_that_openmp_runs_in_parallel_are_checked_for_races(tmp_path: Path) -> None:
    text = SEIDEL.replace("  for (int t = 0", "  #pragma omp parallel for\n  for (int t = 0")
    (tmp_path / "seidel.c").write_text(text)
    status, report = check(tmp_path, "seidel.c")
    assert status == 1
    for each in report["results"]:
        (said,) = each["diagnostics"]
        assert each["verdict"] == "refuted" and said["code"] == "RW506"
        first, loop = (text.splitlines()[other["range"]["start"]["line"]].strip() for other in said["related"])
        assert first.startswith("A[i][j] =") and loop.startswith("for (int t = 0")


def test_moved_text_and_comments_ask_nothing_new(tmp_path: Path) -> None:
    texts = (SEIDEL, "/* moved */\n\n" + SEIDEL.replace("int t", "int  t /* sweeps */"), SHORT)
    asked = []
    for text in texts:
        (tmp_path / "seidel.c").write_text(text)
        _, report = check(tmp_path, "seidel.c")
        asked.append([question["id"] for each in report["results"] for question in each["questions"]])
    assert asked[0] == asked[1]
    assert asked[0][0] == asked[2][0] and asked[0][1] != asked[2][1]


def test_what_is_not_affine_is_said_on_the_expression(tmp_path: Path) -> None:
    loop = "  for (int i = 0; i < n; i++) x[i * n] = 0;\n"
    (tmp_path / "a.c").write_text(f"void f(int n, double *x) {{\n#pragma scop\n{loop}#pragma endscop\n}}\n")
    status, report = check(tmp_path, "a.c")
    assert (status, results(report)) == (1, [("a.c", "loops", "f", "unknown")])
    (found,) = report["results"][0]["diagnostics"]
    assert "product of `i` and `n` is not affine" in found["message"]
    assert found["range"] == {"start": {"line": 2, "character": 32}, "end": {"line": 2, "character": 37}}


PLAIN = """\
void seidel(int T, int N, double A[N][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i < N; i++)
      for (int j = 1; j < N; j++)
        A[i][j] = A[i - 1][j] + A[i][j - 1];
}
"""
BY_COLUMNS = PLAIN.replace("seidel", "kernel").replace("int i = 1; i < N; i++", "int j = 1; j < N; j++", 1)
BY_COLUMNS = BY_COLUMNS.replace("      for (int j = 1; j < N; j++)", "      for (int i = 1; i < N; i++)")
OWN = "loops own(T, N) {\n  array A: f64[N, N]\n  for t in 0..T, i in 1..N, j in 1..N {\n    A[i, j] = SUM\n  }\n}\n"
OWN = OWN.replace("SUM", "A[i - 1, j] + A[i, j - 1]")


def test_declarations_name_functions_of_files_without_regions(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PLAIN)
    (tmp_path / "b.c").write_text(BY_COLUMNS)
    (tmp_path / "short.c").write_text(BY_COLUMNS.replace("i < N", "i < N - 1"))
    declared = [
        'loops seidel from "a.c"',
        'transform turned of seidel from "b.c"::kernel',
        'transform back of turned from "a.c"::seidel',
        '@expect(refuted)\ntransform short of turned from "short.c"::kernel',
        'transform of_own of own from "b.c"::kernel',
    ]
    (tmp_path / "a.rw").write_text(OWN + "\n".join(declared) + "\n")
    status, report = check(tmp_path)
    assert [verdict for *_, verdict in results(report)] == ["proved"] * 4 + ["refuted", "proved"]
    assert status == 0
    (found,) = report["results"][4]["diagnostics"]
    assert (found["code"], found["file"]) == ("RW502", "short.c")
    assert {each["file"] for each in found["related"]} == {"b.c", "short.c"}


def test_what_is_wrong_with_a_declaration_of_a_nest_from_a_file_is_said_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PLAIN)
    declared = {
        'loops nowhere from "absent.c"::f': "RW130",
        'loops unnamed from "a.c"::absent': "RW101",
        'loops seidel(N) from "a.c"': "RW117",
        'loops wrongly from "a.c"::seidel<8>': "RW117",
        'loops plain from "a.c"::seidel { array A: f64 }': "RW205",
    }
    for text, code in declared.items():
        (tmp_path / "a.rw").write_text(text + "\n")
        status, report = check(tmp_path, "a.rw")
        (result,) = report["results"]
        assert [each["code"] for each in result["diagnostics"]] == [code], text
        assert status == 1


PARAMETRIC = SEIDEL.replace("tiled of seidel", "tiled(B) of seidel at B = 2, 8").replace("32", "B")
PARAMETRIC = PARAMETRIC.replace("int N, double A[N][N]) {\n  for", "int N, int B, double A[N][N]) {\n  for")


def test_tile_sizes_are_listed_in_the_pragma_or_in_a_declaration(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PARAMETRIC)
    (tmp_path / "b.c").write_text(PARAMETRIC.replace("jj + B", "jj + B + 1").replace(" at B", " at N = 4, B"))
    (tmp_path / "a.rw").write_text('loops own from "a.c"::seidel\ntransform t(B) of own from "a.c"::seidel_tiled\n')
    status, report = check(tmp_path)
    assert status == 1
    found = {(each["file"], each["name"]): each for each in report["results"]}
    listed, refuted, opened = found["a.c", "tiled"], found["b.c", "tiled"], found["a.rw", "t"]
    assert listed["coverage"]["text"] == "B = 2, 8; all sizes, T, N >= 1" and listed["verdict"] == "proved"
    assert opened["coverage"]["text"] == "B = 1, 2, 3, 4, 8, 32; all sizes, T, N >= 1" and opened["coverage"]["bounded"]
    assert refuted["verdict"] == "refuted" and "(first at B = 2, T = 1, N = 4)" in refuted["diagnostics"][0]["message"]


def test_what_is_wrong_with_tile_sizes_is_said(tmp_path: Path) -> None:
    wrong = {
        "tiled(N) of seidel at N = 8": "RW102",
        "tiled(A) of seidel at A = 8": "RW102",
        "tiled(B) of seidel at C = 8": "RW101",
        "tiled(B) of seidel at B = 0": "RW117",
        "tiled(B) of seidel at B": "RW205",
        "tiled(B) of seidel at 8": "RW205",
        "tiled() of seidel": "RW205",
        "tiled(BB) of seidel": "RW205",
        f"tiled(B) of seidel at B = {', '.join(map(str, range(1, 70)))}": "RW117",
    }
    for said, code in wrong.items():
        (tmp_path / "a.c").write_text(PARAMETRIC.replace("tiled(B) of seidel at B = 2, 8", said))
        status, report = check(tmp_path, "a.c")
        found = [each["code"] for result in report["results"] for each in result["diagnostics"]]
        found += [each["code"] for file in report["files"] for each in file["diagnostics"]]
        assert status and set(found) == {code}, (said, found)
    twice = "#pragma rewright transform again of tiled\n" + PARAMETRIC[PARAMETRIC.index("void seidel_tiled") :]
    (tmp_path / "a.c").write_text(PARAMETRIC + twice)
    _, report = check(tmp_path, "a.c")
    assert "which has tile sizes, is not supported yet" in report["results"][2]["diagnostics"][0]["message"]


def test_what_is_not_affine_is_run_at_each_tile_size(tmp_path: Path) -> None:
    spec = "#pragma rewright spec copy\nfor (int i = 0; i < N; i++) B[i] = A[i];\n"
    head = "(int N, int T, double A[N], double B[N]) {\n"
    turns = "int i = 0;\nwhile (i < N) { B[i] = A[i]; i = i + 1; }\n}\n"
    tiled = f"#pragma rewright transform tiled(T) of copy at T = 2\nvoid tiled{head}{turns}"
    (tmp_path / "a.c").write_text(f"void f{head}{spec}}}\n{tiled}")
    _, report = check(tmp_path, "a.c")
    _, result = report["results"]
    assert result["verdict"] == "checked"
    assert result["coverage"]["text"].startswith("T = 2; N up to ")
