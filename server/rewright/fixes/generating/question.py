"""What is asked of a worker that writes a nest in another order, and what it says.

Plain data, cheap to load. Must not know how an order is found, written or proved.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.checks.kernel_question import SourceText
from rewright.frontends.preset import NO_PRESET, Preset
from rewright.verdict import Verdict


class DeclaredLoops(Struct, frozen=True):
    """A nest in our own syntax: its text, after those of the declarations that it transforms.

    `taken` are the names of its file.
    """

    texts: tuple[str, ...]
    taken: tuple[str, ...]


class SourceLoops(Struct, frozen=True):
    """A nest of a source, by its name there; `sources` are the texts that it is made from, its own at `path`."""

    path: str
    nest: str
    sources: tuple[SourceText, ...]
    preset: Preset = NO_PRESET


class TransformRequest(Struct, frozen=True):
    """A nest that is to be written in another order: its steps as text, and the name it gets, None for any."""

    loops: DeclaredLoops | SourceLoops
    schedule: str
    name: str | None


class WrittenTransform(Struct, frozen=True):
    """A transform that was proved: its name, its text, what the proof covers, and what that assumes.

    The text is to be put at the byte `at` of the source, or of the declaration's own text. `is_unmarked` if loops of
    the nest are marked `parallel` and none of it is.
    """

    name: str
    text: str
    at: int
    verdict: Verdict
    coverage: str
    assumptions: tuple[str, ...]
    is_unmarked: bool

    @property
    def complete(self) -> bool:
        """Whether it stands for good."""
        return True


class OrderForbidden(Struct, frozen=True):
    """The dependence that forbids the order: operations in the order that they must have, where they meet, at which
    sizes.
    """

    first: str
    first_at: tuple[tuple[str, int], ...]
    second: str
    second_at: tuple[tuple[str, int], ...]
    kind: str
    array: str
    sizes: tuple[tuple[str, int], ...]

    @property
    def complete(self) -> bool:
        """Whether it stands for good."""
        return True


class NotWritten(Struct, frozen=True):
    """No transform was written, and why; `complete` unless a larger budget might help."""

    reason: str
    complete: bool


TransformReply = WrittenTransform | OrderForbidden | NotWritten
