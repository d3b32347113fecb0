"""What a search for preconditions, or for expressions in place of holes, comes to, as text.

Must not know how a fix becomes an edit.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewright.fixes.preconditions import holes as synthesis
from rewright.fixes.preconditions.question import RuleFix, RuleFixes
from rewright.fixes.preconditions.search import STEPS, preconditions
from rewright.fixes.preconditions.work import Limit
from rewright.fixes.preconditions.written import formula_text, index_text
from rewright.meaning.scope import NotCovered
from rewright.model.index import Name
from rewright.model.rule import RuleQuestion
from rewright.replay.elements import NotReplayable


def rule_fixes(questions: Sequence[RuleQuestion], holes: Sequence[Name]) -> RuleFixes:
    """Up to three preconditions with which all questions of a rule are proved, as text, the weakest first.

    For a rule with holes: expressions for these instead, in the holes' order.
    """
    limit = Limit.of(synthesis.STEPS if holes else STEPS)
    try:
        if holes:
            filled = (
                tuple(map(index_text, each.expressions)) for each in synthesis.synthesised(questions, holes, limit)
            )
            listed = tuple(RuleFix(parts, 0, 0) for parts in filled)
            return RuleFixes(listed, complete=not limit.work.guarded, steps=limit.work.steps)
        found = preconditions(questions, limit)
    except (NotReplayable, NotCovered):
        return RuleFixes((), complete=True)
    listed = tuple(RuleFix(tuple(map(formula_text, each.parts)), each.kept, each.of, each.weaker) for each in found)
    return RuleFixes(listed, complete=not limit.work.guarded, steps=limit.work.steps)
