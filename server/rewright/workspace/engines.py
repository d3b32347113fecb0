"""Who works for an editor's workspace."""

from __future__ import annotations

from msgspec import Struct

from rewright.engine.scheduler import Engine


class Engines(Struct, frozen=True):
    """One that checks, and one that lowers sources while they are typed."""

    checks: Engine
    front: Engine
