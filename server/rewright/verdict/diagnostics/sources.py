"""What is said of a foreign source and of the kernels in it that are not asked: RW130 to RW132."""

from __future__ import annotations

from rewright.verdict.diagnosis import Diagnosis


class UnreadableSource(Diagnosis, code="RW130"):
    """A source that a declaration names cannot be read."""

    path: str
    reason: str


class NoLaunchKnown(Diagnosis, code="RW131"):
    """A kernel of which no launch is known; `comment` is one that could stand above it, empty if none is known.

    `reason` is what keeps a call of it from being a launch that is known; empty if the source has no call.
    """

    kernel: str
    comment: str
    reason: str


class UnusableCommands(Diagnosis, code="RW132"):
    """A `compile_commands.json` that says nothing about a source, though it is the nearest one, and why."""

    reason: str
