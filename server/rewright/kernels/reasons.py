"""Why something is not known of a kernel: a sentence, where, and of which sort.

Must not know the codes of diagnostics.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from rewright.verdict import Place


class Cause(Enum):
    """What keeps a kernel from being decided.

    construct: something that is not taken; inputs: no launch or contents are as required; steps: so many as are allowed
    are used up, more may be; size: a fixed limit is exceeded; atomics: threads may hand over data by what is not
    followed; floats: it depends on their last places.
    """

    CONSTRUCT = auto()
    INPUTS = auto()
    STEPS = auto()
    SIZE = auto()
    ATOMICS = auto()
    FLOATS = auto()


class Reason(NamedTuple):
    """Why something is not known, where if at one place, and of which sort that is."""

    text: str
    place: Place | None = None
    cause: Cause = Cause.CONSTRUCT
