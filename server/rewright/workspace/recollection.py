"""What is remembered of the files that are opened first: their verdicts are shown before anything is parsed.

Invariant: what is shown is what the workspace will say once it knows as much, for a record is believed only if all that
the sources were asked for it is as it was (`remembered`). Only files of rules are recalled: graphs and loop nests are
shown with more than a report holds, and of a source a worker says what it holds. Must not know protocol, nor parse.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rewright.engine.cache import Cache
from rewright.model.declaration_kind import DeclarationKind
from rewright.report.document import FileReport, Report, Result
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.workspace.ground import Ground
from rewright.workspace.remembered import Look, Made, Recalled, ReportMemory, decided_by
from rewright.workspace.sources import holds_declarations

if TYPE_CHECKING:
    from rewright.checks.kernel_question import SourceEntry

log = logging.getLogger(__name__)

SHOWN = frozenset({DeclarationKind.RULE, DeclarationKind.LEMMA})
"""The kinds of declarations of which a report holds all that is shown."""


class Recollection:
    """The open files of which everything is remembered."""

    def __init__(self, ground: Ground, cache: Cache) -> None:
        self._ground = ground
        self._cache = cache
        self._memory = ReportMemory(lambda path: decided_by(Mode.NORMAL_FORMS, ground.settings(path).kernels))
        self._recalled: dict[str, Recalled] = {}
        self._kept: dict[str, tuple[Look, ...]] = {}

    def open(self, path: str, text: Text) -> bool:
        """Opens a file; returns whether everything is remembered of it."""
        if not self._ground.sources.open_paths():
            self._ground.settle(path)
        self._ground.sources.open(path, text)
        if holds_declarations(path):
            try:
                found = self._memory.recall([path], self._ground.sources, self._cache)
            except Exception:  # it is read and asked then, as if for the first time
                log.exception("nothing is remembered of %s", path)
                found = {}
            self._recalled |= {each: recalled for each, recalled in found.items() if _is_shown(recalled)}
        return path in self._recalled

    def keep(self, made: Iterable[Made]) -> None:
        """Remembers these reports for the next time, as far as they can be shown from memory and are news."""
        try:
            news = [each for each in made if _is_shown(each) and self._kept.get(each.report.path) != each.looks]
            if news:
                self._memory.remember(news, self._cache)
                self._kept |= {each.report.path: each.looks for each in news}
        except Exception:  # it takes nothing from the answers
            log.exception("nothing will be remembered")

    def file(self, path: str) -> FileReport | None:
        """What is known of one file."""
        recalled = self._recalled.get(path)
        return recalled.report if recalled is not None else None

    def kernels(self, _: str) -> list[tuple[SourceEntry, tuple[Result, ...]]]:
        """The kernels of an open source: none, as nothing of a source is recalled."""
        return []

    def report(self) -> Report:
        """What is known of every file."""
        recalled = [self._recalled[path] for path in sorted(self._recalled)]
        return Report(
            tuple(each.report for each in recalled), {at: text for each in recalled for at, text in each.texts.items()}
        )

    def pending(self) -> int:
        """How many declarations are being checked: none."""
        return 0

    def unchecked(self) -> int:
        """How many declarations have no verdict: none."""
        return 0


def _is_shown(recalled: Recalled | Made) -> bool:
    return all(result.kind in SHOWN for result in recalled.report.results)
