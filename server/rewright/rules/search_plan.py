"""A look for a countermodel by other means, before the prover does what takes long.

Owns that it happens at most once for a question, and how what it finds ends the proof. Must not know where
countermodels come from.
"""

from __future__ import annotations

from rewright.rules.decision import Look, Refuted


class Noticed(Exception):
    """A countermodel was found while a proof was looked for."""

    def __init__(self, refuted: Refuted) -> None:
        super().__init__()
        self.refuted = refuted


class SearchPlan:
    """One question's searches, the cheapest first; none at all for a question that does not need any."""

    def __init__(self, *searches: Look) -> None:
        self._searches = searches

    def look(self) -> None:
        """Makes the searches if they were not made yet. Raises `Noticed` with the first countermodel."""
        searches, self._searches = self._searches, ()
        for search in searches:
            found = search()
            if found is not None:
                raise Noticed(found)
