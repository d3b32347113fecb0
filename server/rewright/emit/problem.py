"""Why a front end gives no program: a sentence at a place. Must not know which language it is about."""

from __future__ import annotations

from typing import NamedTuple

from rewright.verdict import Place


class Problem(NamedTuple):
    """Why a kernel is not checked, as a sentence, and where."""

    reason: str
    place: Place
