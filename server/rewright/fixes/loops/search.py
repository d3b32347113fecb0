"""Changes of a transform or a loop nest with which it is proved: guessed, made, run, proved, and only then offered.

Invariant: a change is offered only if the changed declaration was proved, or checked where its tile sizes are open.
Most guesses fail when they are run at a few small sizes, so few are left to prove.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rewright.fixes.loops.candidates import KINDS, candidates
from rewright.fixes.loops.question import LoopsFix, LoopsFixes, LoopsSearch
from rewright.fixes.loops.skewing import skewed
from rewright.fixes.loops.texts import changed, read
from rewright.fixes.loops.trial import LoopsTrial

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

MOST = 600
"""Changes that are tried: some seconds."""


def loops_fixes(payload: LoopsSearch, budget: Budget) -> LoopsFixes:
    """The changes with which a declaration is proved: of each kind of change the first."""
    asked = read(payload.texts)
    if asked is None:
        return LoopsFixes((), complete=True)
    offered: dict[str, LoopsFix] = {}
    trial = LoopsTrial(payload.sizes, budget)
    tried = 0
    for candidate in candidates(asked, payload.items):
        if candidate.kind in offered:
            continue
        tried += 1
        if tried > MOST:
            break
        after = read(changed(payload.texts, candidate.edits))
        if after is not None and trial.is_right(after.value):
            offered[candidate.kind] = LoopsFix(candidate.title, candidate.edits)
    for candidate in () if offered.keys() - {"loops"} or tried > MOST else skewed(asked, payload.texts, budget):
        after = read(changed(payload.texts, candidate.edits))
        if candidate.kind not in offered and after is not None and trial.is_right(after.value):
            offered[candidate.kind] = LoopsFix(candidate.title, candidate.edits)
    found = sorted(offered.items(), key=lambda each: KINDS.index(each[0]))
    return LoopsFixes(tuple(fix for _, fix in found), tried <= MOST)
