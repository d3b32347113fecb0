"""What is asked of a worker about a transform or a loop nest that was refuted: which changes of its text mend it.

Plain data, cheap to load. Must not know how a change is found or checked.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.fixes.generating.question import SourceLoops
from rewright.verdict import Edit

SUBJECT = "subject"
"""The path of the text that is changed."""


class LoopsSearch(Struct, frozen=True):
    """A declaration that was refuted: its text, after those of the declarations that it transforms.

    `items` are what the findings say would mend it, as `private s`; `sizes` are those at which it fails.
    """

    texts: tuple[str, ...]
    items: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]


class SourceLoopsSearch(Struct, frozen=True):
    """A nest of a source that was refuted; `items` and `sizes` are as of a declaration."""

    loops: SourceLoops
    items: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]


class LoopsFix(Struct, frozen=True):
    """A change with which a declaration was proved, or checked if its tile sizes are open: of its text, or a source."""

    title: str
    edits: tuple[Edit, ...]


class LoopsFixes(Struct, frozen=True):
    """The changes found, those to prefer first; `complete` unless the budget ended the search."""

    found: tuple[LoopsFix, ...]
    complete: bool
