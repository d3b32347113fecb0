"""`rewright.toml`: what it says is used, what it does not mean is refused."""

import os
import re
from pathlib import Path

import pytest

from rewright.workspace.settings import KernelSettings, Settings, SettingsError, in_editor, load
from rewright.workspace.sources import workspace_root

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "settings.md"


def test_without_a_file_the_usual_settings_hold(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings()


def test_the_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "rewright.toml").write_text("[check]\nbudget = 3\nmemory = 512\nstrict = true\n")
    assert load(tmp_path) == Settings(budget=3, memory=512, strict=True)


@pytest.mark.parametrize(
    ("target", "reason"),
    [("/dev/zero", "is not a regular file"), ("nowhere", "No such file"), ("rewright.toml", "symbolic links")],
)
def test_a_link_that_leads_to_no_file_is_reported(target: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "rewright.toml").symlink_to(target)
    with pytest.raises(SettingsError, match=reason):
        load(tmp_path)
    assert workspace_root(tmp_path / "a" / "b.rw") == tmp_path


def test_what_is_no_file_is_reported(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rewright.toml")
    with pytest.raises(SettingsError, match="is not a regular file"):
        load(tmp_path)
    (tmp_path / "rewright.toml").unlink()
    (tmp_path / "rewright.toml").write_text("#" * (1 << 20) + "\n")
    with pytest.raises(SettingsError, match="more than the 1 MiB that are read"):
        load(tmp_path)


def test_in_an_editor_limits_are_only_lowered() -> None:
    kernels = KernelSettings(define=(("N", "4"),))
    assert in_editor(Settings(1000, 1 << 20, kernels)) == Settings(1, 4096, kernels)
    assert in_editor(Settings(1, 512)) == Settings(1, 512)


def test_kernels_have_folders_and_macros(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "third_party" / "x").mkdir(parents=True)
    (tmp_path / "linked").symlink_to("include")
    (tmp_path / "rewright.toml").write_text(
        '[kernels]\ninclude = ["third_party/x", "include", "linked", "."]\n'
        '[kernels.define]\nTILE = 16\nLESS = -1\nREAL = "long double"\nNOTHING = ""\nFAST = true\n'
    )
    assert load(tmp_path).kernels == KernelSettings(
        tuple(str(tmp_path.resolve() / name) for name in ("third_party/x", "include", "")),
        (("TILE", "16"), ("LESS", "-1"), ("REAL", "long double"), ("NOTHING", ""), ("FAST", "1")),
    )


def test_the_file_that_the_documents_show_is_right(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (tmp_path / "rewright.toml").write_text(block)
    with pytest.raises(SettingsError, match="`include` is not a folder"):
        load(tmp_path)
    for folder in ("include", "third_party/x"):
        (tmp_path / folder).mkdir(parents=True)
    assert load(tmp_path).kernels.define == (("TILE", "16"), ("REAL", "long double"), ("FAST", "1"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[check]\nbudgt = 3", "unknown key `budgt`"),
        ("[check]\nbudget = 0", "`budget` must be an integer from 1 to 1000, got 0"),
        ("[check]\nstrict = 1", "`strict` must be true or false, got 1"),
        ("[check]\nbudget = true", "`budget` must be an integer from 1 to 1000, got True"),
        ("[check]\nmemory = 64", "`memory` must be an integer from 512 to 1048576, got 64"),
        ("[check]\nmemory = 99999999999999999999", "`memory` must be an integer from 512 to 1048576"),
        ("check = 1", "`check` must be a table"),
        ("[chekc]", "unknown key `chekc`"),
        ("[check", "at end of document"),
        ("\xff", "rewright.toml"),
        ("[check]\nbudget = " + 5000 * "9", "digits"),
        ("kernels = 1", "`kernels` must be a table"),
        ("[kernels]\nincludes = []", "unknown key `includes` in `kernels`; known are define, include"),
        ('[kernels]\ninclude = "include"', "`include` must be a list of folders, got 'include'"),
        ("[kernels]\ninclude = [1]", "`include` must name folders, got 1"),
        ('[kernels]\ninclude = [""]', "`include` must name folders, got ''"),
        ('[kernels]\ninclude = ["a\\u0000b"]', "`include` must name folders"),
        (
            '[kernels]\ninclude = ["/usr/include"]',
            "`include`: `/usr/include` must be relative to the folder",
        ),
        ('[kernels]\ninclude = [".."]', "`include`: `..` is outside the workspace"),
        ('[kernels]\ninclude = ["inside/../../else"]', "`include`: `inside/../../else` is outside the workspace"),
        ('[kernels]\ninclude = ["way_out"]', "`include`: `way_out` is outside the workspace"),
        ('[kernels]\ninclude = ["not_there"]', "`include`: `not_there` is not a folder"),
        ('[kernels]\ninclude = ["rewright.toml"]', "`include`: `rewright.toml` is not a folder"),
        ("[kernels]\ndefine = 1", "`kernels.define` must be a table"),
        ("[kernels.define]\nTILE = 1.5", "`TILE` in `kernels.define` must be an integer, a string, or true, got 1.5"),
        (
            "[kernels.define]\nTILE = false",
            "`TILE` in `kernels.define` must be an integer, a string, or true, got False",
        ),
        ("[kernels.define]\nTILE.SIZE = 1", "`TILE` in `kernels.define` must be an integer, a string, or true, got {"),
        ("[kernels.define]\n'TILE(x)' = 1", r"`TILE\(x\)` in `kernels.define` is not a macro name"),
        ('[kernels.define]\nTILE = "a\\nb"', "`TILE` in `kernels.define` must stand for a text of one line"),
        ("[kernels.define]\nTILE = 0x" + 5000 * "f", "digits"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "way_out").symlink_to("..")
    (tmp_path / "rewright.toml").write_text(text, encoding="latin-1")
    with pytest.raises(SettingsError, match=reason):
        load(tmp_path)
