"""What goes into the engine and what comes out: jobs and questions, replies and failures, events, limits.

Plain data. Invariant: each distinct key of a job has exactly one outcome when the job has ended. Must not know how
answers are found or kept, nor what they mean.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Question(Struct, frozen=True):
    """The unit of the cache: a key made by the caller, which says everything that decides, and JSON text to work on."""

    key: str
    payload: str


class Job(Struct, frozen=True):
    """The unit of scheduling: one declaration.

    `budget` counts the deciders' own steps and is handed to them. Jobs of a higher `priority` start first. A job
    supersedes a running one of the same `id`, under which the cost of its questions is also remembered.
    """

    id: str
    questions: tuple[Question, ...]
    budget: int
    priority: int = 0


class WorkerLimits(Struct, frozen=True):
    """What a worker may use: seconds of processor time per job, bytes of address space (None: no limit).

    On a busy machine a job takes longer by the clock and comes to the same. The clock only ends what hangs: after
    `patience` times as many seconds, and a worker that does not start within `start_seconds`. `niceness` is how far it
    gives way to other programs, an editor above all.
    """

    seconds: float = 60.0
    patience: float = 5.0
    memory: int | None = 2 << 30
    start_seconds: float = 60.0
    niceness: int = 10


class AnswerStanding(StrEnum):
    """How long an answer stands: for good, until it is asked for with a larger budget, or only for this time."""

    DEFINITE = "definite"
    BUDGET = "budget"
    PASSING = "passing"


class Decision(Struct, frozen=True):
    """What a worker's handler makes of a payload."""

    text: str
    standing: AnswerStanding


class Reply(Struct, frozen=True):
    """An answer, `cached` or just computed, and what computing it took. If not definite, more budget may help."""

    key: str
    answer: str
    definite: bool
    milliseconds: float
    cached: bool


class FailureKind(StrEnum):
    """Why the engine has no answer.

    crashed: the handler raised, or a worker died twice; time: the clock guard; memory: the memory limit;
    cancelled: the job was cancelled or superseded.
    """

    CRASHED = "crashed"
    TIME = "time"
    MEMORY = "memory"
    CANCELLED = "cancelled"


class JobFailure(Struct, frozen=True):
    """A question that ended without an answer; never kept. `detail` is for people: a traceback, a limit, a reason."""

    key: str
    kind: FailureKind
    detail: str
    milliseconds: float = 0.0


Outcome = Reply | JobFailure


class Answered(Struct, frozen=True):
    """One distinct key of a job has its outcome."""

    job: Job
    outcome: Outcome


class Ended(Struct, frozen=True):
    """All of a job has ended: one outcome per question, in the order of the questions."""

    job: Job
    outcomes: tuple[Outcome, ...]


Event = Answered | Ended
