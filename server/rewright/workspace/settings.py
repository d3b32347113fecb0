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

BUDGETS = range(1, 1001)
MEMORIES = range(512, (1 << 20) + 1)
"""MiB in which a worker can load what it needs and then work, up to more than a machine has."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a workspace.

    `budget` multiplies the usual steps of every question; `memory` is the limit of one worker in MiB.
    """

    budget: int = USUAL_BUDGET
    memory: int = USUAL_MEMORY


class SettingsError(ValueError):
    """`rewright.toml` cannot be used; the text says why."""


def load(root: Path) -> Settings:
    """The settings of the workspace at `root`, the usual ones where there is no file. Raises `SettingsError`."""
    path = root / "rewright.toml"
    if not path.is_file():
        return Settings()
    try:
        return _settings(tomllib.loads(path.read_text(encoding="utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{path}: {error}") from error
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error


def _settings(table: dict[str, Any]) -> Settings:
    _only(table, {"check"}, "the file")
    check = table.get("check", {})
    _only(check, {"budget", "memory"}, "`check`")
    return Settings(_among(BUDGETS, check, "budget", USUAL_BUDGET), _among(MEMORIES, check, "memory", USUAL_MEMORY))


def _only(table: Any, known: set[str], where: str) -> None:
    if not isinstance(table, dict):
        raise SettingsError(f"{where} must be a table")
    for key in table:
        if key not in known:
            raise SettingsError(f"unknown key `{key}` in {where}; known are {', '.join(sorted(known))}")


def _among(accepted: range, table: dict[str, Any], key: str, usual: int) -> int:
    value = table.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int) or value not in accepted:
        raise SettingsError(f"`{key}` must be an integer from {accepted[0]} to {accepted[-1]}, got {value!r}")
    return value
