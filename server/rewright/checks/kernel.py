"""Answers the question of a kernel: runs its program, replays what went wrong, says what was covered.

Invariant: a violation is told only after it was replayed. The first error that is found replays, and so do writes of
equal values in a kernel that is checked; what does not is an internal error, unless it depends on the last places of
floats. Later errors may be consequences of the first, and are left out when they do not replay. Must not know files or
texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rewright.checks.kernel_coverage import coverage
from rewright.checks.kernel_findings import finding, place_of, witness
from rewright.checks.kernel_question import KernelPayload, refused
from rewright.checks.needless import needless
from rewright.kernels.execution.taint import FLOAT_FUNCTIONS
from rewright.kernels.launches.search import Found, Searched, search
from rewright.kernels.lowering.own import lower_own
from rewright.model.body import Body
from rewright.model.kernel import Kernel
from rewright.model.simt.program import Program
from rewright.model.simt.wire import unwired
from rewright.replay.kernel.outcome import Outcome, Replayed
from rewright.replay.kernel.replayed import replay
from rewright.verdict import NOTHING, Answer, Finding, Method, Place, Severity, Site, Verdict

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

STEPS_PER_RUN_STEP = 100
"""Steps of the budget that one instruction of a whole group of threads costs."""

STEPS_PER_REPLAY_STEP = 2
"""Steps of the budget that one instruction of one thread costs in a replay."""

SHARE_OF_THE_UNDECIDED = 20
"""Warnings of a kernel that is not decided, which may run without end, get one part in so many of a replay's steps."""

MOST_FINDINGS = 20
"""Findings told at once."""


def answer_question(asked: KernelPayload, budget: Budget) -> Answer:
    """The answer to what is asked of a kernel."""
    if asked.program is not None:
        return answer(asked.kernel, unwired(asked.program), budget)
    assert isinstance(asked.kernel.body, Body)
    return answer(asked.kernel, lower_own(asked.kernel.body), budget)


def answer(kernel: Kernel, program: Program, budget: Budget) -> Answer:
    """The answer for a kernel, given what each of its threads runs."""
    searched = search(kernel, program, budget.steps // STEPS_PER_RUN_STEP)
    replaying = _Replaying(program, budget.steps // STEPS_PER_REPLAY_STEP)
    errors = [each for each in searched.found if each.is_error]
    warnings = [each for each in searched.found if not each.is_error]
    if errors:
        return _refuted(replaying, searched, (errors, warnings))
    if searched.undecided:
        replaying.steps //= SHARE_OF_THE_UNDECIDED
        told = replaying.told(replaying.replayed(warnings[:MOST_FINDINGS]))
        return _unknown(searched.undecided[0], searched.undecided[1] or Site(0), told)
    replayed = replaying.replayed(warnings[:MOST_FINDINGS])
    for each, again in replayed:
        if again.outcome is Outcome.FAILS:
            return _not_reproduced(each, program)
    findings = (*replaying.told(replayed), *needless(kernel, program, searched))
    return Answer(Verdict.CHECKED, coverage(searched), Method.EXECUTION, findings=findings)


class _Replaying:
    """Replays violations of one program, within so many steps in all."""

    def __init__(self, program: Program, steps: int) -> None:
        self.program = program
        self.steps = steps

    def replayed(self, violations: list[Found]) -> list[tuple[Found, Replayed]]:
        """What becomes of each with an equal share of the steps."""
        share = self.steps // max(len(violations), 1)
        return [(each, replay(self.program, each.setting, each.violation, share)) for each in violations]

    def told(self, replayed: list[tuple[Found, Replayed]]) -> tuple[Finding, ...]:
        """The findings of those that hold."""
        return tuple(finding(each, self.program, again) for each, again in replayed if again.outcome is Outcome.HOLDS)


def _unknown(reason: str, place: Place, told: tuple[Finding, ...] = ()) -> Answer:
    return Answer(Verdict.UNKNOWN, NOTHING, Method.EXECUTION, reason=reason, findings=(refused(reason, place), *told))


def _refuted(replaying: _Replaying, searched: Searched, found: tuple[list[Found], list[Found]]) -> Answer:
    (first, *others), warnings = found
    replayed = replay(replaying.program, first.setting, first.violation, replaying.steps)
    match replayed.outcome:
        case Outcome.FAILS:
            return _not_reproduced(first, replaying.program)
        case Outcome.TOO_LONG:
            return _unknown(f"a violation was found, but its replay takes more than {replaying.steps} steps", Site(0))
        case Outcome.HOLDS:
            told = (
                finding(first, replaying.program, replayed),
                *replaying.told(replaying.replayed([*others, *warnings][: MOST_FINDINGS - 1])),
            )
            return Answer(
                Verdict.REFUTED,
                coverage(searched),
                Method.EXECUTION,
                findings=told,
                witness=witness(first, replaying.program, replayed),
            )


def _not_reproduced(found: Found, program: Program) -> Answer:
    """Floats that control depends on may differ in the last places; otherwise execution and the replay disagree."""
    if _depends_on_floats(found, program):
        return _unknown("a violation was found that depends on the last places of floats", place_of(found.violation))
    reason = f"a violation that was found does not replay: {type(found.violation).__name__}"
    told = (Finding("RW901", Severity.ERROR, Site(0), (("detail", reason),)),)
    return Answer(Verdict.ERROR, NOTHING, Method.EXECUTION, reason=reason, findings=told)


def _depends_on_floats(found: Found, program: Program) -> bool:
    """Whether control or addresses depend on inputs of floats, or on functions of floats."""
    arrays = {str(made.name) for made in program.objects if made.type.is_float}
    scalars = {str(uniform.name) for uniform in program.uniforms if uniform.register.type.is_float}
    return not found.depends.isdisjoint(arrays | scalars | FLOAT_FUNCTIONS)
