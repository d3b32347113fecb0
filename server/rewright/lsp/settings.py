"""What the user can set, from the `initialize` options and from changed configurations.

Invariant: whatever a client sends, the settings are valid; a value of the wrong kind leaves what was set before.
Everything about meaning stands in `rewright.toml` and not here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace


class Trigger(StrEnum):
    """When declarations are checked: when a file is opened or saved, after a pause in typing, too, or on command."""

    SAVE = "save"
    CHANGE = "change"
    MANUAL = "manual"


class UserSettings(Struct, frozen=True):
    """A user's settings. `workers` 0 means as many as there are cores; `memory` is what one worker may use, in MiB."""

    trigger: Trigger = Trigger.SAVE
    workers: int = 0
    memory: int = 4096
    verdict_hints: bool = True


def merged(settings: UserSettings, sent: Any) -> UserSettings:
    """The settings with what a client sent: `{"check": {"trigger", "workers", "memory"}, "inlayHints": {"verdicts"}}`.

    `sent` may stand under a key `rewright`, as in a changed configuration.
    """
    options = _table(sent)
    options = _table(options.get("rewright", options))
    check, hints = _table(options.get("check")), _table(options.get("inlayHints"))
    return replace(
        settings,
        trigger=_trigger(check.get("trigger"), settings.trigger),
        workers=_whole(check.get("workers"), 0, settings.workers),
        memory=_whole(check.get("memory"), 512, settings.memory),
        verdict_hints=_truth(hints.get("verdicts"), settings.verdict_hints),
    )


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _trigger(value: Any, before: Trigger) -> Trigger:
    return Trigger(value) if value in tuple(Trigger) else before


def _whole(value: Any, least: int, before: int) -> int:
    return value if type(value) is int and value >= least else before


def _truth(value: Any, before: bool) -> bool:
    return value if isinstance(value, bool) else before
