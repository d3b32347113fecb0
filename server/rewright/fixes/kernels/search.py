"""Changes of a kernel's text that fix what is wrong with it: guessed, made, checked, and only then offered.

Invariant: a change is offered only if the changed kernel was checked to be free of the finding, and of any that the
kernel did not have before. Must not know how a change is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rewright.checks.kernel import answer_and_cost
from rewright.fixes.kernels.candidates import Candidate, candidates
from rewright.fixes.kernels.question import KernelFix, KernelFixes, KernelSearch, KernelText
from rewright.fixes.kernels.stating import stated
from rewright.fixes.kernels.texts import ReadKernel, changed, parameter_names, read, texts_of
from rewright.verdict import Answer, Edit, Finding, InSource, Place, Severity, Verdict
from rewright.verdict.diagnostics.kernels import WrongUnless

if TYPE_CHECKING:
    from rewright.rules.decision import Budget


CHANGE = 300_000
"""Steps that a change costs besides those of its runs: a text is read, and what is found is replayed."""


def kernel_fixes(payload: KernelSearch, budget: Budget) -> KernelFixes:
    """The changes of a kernel's text that fix a finding each: of each kind of change the first that does."""
    search = _Search(payload, budget)
    found = tuple(search.found())
    return KernelFixes(found, not search.late)


class _Search:
    """The search for one kernel, until half of the steps that an answer may take are used."""

    def __init__(self, payload: KernelSearch, budget: Budget) -> None:
        self._kernel = payload.kernel
        self._findings = payload.findings
        self._before = frozenset(map(_key, payload.findings))
        self._texts = texts_of(payload.kernel)
        self._declared = parameter_names(payload.kernel)
        self._budget = budget
        self._steps = budget.steps // 2
        self._tried: dict[tuple[Edit, ...], Answer | None] = {}
        self.late = False

    def found(self) -> Iterator[KernelFix]:
        """What fixes each finding."""
        for number, finding in enumerate(self._findings):
            offered: set[str] = set()
            for candidate in self._candidates(finding):
                if self._steps <= 0:
                    self.late = True
                    return
                if candidate.kind not in offered and self._fixes(candidate, finding):
                    offered.add(candidate.kind)
                    yield KernelFix(number, candidate.title, candidate.edits)

    def _candidates(self, finding: Finding) -> Iterator[Candidate]:
        """What may mend the kernel, then what states that it need not be mended."""
        yield from candidates(finding, self._texts, self._declared)
        yield from stated(finding, self._kernel)

    def _fixes(self, candidate: Candidate, finding: Finding) -> bool:
        if candidate.edits not in self._tried:
            self._tried[candidate.edits] = self._answer(changed(self._kernel, candidate.edits), candidate.edits)
        answer = self._tried[candidate.edits]
        if answer is None:
            return False
        after = {_key(each) for each in answer.findings if _is_wrong(each)}
        match answer.verdict:
            case Verdict.CHECKED:
                return True
            case Verdict.REFUTED | Verdict.CONDITIONAL:
                return after < self._before and _key(finding) not in after
            case _:
                return False

    def _answer(self, kernel: KernelText, edits: tuple[Edit, ...]) -> Answer | None:
        """What is said of the changed kernel, at places of the text before."""
        self._steps -= CHANGE
        after = read(kernel)
        if after is None:
            return None
        answer, steps = answer_and_cost(after.launches, (), self._budget)
        self._steps -= steps
        return _before(answer, after, edits)


def _before(answer: Answer, after: ReadKernel, edits: tuple[Edit, ...]) -> Answer:
    """An answer about a changed text, at places of the text before the change."""

    def back(place: Place) -> Place:
        return _moved_back(after.located(place), edits)

    findings = (
        replace(
            each,
            place=back(each.place),
            related=tuple(replace(note, place=back(note.place)) for note in each.related),
        )
        for each in answer.findings
    )
    return replace(answer, findings=tuple(findings))


def _is_wrong(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR or isinstance(finding.diagnosis, WrongUnless)


def _key(finding: Finding) -> tuple[str, frozenset[Place]]:
    """What makes two findings one: the code and the places."""
    return finding.code, frozenset((finding.place, *(note.place for note in finding.related)))


def _moved_back(place: Place, edits: tuple[Edit, ...]) -> Place:
    if not isinstance(place, InSource):
        return place
    made = [(edit.place, len(edit.text.encode())) for edit in edits if isinstance(edit.place, InSource)]
    shift = 0
    for at, length in sorted(made, key=lambda pair: pair[0].start):
        if at.path == place.path and at.start + shift + length <= place.start:
            shift += length - (at.end - at.start)
    return InSource(place.path, place.start - shift, place.end - shift)
