"""Verdict, coverage and the answer to one question.

Invariant: a verdict names what it covers, and nothing bounded is called proved.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from rewright.verdict.finding import Finding
from rewright.verdict.witness import Witness


class Verdict(StrEnum):
    """The seven ways in which a question ends, best first. `CONDITIONAL` is checked, provided that something holds."""

    PROVED = "proved"
    CHECKED = "checked"
    CONDITIONAL = "conditional"
    UNKNOWN = "unknown"
    REFUTED = "refuted"
    INVALID = "invalid"
    ERROR = "error"


_BADNESS = {verdict: rank for rank, verdict in enumerate(Verdict)}


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a declaration that asked several questions: error first, proved last."""
    return max(verdicts, key=_BADNESS.__getitem__)


class Method(StrEnum):
    """What a verdict rests on."""

    NORMAL_FORM = "normal form"
    SOLVER = "solver"
    EXECUTION = "execution"
    REPLAY = "replay"
    TABLE = "table"
    SETS = "sets"


class Condition(Struct, frozen=True):
    """What must hold of sizes, parameters or contents that are not stated.

    `requires` says it as a requirement does, `short` without its bound indices (`0 <= t[i]`), `broken` that it does not
    hold (`t[i] < 0`). `declares` are arrays of unknown size that it speaks of, each with the type it is to be given.
    """

    requires: str
    short: str
    broken: str
    declares: tuple[tuple[str, str], ...] = ()


class Coverage(Struct, frozen=True):
    """What a verdict speaks for: `text` for people, whether it is bounded, and the assumptions it rests on.

    `conditions`: it speaks only for what satisfies these.
    """

    text: str
    bounded: bool
    method: str = "exact"
    assumptions: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()


NOTHING = Coverage("nothing", bounded=True)
"""What an answer speaks for that is no verdict on the whole: unknown, error."""


class HeldTensor(Struct, frozen=True):
    """What the ranks hold at a site of the distributed graph: the tensor at the site `of` of the sequential one.

    `parts` are the parts of the first ranks, in their order.
    """

    site: int
    of: int
    placements: str
    parts: tuple[str, ...]


class HeldTensors(Struct, frozen=True):
    """What is found of that, and the axes of the mesh, with how many ranks there are along each."""

    mesh: tuple[tuple[str, int], ...]
    tensors: tuple[HeldTensor, ...]


class Answer(Struct, frozen=True):
    """The answer to one question.

    `bound` maps each axis group to the rank at which the question was decided and is None where no bound was needed;
    `bound_reason` says per group why that rank suffices. `reason` is set for unknown and error. `correspondence` says
    which reduced indices of one side were found to correspond to which of the other. `replays`: on how many small
    inputs a proof was replayed before it was believed; None where it was not looked at, 0 where no input was found.
    `relation` gives each output of a sequential graph as an expression in the outputs of the one that refines it;
    `held` says what its ranks hold in between; `placed` by which placements they hold outputs under their own names,
    as a refinement states them, where these are the same on all meshes.
    """

    verdict: Verdict
    coverage: Coverage
    by: Method | None = None
    bound: tuple[tuple[str, int], ...] | None = None
    bound_reason: tuple[tuple[str, str], ...] = ()
    reason: str | None = None
    findings: tuple[Finding, ...] = ()
    witness: Witness | None = None
    correspondence: tuple[str, ...] = ()
    replays: int | None = None
    relation: tuple[tuple[str, str], ...] = ()
    held: HeldTensors | None = None
    placed: tuple[tuple[str, str], ...] = ()
