"""Answers the question of a kernel: runs its program, replays what went wrong, says what was covered.

Invariant: a violation is reported only after it was replayed. The first error found replays, and so do writes of
equal values in a kernel that is checked; what does not is an internal error, unless it depends on the last places of
floats. Later errors may be consequences of the first, and are left out when they do not replay. Must not know files or
texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import process_time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rewright.checks.kernel_coverage import coverage, launch_of
from rewright.checks.kernel_findings import finding, place_of, urgency, witness
from rewright.checks.kernel_limits import MOST_SECONDS, MOST_SECONDS_WITH_REPLAY, SECONDS_PER_SECOND
from rewright.checks.kernel_question import KernelPayload, undecided
from rewright.checks.kernel_ruling import ONLY_CHOSEN, Ruling
from rewright.checks.needless import needless
from rewright.frontends.own.lower import lower_own
from rewright.kernels.execution.taint import FLOAT_FUNCTIONS
from rewright.kernels.launches.several import LeftOut, ProgramLaunch, Shown, Together, run_all
from rewright.kernels.reasons import Cause, Reason
from rewright.model.body import Body
from rewright.model.kernel import Kernel
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Violation
from rewright.model.simt.wire import unwired
from rewright.replay.kernel.outcome import Replayed, ReplayOutcome
from rewright.verdict import NOTHING, Answer, Finding, Method, Severity, Site, Verdict
from rewright.verdict.diagnostics.internal import InternalError

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

STEPS_PER_RUN_STEP = 100
"""Steps of the budget that one instruction of a whole group of threads costs. It takes 4 µs on average in the library's
kernels and up to 10 in large blocks, so the usual budget is used up after some seconds."""

STEPS_OF_RULING = 3
"""Times as many steps may be taken to find what errors come to, where they rest on what was chosen."""

STEPS_PER_REPLAY_STEP = 2
"""Steps of the budget that one instruction of one thread costs in a replay; it takes 0.2 µs on average in the
library's."""

SHARE_OF_THE_UNDECIDED = 20
"""Warnings of a kernel that is not decided, which may run without end, get one part in so many of a replay's steps."""

MOST_FINDINGS = 20
"""Findings reported at once."""


def answer_question(asked: KernelPayload, budget: Budget) -> Answer:
    """The answer to what is asked of a kernel."""
    if asked.program is None:
        assert isinstance(asked.kernel.body, Body)
        return answer(asked.kernel, lower_own(asked.kernel.body), budget)
    program = unwired(asked.program)
    further = (
        ProgramLaunch(
            each.kernel, program if each.program is None else unwired(each.program), each.written, each.is_needed
        )
        for each in asked.further
    )
    left_out = tuple(LeftOut(each.written, each.reason) for each in asked.left_out)
    return answer_launches((ProgramLaunch(asked.kernel, program, asked.written), *further), left_out, budget)


def answer(kernel: Kernel, program: Program, budget: Budget) -> Answer:
    """The answer for a kernel of one launch, given what each of its threads runs."""
    return answer_launches((ProgramLaunch(kernel, program),), (), budget)


def answer_launches(launches: Sequence[ProgramLaunch], left_out: tuple[LeftOut, ...], budget: Budget) -> Answer:
    """The answer for all launches of a kernel but those that are left out beforehand."""
    return answer_and_cost(launches, left_out, budget)[0]


def answer_and_cost(
    launches: Sequence[ProgramLaunch], left_out: tuple[LeftOut, ...], budget: Budget
) -> tuple[Answer, int]:
    """The same, and how many steps of the budget the runs took, replays aside."""
    start = process_time()
    until = start + min(SECONDS_PER_SECOND * budget.seconds, MOST_SECONDS)
    steps = budget.steps // STEPS_PER_RUN_STEP
    together = run_all(launches, steps, until)
    together = replace(together, left_out=(*together.left_out, *left_out))
    together, ruling = _ruled(together, STEPS_OF_RULING * steps, until)
    replaying = _Replaying(budget.steps // STEPS_PER_REPLAY_STEP, start + MOST_SECONDS_WITH_REPLAY)
    return _answer(together, ruling, replaying), (together.steps + ruling.steps) * STEPS_PER_RUN_STEP


def _ruled(together: Together, steps: int, until: float) -> tuple[Together, Ruling]:
    """What the errors come to. What finds that out is loaded only where there are some, as the replay is."""
    if not any(found.is_error for each in together.ran for found in each.searched.found):
        return together, Ruling()
    from rewright.checks.kernel_conditions import ruled

    return ruled(together, steps, until)


def _answer(together: Together, ruling: Ruling, replaying: _Replaying) -> Answer:
    certain = [each for each in together.shown if each in ruling.certain]
    assumed = _reported(ruling, [each for each in together.shown if each.found.is_error and each not in ruling.certain])
    warnings = [each for each in together.shown if not each.found.is_error]
    if certain:
        return _refuted(replaying, together, (certain, [*assumed, *warnings]), ruling)
    if assumed:
        return _assumed(replaying, together, (assumed, warnings), ruling)
    if together.undecided:
        replaying.steps //= SHARE_OF_THE_UNDECIDED
        return _unknown(together.undecided, _findings(replaying.replayed(warnings[:MOST_FINDINGS]), ruling))
    replayed = replaying.replayed(warnings[:MOST_FINDINGS])
    for each, again in replayed:
        if again.outcome is ReplayOutcome.FAILS:
            return _not_reproduced(each)
    findings = (*_findings(replayed, ruling), *needless(together))
    return Answer(Verdict.CHECKED, coverage(together), Method.EXECUTION, findings=findings)


def _reported(ruling: Ruling, assumed: Iterable[Shown]) -> list[Shown]:
    """What rests on values that were chosen; where no conditions explain it, the first of each kind."""
    reported: list[Shown] = []
    kinds: set[type[Violation]] = set()
    for each in assumed:
        kind = type(each.found.violation)
        if ruling.explains(each) or kind not in kinds:
            reported.append(each)
        kinds.add(kind)
    return reported


class _Replaying:
    """Replays violations, within so many steps in all, and none but the first after a processor time."""

    def __init__(self, steps: int, until: float) -> None:
        self.steps = steps
        self._until = until

    def replayed(self, violations: Sequence[Shown]) -> list[tuple[Shown, Replayed]]:
        """What becomes of each with an equal share of the steps."""
        share = self.steps // max(len(violations), 1)
        return [(each, self.once(each, share)) for each in violations if process_time() < self._until]

    def once(self, shown: Shown, steps: int) -> Replayed:
        """What becomes of one."""
        from rewright.replay.kernel.replayed import replay

        return replay(shown.launch.program, shown.found.setting, shown.found.violation, steps)


def _findings(replayed: Iterable[tuple[Shown, Replayed]], ruling: Ruling) -> tuple[Finding, ...]:
    """The findings of those that hold, the most urgent first; each of another launch than its names that.

    An error that refutes nothing, since it rests on what was chosen, is told as what it is: wrong under conditions.
    """
    holding = [each for each in replayed if each[1].outcome is ReplayOutcome.HOLDS]
    holding.sort(key=lambda each: (each[0] not in ruling.certain, *_urgency(each[0])))
    return tuple(
        _as_reported(
            finding(shown.found, shown.launch.program, again, _launch_beside(holding[0][0], shown)), shown, ruling
        )
        for shown, again in holding
    )


def _as_reported(reported: Finding, shown: Shown, ruling: Ruling) -> Finding:
    if not shown.found.is_error or shown in ruling.certain:
        return reported
    from rewright.checks.kernel_conditions import under_conditions

    return under_conditions(reported, shown, ruling)


def _urgency(shown: Shown) -> tuple[bool, int]:
    return not shown.found.is_error, urgency(shown.found.violation)


def _assumed(
    replaying: _Replaying, together: Together, found: tuple[list[Shown], list[Shown]], ruling: Ruling
) -> Answer:
    """The answer where what is wrong rests on what was chosen: right under conditions if some were found."""
    (first, *others), warnings = found
    warnings = _reported(ruling, warnings)
    replayed = replaying.once(first, replaying.steps)
    if replayed.outcome is ReplayOutcome.FAILS:
        return _not_reproduced(first)
    again = [(first, replayed), *replaying.replayed([*others, *warnings][: MOST_FINDINGS - 1])]
    reported = _findings(again, ruling)
    if not ruling.conditions or together.undecided:
        return _unknown(together.undecided or Reason(ONLY_CHOSEN, None, Cause.INPUTS), reported)
    covered = replace(coverage(together), conditions=ruling.conditions)
    shown = witness(first.found, first.launch.program, replayed) if reported else None
    return Answer(Verdict.CONDITIONAL, covered, Method.EXECUTION, findings=reported, witness=shown)


def _launch_beside(first: Shown, shown: Shown) -> str | None:
    """The launch of a violation, None if it is that of the first one, which the witness names."""
    mine, known = (launch_of(each.found.setting) for each in (shown, first))
    return None if mine == known else mine


def _unknown(reason: Reason, others: tuple[Finding, ...] = ()) -> Answer:
    findings = (undecided(reason), *others)
    return Answer(Verdict.UNKNOWN, NOTHING, Method.EXECUTION, reason=reason.text, findings=findings)


def _refuted(
    replaying: _Replaying, together: Together, found: tuple[list[Shown], list[Shown]], ruling: Ruling
) -> Answer:
    """The answer where something is wrong; what was found first is to replay, others may follow from it."""
    (first, *others), warnings = found
    replayed = replaying.once(first, replaying.steps)
    match replayed.outcome:
        case ReplayOutcome.FAILS:
            return _not_reproduced(first)
        case ReplayOutcome.TOO_LONG:
            reason = f"a violation was found, but its replay takes more than {replaying.steps} steps"
            return _unknown(Reason(reason, None, Cause.STEPS))
        case ReplayOutcome.HOLDS:
            pass
    again = [(first, replayed), *replaying.replayed([*others, *warnings][: MOST_FINDINGS - 1])]
    errors = [pair for pair in again if pair[0] in ruling.certain and pair[1].outcome is ReplayOutcome.HOLDS]
    shown, seen = min(errors, key=lambda pair: _urgency(pair[0]))
    return Answer(
        Verdict.REFUTED,
        coverage(together, [each.found.setting for each, _ in errors]),
        Method.EXECUTION,
        findings=_findings(again, ruling),
        witness=witness(shown.found, shown.launch.program, seen),
    )


def _not_reproduced(shown: Shown) -> Answer:
    """Floats that control depends on may differ in the last places; otherwise execution and the replay disagree."""
    violation = shown.found.violation
    if _depends_on_floats(shown):
        reason = "a violation was found that depends on the last places of floats"
        return _unknown(Reason(reason, place_of(violation), Cause.FLOATS))
    reason = f"a violation that was found does not replay: {type(violation).__name__}"
    findings = (Finding(InternalError(reason, None), Severity.ERROR, Site(0)),)
    return Answer(Verdict.ERROR, NOTHING, Method.EXECUTION, reason=reason, findings=findings)


def _depends_on_floats(shown: Shown) -> bool:
    """Whether control or addresses depend on inputs of floats, or on functions of floats."""
    program = shown.launch.program
    arrays = {str(name) for made in program.objects for name, scalar in made.inputs if scalar.is_float}
    scalars = {str(uniform.name) for uniform in program.uniforms if uniform.register.type.is_float}
    return not shown.found.depends.isdisjoint(arrays | scalars | FLOAT_FUNCTIONS)
