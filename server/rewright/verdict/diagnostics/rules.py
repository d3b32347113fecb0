"""What is said of a rule whose questions were asked: RW201 to RW209."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from rewright.verdict.diagnosis import Diagnosis
from rewright.verdict.undecided import UnknownReason


class GivenInput(Struct, frozen=True):
    """The ranks of a counterexample by axis group, and the values of its maps, integers and scalars as text."""

    ranks: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, str], ...]


class ElementOrigin(StrEnum):
    """How one side comes to its element."""

    READ = "read"
    PADDING = "padding"
    CONSTANT = "constant"
    IOTA = "iota"
    COMPUTED = "computed"


class SideElement(Struct, frozen=True):
    """The element of one side: its value, and where it comes from as text, empty if the value is all."""

    value: str
    how: ElementOrigin
    source: str


class ValuesDiffer(Diagnosis, code="RW201"):
    """The sides differ at an element; `at` is its index by group of the result."""

    direction: Literal["=>", "<="]
    at: tuple[tuple[str, tuple[int, ...]], ...]
    left: SideElement
    right: SideElement
    given: GivenInput


class ShapesDiffer(Diagnosis, code="RW202"):
    """The sides have these sizes on one axis, as in "axis 0 of A"."""

    axis: str
    left: int
    right: int
    given: GivenInput


class SideNotValid(Diagnosis, code="RW203"):
    """The side that is claimed is not valid where the other one is."""

    side: Literal["left", "right"]
    reason: str
    given: GivenInput


class NothingSatisfies(Diagnosis, code="RW204"):
    """No input satisfies the preconditions."""


class NotDecided(Diagnosis, code="RW205"):
    """A question that was not decided."""

    reason: str


class RuleNotDecided(Diagnosis, code="RW205"):
    """A question of a rule that was not decided: one of the reasons there are, and in what words.

    Of sums that were compared: both, `left` and `right`, in the author's names, the terms of each without a partner,
    and the condition under which these are paired, empty if none was found.
    """

    why: UnknownReason
    reason: str
    left: str
    right: str
    unpaired_left: tuple[str, ...]
    unpaired_right: tuple[str, ...]
    fact: str


class NotNeeded(Diagnosis, code="RW206"):
    """The rule was proved without this."""

    what: Literal["precondition", "assumption"]


class OnlyEmptyResults(Diagnosis, code="RW207"):
    """Only inputs with an empty result satisfy the preconditions."""


class DefinedNowhere(Diagnosis, code="RW210"):
    """No element of the left side is defined, whatever the input is."""


class ExampleNotReplayed(Diagnosis, code="RW208"):
    """An example that was not replayed."""

    reason: str


class SecondOpinion(Diagnosis, code="RW209"):
    """What a second solver said: so many answers agree, these queries were not answered, each with the reason.

    `is_unconfirmed`: among these is one that would refute a proof.
    """

    agreed: int
    unanswered: tuple[str, ...]
    is_unconfirmed: bool
