"""`rewright.toml`: what it says is used, what it does not mean is refused."""

from pathlib import Path

import pytest

from rewright.workspace.settings import Settings, SettingsError, load


def test_without_a_file_the_usual_settings_hold(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings()


def test_the_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "rewright.toml").write_text("[check]\nbudget = 3\nmemory = 512\n")
    assert load(tmp_path) == Settings(budget=3, memory=512)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[check]\nbudgt = 3", "unknown key `budgt`"),
        ("[check]\nbudget = 0", "`budget` must be an integer from 1 to 1000, got 0"),
        ("[check]\nbudget = true", "`budget` must be an integer from 1 to 1000, got True"),
        ("[check]\nmemory = 64", "`memory` must be an integer from 512 to 1048576, got 64"),
        ("[check]\nmemory = 99999999999999999999", "`memory` must be an integer from 512 to 1048576"),
        ("check = 1", "`check` must be a table"),
        ("[chekc]", "unknown key `chekc`"),
        ("[check", "at end of document"),
        ("\xff", "rewright.toml"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "rewright.toml").write_text(text, encoding="latin-1")
    with pytest.raises(SettingsError, match=reason):
        load(tmp_path)
