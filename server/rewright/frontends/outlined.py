"""The kernels of a source by themselves, as every front end gives them: where each stands, and how it is launched.

Plain data. Must not know any language.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.emit.problem import Problem
from rewright.model.kernel import Kernel
from rewright.verdict import Finding, InSource


class KnownLaunch(Struct, frozen=True):
    """A launch that a document says: its declaration, how it is written, whether a verdict needs it.

    Calls are not needed beside launches that comments state: these say what the verdict is to speak of. `shown` is the
    launch with what its host variables stand for, in the words of the source's language; empty if a comment states it.
    """

    kernel: Kernel
    written: str
    is_needed: bool
    shown: str = ""


class SkippedLaunch(Struct, frozen=True):
    """A launch that is not run: how it is written, and why."""

    launch: str
    reason: str


class OutlinedKernel(Struct, frozen=True):
    """A kernel of a document: its name and where that stands, and a declaration for each launch that is known.

    `left_out` are those that are not declared, though the document has them. `budget` is the factor of the steps that
    it may take. `insert` is the byte at which a comment with a launch would go, `comment` such a comment, with its
    line's end; empty where it would not help.
    """

    name: str
    place: InSource
    launches: tuple[KnownLaunch, ...]
    left_out: tuple[SkippedLaunch, ...]
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    insert: int
    comment: str
    budget: int = 1

    @property
    def unlaunched(self) -> str:
        """Why no launch is known: what keeps the first call from being one; empty if there is no call."""
        return f"{self.left_out[0].launch}: {self.left_out[0].reason}" if self.left_out and not self.launches else ""

    @property
    def kernel(self) -> Kernel | None:
        """The declaration of the first launch, None if none is known."""
        return self.launches[0].kernel if self.launches else None


class Outline(Struct, frozen=True):
    """The kernels of a document in order, what is wrong outside of them, and the sources looked for, there or not."""

    kernels: tuple[OutlinedKernel, ...]
    problems: tuple[Problem, ...]
    read: tuple[str, ...]
