"""What is asked of a worker about a rule that is wrong or has holes: which preconditions, or expressions, are missing.

Plain data, cheap to load. Must not know how a precondition is found, nor where it goes in a text.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.rule import RuleQuestion
from rewright.verdict import Weaker


class RuleSearch(Struct, frozen=True):
    """What is asked for a rule without a precondition that it needs, or with maps that are `holes`.

    All of its questions are to be proved.
    """

    questions: tuple[RuleQuestion, ...]
    holes: tuple[Name, ...]


class RuleFix(Struct, frozen=True):
    """A precondition with which a rule was proved: its parts as text, and how many of so many small inputs it keeps.

    For a rule with holes, the expressions for these, and no inputs are counted. `weaker` ones do not do.
    """

    parts: tuple[str, ...]
    kept: int
    of: int
    weaker: tuple[Weaker, ...] = ()


class RuleFixes(Struct, frozen=True):
    """What a search found in so many steps, the weakest first; `complete` unless the clock ended it."""

    found: tuple[RuleFix, ...]
    complete: bool
    steps: int = 0
