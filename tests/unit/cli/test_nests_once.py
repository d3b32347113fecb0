"""A specification that is unchanged is analysed once, whichever files of a workspace name it."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import check_here

SOURCE = """void copy(int N, double A[N], double B[N]) {
#pragma scop
  for (int i = 0; i < N; i++) A[i] = B[i];
#pragma endscop
}

#pragma rewright transform backwards of copy
void copy_backwards(int N, double A[N], double B[N]) {
  for (int i = N - 1; i >= 0; i--) A[i] = B[i];
}
"""


def asked(folder: Path) -> dict[str, bool]:
    """Whether each nest of the folder was asked about anew."""
    said = check_here(folder, ".", "--format", "json", "--cache", str(folder / ".answers"))
    results = json.loads(said.stdout)["results"]
    assert all(each["verdict"] == "proved" for each in results), results
    return {each["name"]: not each["cached"] for each in results}


def test_a_specification_is_asked_about_once(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    assert asked(tmp_path) == {"copy": True, "backwards": True}
    (tmp_path / "a.c").write_text(SOURCE.replace("int i = N - 1; i >= 0; i--", "int i = 0; i <= N - 1; i++"))
    assert asked(tmp_path) == {"copy": False, "backwards": True}
    (tmp_path / "b.c").write_text("/* copied */\n" + SOURCE.partition("\n#pragma rewright")[0].replace("copy", "other"))
    assert asked(tmp_path) == {"copy": False, "backwards": False, "other": False}
