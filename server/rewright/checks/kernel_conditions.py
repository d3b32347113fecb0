"""What the errors of all launches of a kernel come to: which of them refute it, under which conditions it is right.

Must not know how conditions are found.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import replace

from rewright.checks.kernel_findings import LISTED_CELLS, listed
from rewright.checks.kernel_ruling import ONLY_CHOSEN, Ruling
from rewright.kernels.conditions.candidate import with_values
from rewright.kernels.conditions.inferring import Provided
from rewright.kernels.conditions.judging import Certain, Judged, Unexplained, judged
from rewright.kernels.conditions.provenance import chosen_names
from rewright.kernels.launches.results import key
from rewright.kernels.launches.search import search
from rewright.kernels.launches.several import LeftOut, ProgramLaunch, Ran, Shown, Together, shown_by
from rewright.model.simt.violation import Setting
from rewright.verdict import Condition, Finding, Severity
from rewright.verdict.diagnostics.kernels import WrongUnless

MOST_CHOSEN = 6
"""Values of a counterexample that a message names."""


def ruled(together: Together, steps: int, until: float = math.inf) -> tuple[Together, Ruling]:
    """What the errors come to, with at most so many steps; and the runs, those under conditions in their place."""
    together, spent_on_passed = _at_what_is_passed(together, steps, until)
    wrong = [each for each in together.ran if any(found.is_error for found in each.searched.found)]
    if not wrong:
        return together, Ruling()
    judgements = [(each.launch, *judged(each.launch, each.searched, steps // len(wrong), until)) for each in wrong]
    ruling = {launch: found for launch, found, _ in judgements}
    spent = sum(cost for _, _, cost in judgements) + spent_on_passed
    certain = tuple(each for each in together.shown if each.found.is_error and _refutes(each, ruling))
    if certain:
        return together, _ruling(certain, (), ruling, spent)
    together, ruling = _with_what_is_needed(together, ruling)
    if not all(isinstance(each, Provided) for each in ruling.values()):
        return together, _ruling((), (), ruling, spent)
    provided = [each for each in ruling.values() if isinstance(each, Provided)]
    conditions = dict.fromkeys(said for each in provided for said in each.conditions)
    ran = tuple(_under(each, ruling) for each in together.ran)
    undecided = next((each.searched.undecided for each in ran if each.searched.undecided is not None), None)
    return replace(together, ran=ran, undecided=undecided), _ruling((), tuple(conditions), ruling, spent)


def _ruling(
    certain: tuple[Shown, ...], conditions: tuple[Condition, ...], by_launch: Mapping[ProgramLaunch, Judged], steps: int
) -> Ruling:
    explained = (launch for launch, found in by_launch.items() if isinstance(found, Provided))
    return Ruling(certain, conditions, by_launch, frozenset(explained), steps)


def _at_what_is_passed(together: Together, steps: int, until: float) -> tuple[Together, int]:
    """The runs, launches with an error at the constants that the host passes in place of the smaller values.

    What goes wrong there rests on nothing chosen. Where that cannot be decided, the smaller values speak.
    """
    made, spent = [], 0
    for each in together.ran:
        passed = dict(each.launch.kernel.passed)
        if passed and any(found.is_error for found in each.searched.found):
            kernel = replace(with_values(each.launch.kernel, passed), passed=())
            launch = replace(each.launch, kernel=kernel)
            searched = search(launch.kernel, launch.program, steps, until)
            spent += searched.steps
            if searched.undecided is None or any(found.is_error for found in searched.found):
                made.append(Ran(launch, searched))
                continue
        made.append(each)
    if not spent:
        return together, 0
    undecided = next((each.searched.undecided for each in made if each.searched.undecided is not None), None)
    return replace(together, shown=shown_by(made), ran=tuple(made), undecided=undecided), spent


def _with_what_is_needed(
    together: Together, ruling: Mapping[ProgramLaunch, Judged]
) -> tuple[Together, dict[ProgramLaunch, Judged]]:
    """Without the launches that are wrong for values that nobody stated, if the verdict can do without them."""
    dropped = [
        each
        for each in together.ran
        if not each.launch.is_needed and isinstance(ruling.get(each.launch), Certain | Unexplained)
    ]
    kept = tuple(each for each in together.ran if each not in dropped)
    if not dropped or not kept:
        return together, dict(ruling)
    launches = [each.launch for each in dropped]
    undecided = next((each.searched.undecided for each in kept if each.searched.undecided is not None), None)
    left_out = (*together.left_out, *(LeftOut(each.written, ONLY_CHOSEN) for each in launches))
    shown = shown_by(kept)
    remaining = {launch: found for launch, found in ruling.items() if launch not in launches}
    return Together(shown, kept, left_out, undecided), remaining


def _refutes(shown: Shown, ruling: Mapping[ProgramLaunch, Judged]) -> bool:
    found = ruling.get(shown.launch)
    return isinstance(found, Certain) and key(shown.found.violation) in found.keys


def _under(ran: Ran, ruling: Mapping[ProgramLaunch, Judged]) -> Ran:
    """A launch with what was run of it under its conditions, if it has any."""
    found = ruling.get(ran.launch)
    return replace(ran, searched=found.searched) if isinstance(found, Provided) else ran


def under_conditions(reported: Finding, shown: Shown, ruling: Ruling) -> Finding:
    """The finding as a warning that says what must not hold for it, or what was chosen."""
    found = ruling.by_launch.get(shown.launch, Unexplained())
    broken = found.broken(shown.launch.kernel, shown.found.setting) if isinstance(found, Provided) else ()
    said = WrongUnless(reported.diagnosis, broken, tuple(_chosen(shown)))
    return replace(reported, diagnosis=said, severity=Severity.WARNING, unstated=())


def _chosen(shown: Shown) -> list[tuple[str, str]]:
    """The values of the counterexample that are not stated: of sizes and parameters, and of inputs that matter."""
    setting: Setting = shown.found.setting
    free = chosen_names(shown.launch.kernel)
    values = [(str(name), str(value)) for name, value in setting.values if name in free]
    known = {name for name, _ in setting.values}
    cells = [
        (str(name), listed(shown.launch.program, name, held, LISTED_CELLS))
        for name, held in setting.contents
        if name not in known and (str(name) in shown.found.depends or name in shown.found.unstated)
    ]
    return [*values, *cells][:MOST_CHOSEN]
