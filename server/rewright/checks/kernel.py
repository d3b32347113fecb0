"""Answers the question of a kernel: lowers it, runs it, replays what went wrong, says what was covered.

Invariant: a violation is told only after it was replayed. The first one that is found always replays; one that does
not is an internal error. Later ones may be consequences of it, and are left out when they do not replay. Must not know
files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rewright.checks.kernel_coverage import coverage
from rewright.checks.kernel_findings import finding, refused, witness
from rewright.kernels.front import Problem, lower
from rewright.kernels.search import Found, Searched, search
from rewright.model.body import Body
from rewright.model.kernel import Kernel
from rewright.replay.race import Replay, replay_violation
from rewright.verdict import NOTHING, Answer, Finding, Method, Severity, Site, Verdict

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

STEPS_PER_RUN_STEP = 400
"""Steps of the budget that one instruction of a whole group of threads costs."""

STEPS_PER_REPLAY_STEP = 20
"""Steps of the budget that one step of one thread costs in a replay."""

MOST_FINDINGS = 20
"""Findings told at once."""


def answer(kernel: Kernel, sources: Mapping[str, str], budget: Budget) -> Answer:
    """The answer for a kernel, given the texts of the sources that it names."""
    program, problems = lower(kernel, sources)
    if program is None:
        findings = tuple(refused(problem.reason, problem.place) for problem in problems)
        return Answer(Verdict.UNKNOWN, NOTHING, reason=problems[0].reason, findings=findings)
    searched = search(kernel, program, budget.steps // STEPS_PER_RUN_STEP)
    if searched.found:
        return _refuted(kernel, program, searched, budget.steps // STEPS_PER_REPLAY_STEP)
    if searched.undecided:
        return _unknown(Problem(searched.undecided[0], searched.undecided[1] or Site(0)))
    return Answer(Verdict.CHECKED, coverage(searched), Method.EXECUTION)


def _unknown(problem: Problem) -> Answer:
    return Answer(
        Verdict.UNKNOWN,
        NOTHING,
        Method.EXECUTION,
        reason=problem.reason,
        findings=(refused(problem.reason, problem.place),),
    )


def _refuted(kernel: Kernel, program: Body, searched: Searched, steps: int) -> Answer:
    first, *others = searched.found
    match replay_violation(program, first.setting, first.violation, steps):
        case Replay.FAILS:
            return _not_reproduced(first)
        case Replay.TOO_LONG:
            return _unknown(Problem(f"a violation was found, but its replay takes more than {steps} steps", Site(0)))
        case Replay.HOLDS:
            told = (finding(kernel, first), *_replayed(kernel, program, others[: MOST_FINDINGS - 1], steps))
            return Answer(
                Verdict.REFUTED,
                coverage(searched),
                Method.EXECUTION,
                findings=told,
                witness=witness(first),
            )


def _not_reproduced(found: Found) -> Answer:
    """An error of ours: lockstep execution and the replay disagree."""
    reason = f"a violation that was found does not replay: {type(found.violation).__name__}"
    told = (Finding("RW901", Severity.ERROR, Site(0), (("detail", reason),)),)
    return Answer(Verdict.ERROR, NOTHING, Method.EXECUTION, reason=reason, findings=told)


def _replayed(kernel: Kernel, program: Body, others: list[Found], steps: int) -> tuple[Finding, ...]:
    """The findings of further violations, those that replay within an equal share of the steps."""
    share = steps // max(len(others), 1)
    return tuple(
        finding(kernel, each)
        for each in others
        if replay_violation(program, each.setting, each.violation, share) is Replay.HOLDS
    )
