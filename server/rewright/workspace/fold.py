"""The fold of answers into a report: a pure function of a file's declarations and of what is known of their questions.

Owns how a declaration's verdict follows from its questions, and what was expected of it. Must not know where answers
come from or how they are shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.checks.table import Asked, restore
from rewright.engine.jobs import Outcome, Reply
from rewright.model.declaration_kind import ASKS_NOTHING
from rewright.model.declared import Declared, Expectation, accepted, accepted_overall
from rewright.model.file import Elsewhere
from rewright.model.foreign_graph import ForeignRefinement
from rewright.report import codes
from rewright.report.document import Diagnostic, Located, Progress, QuestionState, RelatedNote, Result, Sites
from rewright.report.phrases import unstated
from rewright.syntax.text import Span
from rewright.verdict import (
    Answer,
    Finding,
    InDeclaration,
    InSource,
    KernelWitness,
    Place,
    Role,
    Severity,
    Site,
    Verdict,
    has_errors,
    internal_error,
    worst,
)
from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.diagnostics.rules import NotDecided, NotNeeded
from rewright.workspace.chains import Chain, chains
from rewright.workspace.jobs import Planned
from rewright.workspace.lowering import failed


class KnownAnswers(Struct, frozen=True):
    """What is known of questions by their keys: outcomes, which are being worked on, and which texts are being lowered.

    While its changed text is lowered, which takes a moment, a kernel keeps what was known of it; but not once somebody
    waits for its verdict. `elsewhere` says where the other declarations stand that answers may speak of, by name.
    """

    outcomes: Mapping[str, Outcome]
    running: Collection[str]
    lowering: Collection[str] = ()
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)


class Standing(Protocol):
    """Where a declaration stands."""

    @property
    def start(self) -> int:
        """The offset that the spans of its sites count from."""

    @property
    def span(self) -> Span:
        """Its range in the file."""


def result(path: str, placed: Standing, planned: Planned, known: KnownAnswers) -> Result:
    """The result of the declaration that stands at `placed` in the file at `path`; a fault of ours is its verdict."""
    try:
        return _result(path, placed, planned, known)
    except Exception as error:
        return _faulty(path, placed, planned.declared, error)


def _faulty(path: str, placed: Standing, declared: Declared, error: Exception) -> Result:
    """The result of a declaration of which nothing is known but a fault of ours."""
    name = declared.sites[0].shifted(placed.start)
    said = internal_error(error)
    return Result(
        path=path,
        name=declared.name,
        kind=declared.kind,
        span=placed.span,
        name_span=name,
        verdict=Verdict.ERROR,
        expected=tuple(Verdict(word) for word in accepted_overall(declared)),
        as_expected=False,
        reason=said.detail,
        questions=(),
        sites=Sites(placed.start, declared.sites),
        static=(),
        found=(Diagnostic(said.code, Severity.ERROR, codes.sentence(said), Located(path, name)),),
    )


def _result(path: str, placed: Standing, planned: Planned, known: KnownAnswers) -> Result:
    declared = planned.declared
    places = _Places(path, placed, planned, known.elsewhere)
    states = _states(planned, known)
    static = tuple(places.diagnostic(finding) for finding in (*declared.findings, *planned.findings))
    verdict = _verdict(planned, states)
    witness = _kernel_witness(verdict, states)
    expectations = [accepted(declared, state.domain, state.direction) for state in states]
    fulfilled = all(_fulfilled(state, expectation) for state, expectation in zip(states, expectations, strict=True))
    overall = tuple(Verdict(word) for word in accepted_overall(declared))
    return Result(
        path=path,
        name=declared.name,
        kind=declared.kind,
        span=placed.span,
        name_span=declared.sites[0].shifted(placed.start),
        verdict=verdict,
        expected=overall,
        as_expected=fulfilled if states else verdict in overall or _quiet(declared, verdict),
        reason=_reason(planned, states),
        questions=states,
        sites=Sites(placed.start, declared.sites),
        static=static,
        found=_found(places, planned, states),
        moments=tuple(places.located(each.place) for each in witness.moments) if witness else (),
        opened=places.located(witness.opened) if witness and witness.opened else None,
    )


def _kernel_witness(verdict: Verdict | None, states: tuple[QuestionState, ...]) -> KernelWitness | None:
    """The counterexample of a kernel, if that is what gave the verdict."""
    for state in states:
        if state.answer is not None and state.answer.verdict is verdict:
            return state.answer.witness if isinstance(state.answer.witness, KernelWitness) else None
    return None


def _quiet(declared: Declared, verdict: Verdict | None) -> bool:
    """Whether nothing is asked of this kind and nothing is wrong with it."""
    return declared.kind in ASKS_NOTHING and verdict not in {Verdict.INVALID, Verdict.ERROR}


def _fault(planned: Planned) -> str | None:
    """What is reported of an internal error that kept a declaration from being understood, None if there was none."""
    said = (each.diagnosis for each in (*planned.declared.findings, *planned.findings))
    return next((each.detail for each in said if isinstance(each, InternalError)), None)


def _verdict(planned: Planned, states: tuple[QuestionState, ...]) -> Verdict | None:
    if _fault(planned) is not None:
        return Verdict.ERROR
    if planned.declared.has_errors or has_errors(planned.findings):
        return Verdict.INVALID
    if not states:
        return Verdict.UNKNOWN
    answers = [state.answer for state in states if state.answer is not None]
    return worst(answer.verdict for answer in answers) if len(answers) == len(states) else None


def _reason(planned: Planned, states: tuple[QuestionState, ...]) -> str | None:
    if (internal := _fault(planned)) is not None:
        return internal
    if planned.declared.unsupported:
        return planned.declared.unsupported[0].reason
    reasons = [state.answer.reason for state in states if state.answer is not None and state.answer.reason]
    return reasons[0] if reasons else None


def _states(planned: Planned, known: KnownAnswers) -> tuple[QuestionState, ...]:
    """The questions; of a kernel that is not lowered, the lowering in their place."""
    declared, lowering = planned.declared, planned.lowering
    if lowering is not None:
        awaited = lowering.question
        kept = awaited is not None and awaited.key in known.lowering and awaited.key not in known.running
        if awaited is not None and not (kept and (planned.asked or lowering.settled)):
            return (_lowering(declared, awaited.key, None, known),)
        if lowering.settled is not None:
            return (_lowering(declared, lowering.keys[-1], lowering.settled, known),)
    return tuple(_question(declared, asked, key, known) for asked, key in zip(planned.asked, planned.keys, strict=True))


def _lowering(declared: Declared, key: str, answer: Answer | None, known: KnownAnswers) -> QuestionState:
    expectation = tuple(Verdict(word) for word in accepted(declared, "", "").verdicts)
    progress = Progress.CHECKING if key in known.running else Progress.UNCHECKED
    return QuestionState(key, "", "", expectation, answer, progress)


def _question(declared: Declared, asked: Asked, key: str, known: KnownAnswers) -> QuestionState:
    expectation = accepted(declared, asked.domain, asked.direction)
    outcome = known.outcomes.get(key)
    progress = Progress.CHECKING if key in known.running else Progress.UNCHECKED
    answer = _answer(outcome, asked) if outcome is not None else None
    return QuestionState(
        id=key,
        domain=asked.domain,
        direction=asked.direction,
        expected=tuple(Verdict(word) for word in expectation.verdicts),
        answer=answer,
        progress=progress,
        milliseconds=outcome.milliseconds if outcome is not None else 0.0,
        cached=isinstance(outcome, Reply) and outcome.cached,
    )


def _answer(outcome: Outcome, asked: Asked) -> Answer | None:
    """What an outcome says about a question."""
    if isinstance(outcome, Reply):
        return restore(outcome.answer, asked.names)
    return failed(outcome)


def _fulfilled(state: QuestionState, expectation: Expectation) -> bool:
    if state.answer is None or state.answer.verdict not in expectation.verdicts:
        return False
    return expectation.code is None or any(finding.code == expectation.code for finding in state.answer.findings)


def _found(places: _Places, planned: Planned, states: tuple[QuestionState, ...]) -> tuple[Diagnostic, ...]:
    findings = [
        Finding(NotDecided(each.reason), Severity.INFORMATION, Site(each.site)) for each in planned.declared.unsupported
    ]
    findings += planned.lowering.remarks if planned.lowering is not None else ()
    return (*map(places.diagnostic, findings), *map(places.gathered, chains(tuple(_distinct(states)))))


def _distinct(states: tuple[QuestionState, ...]) -> Iterator[Finding]:
    """The findings of all questions; one that another domain has at the same place is reported once.

    What a proof does not need is reported only where no question needs it, whatever its type and direction.
    """
    reported: set[tuple[str, Place, str]] = set()
    unneeded = _unneeded_everywhere(states)
    for state in states:
        for finding in state.answer.findings if state.answer is not None else ():
            if isinstance(finding.diagnosis, NotNeeded):
                continue
            key = (finding.code, finding.place, state.direction)
            if not state.domain or key not in reported:
                reported.add(key)
                yield finding
    yield from unneeded


def _unneeded_everywhere(states: tuple[QuestionState, ...]) -> list[Finding]:
    """What none of the questions needs; nothing as long as one of them is open or not proved."""
    answers = [state.answer for state in states]
    by_question = [
        {finding.place: finding for finding in answer.findings if isinstance(finding.diagnosis, NotNeeded)}
        if answer
        else {}
        for answer in answers
    ]
    first, *others = by_question or [{}]
    return [finding for place, finding in first.items() if all(place in other for other in others)]


def _imported(planned: Planned) -> frozenset[str]:
    """Other declarations that are written in sources, of which places are numbered with those of this one."""
    asking = planned.lowering.asking if planned.lowering is not None else None
    among = asking.among if asking is not None else ()
    value = planned.declared.value
    graphs = (each.name for each in value.foreign) if isinstance(value, ForeignRefinement) else ()
    return frozenset((*among, *graphs))


class _Places:
    """Resolves the places of a declaration's findings and puts findings into words."""

    def __init__(self, path: str, placed: Standing, planned: Planned, elsewhere: Mapping[str, Elsewhere]) -> None:
        self._path = path
        self._placed = placed
        self._sites = planned.declared.sites
        self._lowering = planned.lowering
        self._sources = dict(planned.sources)
        self._elsewhere = elsewhere
        self._imported = _imported(planned)

    def diagnostic(self, finding: Finding) -> Diagnostic:
        related = tuple(
            RelatedNote(codes.related(finding.diagnosis, each.role), self.located(each.place))
            for each in finding.related
        )
        message = codes.message(finding) + unstated(finding.unstated)
        at = self.located(finding.place)
        related += tuple(self._written(finding.place, at))
        return Diagnostic(finding.code, finding.severity, message, at, related, unstated=finding.unstated)

    def _written(self, place: Place, at: Located) -> Iterator[RelatedNote]:
        """Where the model's own source says what stands in a source at a place."""
        asking = self._lowering.asking if self._lowering is not None else None
        number = self._site(place)
        for line in asking.lines if asking is not None else ():
            if line.site == number and line.path:
                yield RelatedNote(
                    "the model says this here", Located(self._sources[line.path], Span(line.start, line.end))
                )
            elif line.site == number:
                yield RelatedNote(f"the model says this in `{line.file}`, line {line.line}", at)

    def _site(self, place: Place) -> int | None:
        match place:
            case InDeclaration(name, number) if name in self._imported:
                return number
            case Site(number):
                return number
            case _:
                return None

    def gathered(self, chain: Chain) -> Diagnostic:
        """The first finding of a chain, related to the other places of all."""
        found = self.diagnostic(chain.findings[0])
        notes = {found.at: None} | {note.at: note for note in found.related}
        for finding in chain.findings[1:]:
            ends = [(finding.place, Role.FIRST), *((each.place, each.role) for each in finding.related)]
            for place, role in ends:
                at = self.located(place)
                notes.setdefault(at, RelatedNote(codes.related(finding.diagnosis, role), at))
        others = tuple(note for note in notes.values() if note is not None)
        return replace(found, related=others, answered=chain.numbers)

    def located(self, place: Place) -> Located:
        """Where a place is, in which file."""
        match place:
            case Site(number) if number >= len(self._sites) and self._lowering is not None:
                return self.located(self._lowering.places()[number - len(self._sites)])
            case Site(number):
                return Located(self._path, self._sites[number].shifted(self._placed.start))
            case InSource(path, start, end):
                return Located(self._sources[path], Span(start, end))
            case InDeclaration(name, number) if name in self._imported:
                return self.located(Site(number))
            case InDeclaration(name, number):
                other = self._elsewhere[name]
                return Located(other.uri, other.sites[number].shifted(other.start))
