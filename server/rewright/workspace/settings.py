"""`rewright.toml`: what a project says about its own checks.

Everything about meaning stands here, so that editor and CI agree. Unknown keys and values of a wrong type are errors
at their place in the file, never ignored.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

USUAL_BUDGET = 1
USUAL_MEMORY = 4096


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a workspace.

    `budget` multiplies the usual steps of every question; `memory` is the limit of one worker in MiB; `include` are the
    folders that sources may include from and `define` the macros they see, as name and text.
    """

    budget: int = USUAL_BUDGET
    memory: int = USUAL_MEMORY
    include: tuple[str, ...] = ()
    define: tuple[tuple[str, str], ...] = ()


class SettingsError(ValueError):
    """`rewright.toml` cannot be used; the text says why."""


def load(root: Path) -> Settings:
    """The settings of the workspace at `root`, the usual ones where there is no file. Raises `SettingsError`."""
    path = root / "rewright.toml"
    if not path.is_file():
        return Settings()
    try:
        return _settings(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{path}: {error}") from error
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error


def _settings(table: dict[str, Any]) -> Settings:
    _only(table, {"check", "sources"}, "the file")
    check, sources = table.get("check", {}), table.get("sources", {})
    _only(check, {"budget", "memory"}, "`check`")
    _only(sources, {"include", "define"}, "`sources`")
    define = sources.get("define", {})
    include = sources.get("include", [])
    if not (isinstance(include, list) and all(isinstance(item, str) for item in include)):
        raise SettingsError("`include` must be a list of folders")
    if not (isinstance(define, dict) and all(isinstance(item, str | int) for item in define.values())):
        raise SettingsError("`define` must map names to texts or numbers")
    return Settings(
        budget=_positive(check, "budget", USUAL_BUDGET),
        memory=_positive(check, "memory", USUAL_MEMORY),
        include=tuple(include),
        define=tuple((name, str(text)) for name, text in define.items()),
    )


def _only(table: Any, known: set[str], where: str) -> None:
    if not isinstance(table, dict):
        raise SettingsError(f"{where} must be a table")
    for key in table:
        if key not in known:
            raise SettingsError(f"unknown key `{key}` in {where}; known are {', '.join(sorted(known))}")


def _positive(table: dict[str, Any], key: str, usual: int) -> int:
    value = table.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SettingsError(f"`{key}` must be a positive integer, got {value!r}")
    return value
