"""Which fixes are searched for, and which of them are offered: one plan and one fold, for all kinds of declarations.

Values only: who asks keeps a `FixSearch` for each declaration, asks what is `due`, and takes each outcome with `after`.
Invariants: a fix is offered only for what it was made for, wherever in its file that stands by now, and only after
every question of the changed rule, refinement or transform was proved; that a fix in a source holds was checked where
it was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.table import Asked
from rewright.engine.jobs import Outcome, Question, Reply
from rewright.fixes.edited import edited
from rewright.fixes.generating.question import SourceLoops
from rewright.fixes.graphs.question import CALLED, PARTS, GraphFix, GraphFixes
from rewright.fixes.kernels.question import KernelFix, KernelFixes, KernelText
from rewright.fixes.loops.question import LoopsFix, LoopsFixes
from rewright.fixes.preconditions.edits import RuleText, edits, has_holes, title
from rewright.fixes.preconditions.question import RuleFix, RuleFixes
from rewright.fixes.questions import (
    graph_search,
    kernel_search,
    loops_search,
    restore_fixes,
    rule_search,
    source_loops_search,
)
from rewright.model.rule import Rule
from rewright.report.document import Result
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Text
from rewright.verdict import (
    Answer,
    Edit,
    Failure,
    Finding,
    Fix,
    InSource,
    LoopsWitness,
    Place,
    RuleWitness,
    Severity,
    Site,
    Verdict,
)
from rewright.verdict.codec import decode
from rewright.verdict.diagnostics.loops import AnotherOperation, IterationsInterfere, ReadOrWrittenTooSoon


class RuleSubject(Struct, frozen=True):
    """A rule in its file, and what is known of it."""

    rule: RuleText
    result: Result


class KernelSubject(Struct, frozen=True):
    """A kernel with the texts that it is made of, and what is known of it.

    `places` are those of its sites, in these texts. `files` says which file each text is of, and from which byte on.
    """

    kernel: KernelText
    result: Result
    places: tuple[Place, ...]
    files: Mapping[str, tuple[str, int]]


class GraphSubject(Struct, frozen=True):
    """A refinement, and what is known of it: where it and its graphs stand in their file, in the order of `PARTS`, and
    those that these call."""

    text: Text
    placed: tuple[Placed, Placed, Placed]
    result: Result
    called: tuple[tuple[str, Placed], ...] = ()

    @property
    def texts(self) -> tuple[str, str, str]:
        """The texts of the declarations."""
        first, second, third = (self.text.slice(each.span) for each in self.placed)
        return first, second, third

    @property
    def called_texts(self) -> tuple[tuple[str, str], ...]:
        """By name the texts of the graphs that these call."""
        return tuple((name, self.text.slice(each.span)) for name, each in self.called)


class LoopsSubject(Struct, frozen=True):
    """A loop nest or a transform, after the declarations that it transforms, and what is known of it."""

    text: Text
    placed: tuple[Placed, ...]
    result: Result

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the declarations."""
        return tuple(self.text.slice(each.span) for each in self.placed)


class SourceLoopsSubject(Struct, frozen=True):
    """A loop nest of a source at `path`, with the texts that it was read from, and what is known of it."""

    path: str
    loops: SourceLoops
    result: Result


Subject = RuleSubject | KernelSubject | GraphSubject | LoopsSubject | SourceLoopsSubject

Changed = Callable[[Text], tuple[Question, ...]]
"""What a rule asks once its file has another text."""


class FixCandidate(Struct, frozen=True):
    """A fix that was found, and the questions that must come out proved before it is offered."""

    found: RuleFix | KernelFix | GraphFix | LoopsFix
    questions: tuple[Question, ...]


class FixSearch(Struct, frozen=True):
    """How far the search for the fixes of a declaration has come.

    `question` is what is asked first; its symbols stand for `names`. `candidates` are what it found so far, of a
    rule in so many `steps`; `answered` and `proved` are keys.
    """

    subject: Subject
    question: Question
    names: tuple[str, ...]
    candidates: tuple[FixCandidate, ...] = ()
    answered: frozenset[str] = frozenset()
    steps: int = 0
    proved: frozenset[str] = frozenset()


# --------------------------------------------------------------------------------------------------------- the plan


def needs_fix(subject: Subject) -> bool:
    """Whether something is wrong and not expected that a fix may put right, or something is not needed."""
    match subject:
        case RuleSubject(rule, result):
            return needs_precondition(result) or has_holes(rule)
        case KernelSubject(result=result):
            unexpected = result.verdict is Verdict.REFUTED and not result.as_expected
            assumes = result.verdict is Verdict.CONDITIONAL and Verdict.CHECKED in result.expected
            return unexpected or assumes or any(found.severity is Severity.HINT for found in result.found)
        case GraphSubject(result=result) | LoopsSubject(result=result) | SourceLoopsSubject(result=result):
            return result.verdict is Verdict.REFUTED and not result.as_expected
        case _:
            assert_never(subject)


def needs_precondition(result: Result) -> bool:
    """Whether a rule was refuted by an input that a precondition could exclude, and this was not expected."""
    if result.verdict is not Verdict.REFUTED or result.as_expected:
        return False
    witnesses = [answer.witness for answer in _answers(result) if answer.verdict is Verdict.REFUTED]
    return any(isinstance(each, RuleWitness) and each.fails is not Failure.VACUOUS for each in witnesses)


def begun(subject: Subject, key_of: Callable[[str], str]) -> FixSearch:
    """The search for a declaration that needs a fix; `key_of` makes the key of its payload."""
    asked = _asked(subject)
    return FixSearch(subject, Question(key_of(asked.payload), asked.payload), asked.names)


def due(search: FixSearch) -> tuple[Question, ...]:
    """What is to be asked next; nothing once all that is to be known is known."""
    questions = (search.question, *(question for each in search.candidates for question in each.questions))
    return tuple({each.key: each for each in questions if each.key not in search.answered}.values())


def is_about(search: FixSearch, subject: Subject) -> bool:
    """Whether a declaration is still the one that the search was begun for."""
    return _stamp(search.subject) == _stamp(subject)


def _stamp(subject: Subject) -> tuple[object, ...]:
    """What a search rests on: texts, and what is asked."""
    keys = (state.id for state in subject.result.questions)
    match subject:
        case RuleSubject(rule):
            return (rule.placed.digest, *keys)
        case KernelSubject(kernel):
            return (kernel, *keys)
        case GraphSubject():
            return (subject.texts, subject.called_texts, *keys)
        case LoopsSubject():
            return (subject.texts, *keys)
        case SourceLoopsSubject(loops=loops):
            return (loops, *keys)
        case _:
            assert_never(subject)


def _asked(subject: Subject) -> Asked:
    match subject:
        case RuleSubject(rule):
            assert isinstance(rule.declared.value, Rule)
            return rule_search(rule.declared.value)
        case KernelSubject(kernel):
            return kernel_search(kernel, tuple(_findings(subject)))
        case GraphSubject():
            return graph_search(subject.texts, subject.called_texts)
        case LoopsSubject(result=result):
            return loops_search(subject.texts, tuple(_items(result)), _failing(result))
        case SourceLoopsSubject(loops=loops, result=result):
            return source_loops_search(loops, tuple(_items(result)), _failing(result))
        case _:
            assert_never(subject)


def _failing(result: Result) -> tuple[tuple[str, int], ...]:
    """The sizes at which a nest or a transform failed."""
    witnesses = (each.witness for each in _answers(result))
    return next((each.sizes for each in witnesses if isinstance(each, LoopsWitness)), ())


def _items(result: Result) -> Iterator[str]:
    """What findings of loop nests say would mend them."""
    for finding in (finding for answer in _answers(result) for finding in answer.findings):
        match finding.diagnosis:
            case (
                IterationsInterfere(remedy=item) | ReadOrWrittenTooSoon(allowing=item) | AnotherOperation(allowing=item)
            ) if item:
                yield item
            case _:
                pass


def _findings(subject: KernelSubject) -> Iterator[Finding]:
    """What the answers found, at places of the texts."""

    def located(place: Place) -> Place:
        return subject.places[place.number] if isinstance(place, Site) else place

    for finding in (finding for answer in _answers(subject.result) for finding in answer.findings):
        related = tuple(replace(each, place=located(each.place)) for each in finding.related)
        yield replace(finding, place=located(finding.place), related=related)


def _answers(result: Result) -> Iterator[Answer]:
    return (state.answer for state in result.questions if state.answer is not None)


# --------------------------------------------------------------------------------------------------------- the fold


def after(search: FixSearch, outcome: Outcome, changed: Changed) -> FixSearch:
    """The search once one of its questions has come out."""
    search = replace(search, answered=search.answered | {outcome.key})
    match outcome:
        case Reply(key=key, answer=answer) if key == search.question.key:
            steps = _steps(search, answer)
            return replace(search, candidates=tuple(_candidates(search, answer, changed)), steps=steps)
        case Reply(key=key, answer=answer) if decode(Answer, answer).verdict in _right(search.subject):
            return replace(search, proved=search.proved | {key})
        case _:
            return search


def _right(subject: Subject) -> tuple[Verdict, ...]:
    """What a changed declaration must come out as: of loops, one whose tile sizes are open is checked."""
    return (Verdict.PROVED, Verdict.CHECKED) if isinstance(subject, LoopsSubject) else (Verdict.PROVED,)


def _steps(search: FixSearch, answer: str) -> int:
    found = restore_fixes(answer, search.names)
    return found.steps if isinstance(found, RuleFixes) else 0


def found_nothing(search: FixSearch, subject: Subject) -> int | None:
    """In how many steps nothing was found that may be offered for a rule; None if something was, or may be yet."""
    if search.steps == 0 or due(search) or not is_about(search, subject) or offered(search, subject, 0):
        return None
    return search.steps


def _candidates(search: FixSearch, answer: str, changed: Changed) -> Iterator[FixCandidate]:
    match search.subject, restore_fixes(answer, search.names):
        case RuleSubject(rule), RuleFixes(found):
            for fix in found:
                questions = changed(_edited(rule.text, edits(rule, fix)))
                if questions:
                    yield FixCandidate(fix, questions)
        case GraphSubject(text=text), GraphFixes(found):
            for change in found:
                questions = changed(_edited(text, _of_graph(search.subject, change)))
                if questions:
                    yield FixCandidate(change, questions)
        case LoopsSubject(text=text), LoopsFixes(found):
            for fixed in found:
                questions = changed(_edited(text, _of_loops(search.subject, fixed)))
                if questions:
                    yield FixCandidate(fixed, questions)
        case SourceLoopsSubject(), LoopsFixes(found):
            yield from (FixCandidate(fixed, ()) for fixed in found)
        case _, KernelFixes(found):
            yield from (FixCandidate(fix, ()) for fix in found)


def _edited(text: Text, changes: Iterable[Edit]) -> Text:
    return Text.of(text.uri, edited({text.uri: text.text}, changes)[text.uri])


def offered(search: FixSearch, subject: Subject, finding: int) -> tuple[Fix, ...]:
    """The fixes that are known for a declaration as it stands; for a kernel, those of one of its `result.found`."""
    if not is_about(search, subject):
        return ()
    ready = [each.found for each in search.candidates if all(one.key in search.proved for one in each.questions)]
    match subject:
        case RuleSubject(rule):
            return tuple(Fix(title(fix), edits(rule, fix), fix.weaker) for fix in ready if isinstance(fix, RuleFix))
        case GraphSubject():
            return tuple(Fix(fix.title, _of_graph(subject, fix)) for fix in ready if isinstance(fix, GraphFix))
        case LoopsSubject():
            return tuple(Fix(fix.title, _of_loops(subject, fix)) for fix in ready if isinstance(fix, LoopsFix))
        case SourceLoopsSubject():
            return tuple(Fix(fix.title, _of_source(subject, fix)) for fix in ready if isinstance(fix, LoopsFix))
        case KernelSubject(result=result):
            numbers = result.found[finding].answered if 0 <= finding < len(result.found) else ()
            fixes = [fix for fix in ready if isinstance(fix, KernelFix)]
            return tuple(_of_kernel(subject, fix) for number in numbers for fix in fixes if fix.finding == number)
        case _:
            assert_never(subject)


def _of_graph(subject: Subject, fix: GraphFix) -> tuple[Edit, ...]:
    """A refinement's fix at its places in the file."""
    assert isinstance(subject, GraphSubject)
    starts: dict[str, int] = {part: each.span.start for part, each in zip(PARTS, subject.placed, strict=True)}
    starts |= {f"{CALLED}{name}": each.span.start for name, each in subject.called}
    found = []
    for each in fix.edits:
        assert isinstance(each.place, InSource)
        start = starts[each.place.path]
        found.append(Edit(InSource(subject.text.uri, each.place.start + start, each.place.end + start), each.text))
    return tuple(found)


def _of_loops(subject: Subject, fix: LoopsFix) -> tuple[Edit, ...]:
    """A fix of a nest or a transform at its places in the file."""
    assert isinstance(subject, LoopsSubject)
    start, path = subject.placed[-1].span.start, subject.text.uri
    places = ((each.place, each.text) for each in fix.edits if isinstance(each.place, InSource))
    return tuple(Edit(InSource(path, place.start + start, place.end + start), text) for place, text in places)


def _of_source(subject: SourceLoopsSubject, fix: LoopsFix) -> tuple[Edit, ...]:
    """A fix of a nest of a source, in its file."""
    places = ((each.place, each.text) for each in fix.edits if isinstance(each.place, InSource))
    return tuple(Edit(replace(place, path=subject.path), text) for place, text in places)


def _of_kernel(subject: KernelSubject, fix: KernelFix) -> Fix:
    """A kernel's fix at its places in files."""
    return Fix(fix.title, tuple(Edit(_in_file(subject, each.place), each.text) for each in fix.edits))


def _in_file(subject: KernelSubject, place: Place) -> InSource:
    assert isinstance(place, InSource)
    path, start = subject.files[place.path]
    return InSource(path, place.start + start, place.end + start)
