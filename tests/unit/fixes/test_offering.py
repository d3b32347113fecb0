"""What is searched for, asked and offered: one plan and one fold, without workers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rewright.checks.table import questions
from rewright.engine import jobs
from rewright.engine.jobs import Outcome, Question, Reply
from rewright.fixes.kernels.question import OWN, KernelFix, KernelFixes, KernelSearch, OwnText
from rewright.fixes.offering import (
    FixSearch,
    KernelSubject,
    RuleSubject,
    after,
    begun,
    due,
    found_nothing,
    is_about,
    needs_fix,
    offered,
)
from rewright.fixes.preconditions.edits import RuleText
from rewright.fixes.preconditions.question import RuleFix, RuleFixes, RuleSearch
from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.report.document import Diagnostic, Located, Progress, QuestionState, Result, Sites
from rewright.rules.decision import Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import (
    NOTHING,
    AccessKind,
    Answer,
    Edit,
    Failure,
    Finding,
    Fix,
    InSource,
    Instance,
    Related,
    Role,
    RuleWitness,
    Severity,
    Site,
    Verdict,
)
from rewright.verdict.codec import decode, encode
from rewright.verdict.diagnostics.kernels import Act, NoArrayElement, Who

RULE = "rule r<T: any> { axes A; map n on A; tensor X: T[A: n]; reverse(X, A) => X }\n"
KERNEL = "kernel k { launch block(2); shared s: s32[2]; s[thread.x + 1] = 1 }\n"
ONE, NONE = RuleFix(("n <= 1",), 3, 9), RuleFix(("n == 0",), 1, 9)
WITNESS = RuleWitness(Failure.VALUE, "any", "=>", Instance(), (), "0", "1", (), replayed=True)
REFUTED = Answer(Verdict.REFUTED, NOTHING, witness=WITNESS)


def known(answer: Answer | None, key: str = "asked", found: tuple[Diagnostic, ...] = ()) -> Result:
    """What is known of a declaration with one question."""
    state = QuestionState(key, "", "", (), answer, Progress.UNCHECKED)
    verdict = None if answer is None else answer.verdict
    span = Span(0, 1)
    return Result(
        "a.rw",
        "r",
        "",
        span,
        span,
        verdict,
        (),
        as_expected=False,
        reason=None,
        questions=(state,),
        sites=Sites(0, ()),
        static=(),
        found=found,
    )


def rule(text: str = RULE, result: Result | None = None) -> RuleSubject:
    """The last declaration of a text."""
    parsed = parse(Text.of("a.rw", text))
    declared = check_file(parsed, lambda path: None).declarations[-1]
    return RuleSubject(RuleText(parsed.text, parsed.file.declarations[-1], declared), result or known(REFUTED))


def changed(text: Text) -> tuple[Question, ...]:
    """What the rule asks in a changed text: its key is the text itself."""
    value = rule(text.text).rule.declared.value
    assert isinstance(value, Rule)
    return tuple(Question(text.text, asked.payload) for asked in questions(value, Mode.NORMAL_FORMS))


def reply(key: str, answer: object) -> Outcome:
    return Reply(key, encode(answer), definite=True, milliseconds=1.0, cached=False)


def searched(subject: RuleSubject | KernelSubject, answer: object) -> FixSearch:
    """A search whose first question has come out."""
    search = begun(subject, lambda payload: "search")
    return after(search, reply("search", answer), changed)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, False),
        (Answer(Verdict.PROVED, NOTHING), False),
        (REFUTED, True),
        (replace(REFUTED, witness=replace(WITNESS, fails=Failure.VACUOUS)), False),
        (replace(REFUTED, witness=None), False),
    ],
)
def test_a_rule_needs_a_fix_that_an_input_refutes(answer: Answer | None, expected: bool) -> None:
    assert needs_fix(rule(result=known(answer))) is expected
    assert not needs_fix(rule(result=replace(known(answer), as_expected=True)))
    assert needs_fix(rule(RULE.replace(" }", "; where ? }"), known(None)))


def test_a_rule_s_fixes_are_asked_about_once_they_are_found_and_offered_once_they_are_proved() -> None:
    subject = rule()
    search = begun(subject, lambda payload: "search")
    (first,) = due(search)
    assert first.key == "search" and isinstance(decode(RuleSearch, first.payload), RuleSearch)
    search = after(search, reply("search", RuleFixes((NONE, ONE), complete=True)), changed)
    texts = [RULE.replace(" }", f"; where {fix.parts[0]} }}") for fix in (NONE, ONE)]
    assert [each.key for each in due(search)] == texts
    assert offered(search, subject, 0) == ()
    search = after(search, reply(texts[1], Answer(Verdict.PROVED, NOTHING)), changed)
    assert [each.key for each in due(search)] == texts[:1]
    end = len(RULE) - len(" }\n")
    (fix,) = offered(search, subject, 0)
    assert fix == Fix(
        "Add `where n <= 1` (keeps 3 of 9 small inputs)", (Edit(InSource("a.rw", end, end), "; where n <= 1"),)
    )
    search = after(search, reply(texts[0], REFUTED), changed)
    assert due(search) == ()
    assert offered(search, subject, 0) == (fix,)


def test_a_fix_moves_with_its_rule_and_goes_with_its_text_or_what_it_asks() -> None:
    search = searched(rule(), RuleFixes((ONE,), complete=True))
    for question in due(search):
        search = after(search, reply(question.key, Answer(Verdict.PROVED, NOTHING)), changed)
    before = "// Two lines\n// before it.\n"
    ((edit,),) = [fix.edits for fix in offered(search, rule(before + RULE), 0)]
    assert edit.place == InSource("a.rw", *[len(before) + len(RULE) - len(" }\n")] * 2)
    for other in (rule(RULE.replace("X }", "X; where n < 5 }")), rule(result=known(REFUTED, "imports changed"))):
        assert not is_about(search, other)
        assert offered(search, other, 0) == ()


@pytest.mark.parametrize("kind", list(jobs.FailureKind))
def test_what_was_not_answered_is_not_asked_again_nor_offered(kind: jobs.FailureKind) -> None:
    search = begun(rule(), lambda payload: "search")
    assert due(after(search, jobs.JobFailure("search", kind, ""), changed)) == ()
    search = searched(rule(), RuleFixes((ONE,), complete=True))
    (question,) = due(search)
    search = after(search, jobs.JobFailure(question.key, kind, ""), changed)
    assert due(search) == ()
    assert offered(search, rule(), 0) == ()


def test_it_is_said_in_how_many_steps_nothing_was_found() -> None:
    nothing = searched(rule(), RuleFixes((), complete=True, steps=9))
    assert found_nothing(nothing, rule()) == 9
    assert found_nothing(nothing, rule(RULE.replace("X }", "X; where n < 5 }"))) is None
    search = searched(rule(), RuleFixes((ONE,), complete=True, steps=9))
    assert found_nothing(search, rule()) is None
    for question in due(search):
        search = after(search, reply(question.key, Answer(Verdict.PROVED, NOTHING)), changed)
    assert found_nothing(search, rule()) is None


def test_a_fix_after_which_the_rule_asks_nothing_is_not_offered() -> None:
    search = begun(rule(), lambda payload: "search")
    search = after(search, reply("search", RuleFixes((ONE,), complete=True)), lambda text: ())
    assert due(search) == ()
    assert offered(search, rule(), 0) == ()


# --------------------------------------------------------------------------------------------------------- kernels


OUTSIDE = NoArrayElement(Act(Who((0,), None, ()), AccessKind.READ))


def kernel(start: int = 0, severity: Severity = Severity.ERROR, verdict: Verdict = Verdict.REFUTED) -> KernelSubject:
    """A kernel with three findings in its answer, told as two."""
    places = tuple(InSource(OWN, number, number + 1) for number in range(3))
    findings = tuple(Finding(OUTSIDE, severity, Site(number), (Related(Role.SECOND, Site(0)),)) for number in range(3))
    diagnostics = [Diagnostic("RW304", severity, "", Located("a.rw", Span(0, 1)), (), each) for each in ((0, 2), (1,))]
    result = known(Answer(verdict, NOTHING, findings=findings), found=tuple(diagnostics))
    return KernelSubject(OwnText(KERNEL), result, places, {OWN: ("a.rw", start)})


def test_a_kernel_needs_a_fix_that_is_refuted_or_has_something_that_is_not_needed() -> None:
    assert needs_fix(kernel())
    assert needs_fix(kernel(severity=Severity.HINT, verdict=Verdict.CHECKED))
    assert not needs_fix(kernel(severity=Severity.WARNING, verdict=Verdict.CHECKED))


def test_a_kernel_is_asked_about_at_places_of_its_texts() -> None:
    (question,) = due(begun(kernel(), lambda payload: "search"))
    asked: KernelSearch = decode(KernelSearch, question.payload)
    assert asked.kernel == OwnText(KERNEL)
    assert [each.place for each in asked.findings] == list(kernel().places)
    assert [each.related[0].place for each in asked.findings] == [kernel().places[0]] * 3


def test_a_kernel_s_fixes_are_offered_at_their_findings_where_the_kernel_stands() -> None:
    edit = Edit(InSource(OWN, 5, 6), "guarded")
    found = tuple(KernelFix(number, title, (edit,)) for number, title in ((2, "c"), (0, "a"), (1, "b"), (0, "d")))
    search = searched(kernel(), KernelFixes(found, complete=True))
    assert due(search) == ()
    assert [fix.title for fix in offered(search, kernel(), 0)] == ["a", "d", "c"]
    assert [fix.title for fix in offered(search, kernel(), 1)] == ["b"]
    assert offered(search, kernel(), 2) == () == offered(search, kernel(), -1)
    (fix,) = offered(search, kernel(start=100), 1)
    assert fix.edits == (Edit(InSource("a.rw", 105, 106), "guarded"),)
    other = replace(kernel(), kernel=OwnText(KERNEL.replace("1", "0")))
    assert offered(search, other, 1) == ()
