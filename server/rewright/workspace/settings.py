"""`rewright.toml`: what a project says about its own checks.

Everything about meaning stands here, so that editor and CI agree. Unknown keys, values of a wrong type and folders that
are outside or not there are errors, never ignored.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rewright.engine import disk
from rewright.frontends.table import SETTINGS

LONGEST = 1 << 20
"""Bytes of the longest `rewright.toml` that is read."""

USUAL_BUDGET = 1
"""How many times the usual steps a question gets."""

USUAL_MEMORY = 4096
USUALLY_STRICT = False
"""MiB of one worker."""

BUDGETS = range(1, 1001)
MEMORIES = range(512, (1 << 20) + 1)
"""MiB in which a worker can load what it needs and then work, up to more than a machine has."""


class KernelSettings(Struct, frozen=True):
    """How sources of kernels are read.

    `include` are the folders in which included files are looked for, in order, as paths without symbolic links;
    `define` are macros with the texts that they stand for.
    """

    include: tuple[str, ...] = ()
    define: tuple[tuple[str, str], ...] = ()


NO_SETTINGS = KernelSettings()


class Settings(Struct, frozen=True):
    """The settings of a workspace.

    `budget` multiplies the usual steps of every question; `memory` is the limit of one worker in MiB. `strict`: on the
    command line, what is only right under conditions that are not stated is not as expected.
    """

    budget: int = USUAL_BUDGET
    memory: int = USUAL_MEMORY
    kernels: KernelSettings = NO_SETTINGS
    strict: bool = USUALLY_STRICT


class SettingsError(ValueError):
    """`rewright.toml` cannot be used; the text says why."""


def load(root: Path) -> Settings:
    """The settings of the workspace at `root`, the usual ones where there is no file. Raises `SettingsError`."""
    path = root / SETTINGS
    try:
        text = disk.read(path, LONGEST).data.decode("utf-8-sig")
        return _settings(tomllib.loads(text), root)
    except FileNotFoundError as error:
        if not os.path.lexists(path):
            return Settings()
        raise SettingsError(f"{path}: {error.strerror}") from error  # a link to nothing
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}") from error


def in_editor(settings: Settings) -> Settings:
    """What of a folder's settings holds in an editor: a folder that was opened can lower limits and not raise them."""
    return replace(settings, budget=min(settings.budget, USUAL_BUDGET), memory=min(settings.memory, USUAL_MEMORY))


def _settings(table: dict[str, Any], root: Path) -> Settings:
    _only(table, {"check", "kernels"}, "the file")
    check = table.get("check", {})
    _only(check, {"budget", "memory", "strict"}, "`check`")
    budget, memory = _among(BUDGETS, check, "budget", USUAL_BUDGET), _among(MEMORIES, check, "memory", USUAL_MEMORY)
    strict = check.get("strict", USUALLY_STRICT)
    if not isinstance(strict, bool):
        raise SettingsError(f"`strict` must be true or false, got {strict!r}")
    return Settings(budget, memory, _kernels(table.get("kernels", {}), root), strict)


def _kernels(table: Any, root: Path) -> KernelSettings:
    _only(table, {"include", "define"}, "`kernels`")
    named, defines = table.get("include", []), table.get("define", {})
    if not isinstance(named, list):
        raise SettingsError(f"`include` must be a list of folders, got {named!r}")
    if not isinstance(defines, dict):
        raise SettingsError("`kernels.define` must be a table")
    return KernelSettings(
        tuple(dict.fromkeys(_folder(each, root) for each in named)),
        tuple((name, _replacement(name, value)) for name, value in defines.items()),
    )


def _folder(named: Any, root: Path) -> str:
    """A folder of included files, which is inside the workspace whatever symbolic links it is reached by."""
    if not isinstance(named, str) or not named.strip() or "\0" in named:
        raise SettingsError(f"`include` must name folders, got {named!r}")
    if os.path.isabs(named):
        raise SettingsError(f"`include`: `{named}` must be relative to the folder of the file")
    inside, target = os.path.realpath(root), os.path.realpath(root / named)
    if os.path.commonpath([inside, target]) != inside:
        raise SettingsError(f"`include`: `{named}` is outside the workspace {inside}")
    if not os.path.isdir(target):
        raise SettingsError(f"`include`: `{named}` is not a folder")
    return target


def _replacement(name: str, value: Any) -> str:
    """The text that a macro stands for: as written, or 1 if it only is to be defined."""
    from rewright.frontends.preprocessor import unfit

    if value is not True and type(value) not in (int, str):
        raise SettingsError(f"`{name}` in `kernels.define` must be an integer, a string, or true, got {value!r}")
    text = "1" if value is True else str(value)
    reason = unfit(name, text)
    if reason is not None:
        raise SettingsError(f"`{name}` in `kernels.define` {reason}")
    return text


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
