"""Who works for an editor's workspace."""

from __future__ import annotations

from dataclasses import dataclass

from rewright.engine.scheduler import Engine


@dataclass(frozen=True, slots=True)
class Engines:
    """One that checks, and one that lowers sources while they are typed."""

    checks: Engine
    front: Engine
