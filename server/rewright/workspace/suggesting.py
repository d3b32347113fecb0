"""Fixes for refuted rules: searched for in a worker after the verdict is known, checked before they are offered.

Belongs to a workspace and its event loop. Invariants: a fix is offered only while the rule's text is the one that it
was made for, and after every question of the changed rule was proved; an edit kills the search for what it changes.
Must not know how a precondition is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rewright.checks.table import Asked, restore
from rewright.engine.jobs import Answered, Event, Job, Outcome, Question, Reply
from rewright.engine.keys import digest
from rewright.engine.scheduler import Engine
from rewright.engine.tickets import Ticket
from rewright.fixes.table import restore_suggestions, search
from rewright.model.declared import Declared
from rewright.model.rule import Rule
from rewright.report.document import Result
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Text
from rewright.verdict import Failure, Fix, RuleWitness, Suggestion, Verdict
from rewright.workspace.jobs import How, Planned, search_key_of
from rewright.workspace.mending import edited, edits, is_open, title
from rewright.workspace.sources import Reads, Unreadable
from rewright.workspace.tracked import Tracked, track

PRIORITY = -1
"""Searches and checks of fixes wait for everything that is asked for."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A precondition that was found, what the changed rule asks, and the keys that this is known by."""

    suggestion: Suggestion
    asked: tuple[Asked, ...]
    keys: tuple[str, ...]


@dataclass(slots=True)
class _Wanted:
    """A rule that a search is made for; `digest` is that of its text."""

    path: str
    name: str
    digest: str
    ticket: Ticket | None = None
    candidates: tuple[_Candidate, ...] = ()


class Suggesting:
    """The searches for the rules of a workspace's open files; `changed` is called with a path that has new fixes."""

    def __init__(self, engine: Engine, sources: Reads, how: How, changed: Callable[[str], None]) -> None:
        self._engine = engine
        self._sources = sources
        self._how = how
        self._changed = changed
        self._wanted: dict[tuple[str, str], _Wanted] = {}
        self._outcomes: dict[str, Outcome] = {}

    def consider(self, file: Tracked, results: Iterable[Result]) -> None:
        """Starts searches for those rules of a file that need one, and ends those that an edit has left behind."""
        refuted = {result.name for result in results if mendable(result)}
        needed = {
            planned.declared.name: (placed, planned)
            for placed, planned in _rules(file)
            if planned.declared.name in refuted or is_open(file.text, placed, planned.declared)
        }
        for (path, name), wanted in list(self._wanted.items()):
            if path == file.path and (name not in needed or needed[name][0].digest != wanted.digest):
                self._drop(wanted)
        for name, (placed, planned) in needed.items():
            if (file.path, name) not in self._wanted:
                self._search(file, placed, planned.declared)

    def offered(self, file: Tracked, name: str) -> tuple[Fix, ...]:
        """The fixes of a rule that were checked, for the text as it stands."""
        wanted = self._wanted.get((file.path, name))
        for placed, planned in _rules(file) if wanted is not None else ():
            if wanted is not None and planned.declared.name == name and placed.digest == wanted.digest:
                proved = [each for each in wanted.candidates if self._proved(each)]
                return tuple(_fixes(file, placed, planned.declared, proved))
        return ()

    def is_searching(self, path: str, name: str) -> bool:
        """Whether fixes of a rule are looked for, or checked, right now."""
        wanted = self._wanted.get((path, name))
        return wanted is not None and wanted.ticket is not None and not wanted.ticket.ended

    def make_way(self) -> None:
        """Ends the searches that are under way, for work that somebody waits for; they begin anew later."""
        for wanted in list(self._wanted.values()):
            if wanted.ticket is not None and not wanted.ticket.ended:
                self._drop(wanted)

    def stop(self) -> None:
        """Ends all searches."""
        for wanted in list(self._wanted.values()):
            self._drop(wanted)

    def _drop(self, wanted: _Wanted) -> None:
        self._wanted.pop((wanted.path, wanted.name), None)
        if wanted.ticket is not None:
            self._engine.cancel(wanted.ticket)

    def _search(self, file: Tracked, placed: Placed, declared: Declared) -> None:
        assert isinstance(declared.value, Rule)
        wanted = _Wanted(file.path, declared.name, placed.digest)
        self._wanted[file.path, declared.name] = wanted
        asked = search(declared.value)
        key = search_key_of(Rule, asked.payload)

        def take(event: Event) -> None:
            match event:
                case Answered(_, Reply() as reply) if self._current(wanted):
                    found = restore_suggestions(reply.answer, asked.names).found
                    self._check(wanted, tuple(_candidates(file, (placed, declared), found, (self._sources, self._how))))
                case _:
                    return

        job = Job(digest("search", file.path, declared.name), (Question(key, asked.payload),), 1, PRIORITY)
        wanted.ticket = self._engine.submit(job, take)

    def _check(self, wanted: _Wanted, candidates: tuple[_Candidate, ...]) -> None:
        """Asks what the changed rules ask."""
        wanted.candidates = candidates
        pairs = (pair for each in candidates for pair in zip(each.keys, each.asked, strict=True))
        questions = {key: Question(key, asked.payload) for key, asked in pairs}

        def take(event: Event) -> None:
            match event:
                case Answered(_, outcome):
                    self._outcomes[outcome.key] = outcome
                case _ if self._current(wanted):
                    self._changed(wanted.path)
                case _:
                    return

        if questions:
            job = Job(digest("fixes", wanted.path, wanted.name), tuple(questions.values()), 1, PRIORITY)
            wanted.ticket = self._engine.submit(job, take)

    def _current(self, wanted: _Wanted) -> bool:
        return self._wanted.get((wanted.path, wanted.name)) is wanted

    def _proved(self, candidate: _Candidate) -> bool:
        outcomes = [self._outcomes.get(key) for key in candidate.keys]
        return bool(outcomes) and all(
            isinstance(outcome, Reply) and restore(outcome.answer, asked.names).verdict is Verdict.PROVED
            for outcome, asked in zip(outcomes, candidate.asked, strict=True)
        )


def _rules(file: Tracked) -> Iterator[tuple[Placed, Planned]]:
    for placed, planned in zip(file.parsed.file.declarations, file.planned, strict=True):
        if isinstance(planned.declared.value, Rule):
            yield placed, planned


def mendable(result: Result) -> bool:
    """Whether a rule was refuted by an input that a precondition could exclude, and nobody expected that."""
    if result.verdict is not Verdict.REFUTED or result.as_expected:
        return False
    answers = (state.answer for state in result.questions if state.answer is not None)
    witnesses = [answer.witness for answer in answers if answer.verdict is Verdict.REFUTED]
    return any(isinstance(each, RuleWitness) and each.fails is not Failure.VACUOUS for each in witnesses)


def _candidates(
    file: Tracked, where: tuple[Placed, Declared], found: Iterable[Suggestion], reading: tuple[Reads, How]
) -> Iterator[_Candidate]:
    """Each suggestion with what the rule asks once it is applied."""
    placed, declared = where
    sources, how = reading
    for suggestion in found:
        text = edited(file.text, edits(file.text, placed, declared, suggestion))
        after = track(file.path, _Edited(sources, file.path, text), how, file)
        mended = () if isinstance(after, Unreadable) else after.planned
        for planned in mended:
            if planned.declared.name == declared.name:
                yield _Candidate(suggestion, planned.asked, planned.keys)


def _fixes(file: Tracked, placed: Placed, declared: Declared, found: Iterable[_Candidate]) -> Iterator[Fix]:
    for each in found:
        changes = edits(file.text, placed, declared, each.suggestion)
        yield Fix(title(each.suggestion), changes, tuple(asked.payload for asked in each.asked))


@dataclass(frozen=True, slots=True)
class _Edited:
    """Sources in which one file has another text."""

    sources: Reads
    path: str
    text: Text

    def read(self, path: str) -> Text | Unreadable:
        """The text of `path`, the changed one if it is the file's."""
        return self.text if path == self.path else self.sources.read(path)

    def resolve(self, named: str, by: str) -> str | Unreadable:
        """The path that the file `by` means when it names `named`."""
        return self.sources.resolve(named, by)
