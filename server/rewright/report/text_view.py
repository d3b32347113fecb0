"""The report as lines for a terminal. Each line is a sequence of pieces with a tone; the command line colours them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import StrEnum

from rewright.report import intermediate, label, picture
from rewright.report.document import Diagnostic, FileReport, Report, Result
from rewright.report.faults import showing
from rewright.report.refinement_markdown import cause, element
from rewright.report.second_opinions import Opinions, opinions
from rewright.report.summary import Summary, counted, outside, summarise
from rewright.verdict import (
    Failure,
    KernelWitness,
    LoopsWitness,
    RefinementWitness,
    RuleWitness,
    Severity,
    SideTerms,
    Verdict,
)


class Tone(StrEnum):
    """How a piece of a line is to be read."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    UNSURE = "unsure"
    FAINT = "faint"
    TITLE = "title"


SAYS_TYPES = frozenset({Verdict.PROVED, Verdict.CHECKED})
"""Verdicts whose wording names the element types."""

Piece = tuple[str, Tone]
Line = tuple[Piece, ...]


def lines(report: Report, milliseconds: float, directory: str) -> Iterator[Line]:
    """The lines of a run that took so many milliseconds, paths relative to `directory`. Raises `Unshown`."""
    for file in report.files:
        yield from _file(report, file, directory)
    yield from _opinions(opinions(report))
    yield from _summary(summarise(report), milliseconds)


def declaration(report: Report, shown: tuple[FileReport, Result], directory: str) -> Iterator[Line]:
    """The lines of one result of a file, paths relative to `directory`."""
    return _result(report, shown, directory, 0)


def total(report: Report, milliseconds: float) -> str:
    """The last line: the counts and the outcome of a run that took so many milliseconds."""
    return "".join(text for line in _summary(summarise(report), milliseconds) for text, _ in line)


def _file(report: Report, file: FileReport, directory: str) -> Iterator[Line]:
    results = [result for result in file.results if counted(result)]
    if not results and not outside(file):
        return
    yield ((os.path.relpath(file.path, directory), Tone.TITLE),)
    with showing(file):
        for diagnostic in outside(file):
            yield from _diagnostic(report, diagnostic, directory)
    width = max((len(result.name) for result in results), default=0)
    for result in results:
        with showing(result):
            yield from _result(report, (file, result), directory, width)
    yield ()


def _result(report: Report, shown: tuple[FileReport, Result], directory: str, width: int) -> Iterator[Line]:
    file, result = shown
    yield _headline(result, width)
    yield from _assumptions(result)
    yield from _relation(result)
    for diagnostic in result.diagnostics:
        if _worth_a_line(result, diagnostic):
            yield from _diagnostic(report, diagnostic, directory)
    if result.verdict in {Verdict.REFUTED, Verdict.CONDITIONAL}:
        yield from _witness(result, file)


def _worth_a_line(result: Result, diagnostic: Diagnostic) -> bool:
    return diagnostic.severity in {Severity.ERROR, Severity.WARNING} or not result.as_expected


def _headline(result: Result, width: int) -> Line:
    verdict = result.verdict or Verdict.ERROR
    asked = "" if verdict in SAYS_TYPES else label.asked(result, verdict)
    cost = "cached" if result.questions and all(q.cached for q in result.questions) else ""
    cost = cost or f"{sum(q.milliseconds for q in result.questions):.0f} ms"
    note = "" if result.as_expected else f"  ({label.expectation(result)})"
    return (
        (f"  {label.mark(verdict)} ", _tone(result, verdict)),
        (f"{result.name:<{width}}  ", Tone.PLAIN),
        (label.wording(result, verdict), _tone(result, verdict)),
        (f"  {asked}" if asked else "", Tone.FAINT),
        (f"  {cost}", Tone.FAINT),
        (note, Tone.BAD),
    )


def _assumptions(result: Result) -> Iterator[Line]:
    """What the verdicts of its questions rest on, each assumption on a line of its own."""
    answers = [state.answer for state in result.questions if state.answer is not None]
    for assumption in dict.fromkeys(each for answer in answers for each in answer.coverage.assumptions):
        yield ((f"      assumes {assumption}", Tone.FAINT),)


def _tone(result: Result, verdict: Verdict) -> Tone:
    if not result.as_expected:
        return Tone.BAD
    return Tone.GOOD if verdict in {Verdict.PROVED, Verdict.CHECKED} else Tone.UNSURE


def _diagnostic(report: Report, diagnostic: Diagnostic, directory: str) -> Iterator[Line]:
    tone = Tone.BAD if diagnostic.severity is Severity.ERROR else Tone.UNSURE
    place = _place(report, diagnostic.at.path, diagnostic.at.span.start, directory)
    first, *more = diagnostic.message.splitlines()
    yield ((f"      {diagnostic.code} ", tone), (first, Tone.PLAIN), (f"  {place}", Tone.FAINT))
    for line in more:
        yield ((f"        {line}", Tone.PLAIN),)
    for note in diagnostic.related:
        where = _place(report, note.at.path, note.at.span.start, directory)
        yield ((f"        {note.message}", Tone.PLAIN), (f"  {where}", Tone.FAINT))


def _place(report: Report, path: str, offset: int, directory: str) -> str:
    position = report.texts[path].position(offset)
    return f"{os.path.relpath(path, directory)}:{position.line + 1}:{position.character + 1}"


def _witness(result: Result, file: FileReport) -> Iterator[Line]:
    """What the messages leave out of the counterexample: contents, a kernel's launch; all values if not expected."""
    answer = result.leading.answer if result.leading else None
    match answer.witness if answer else None:
        case RuleWitness() as witness:
            values = [f"{name} = {picture.inline(value)}" for name, value in witness.instance.tensors]
            values += [
                f"{name}({', '.join(operands)}) = {element}"
                for name, table in witness.instance.functions
                for operands, element in table
            ]
        case KernelWitness() as witness:
            launch = f"grid {_sizes(witness.grid)}, block {_sizes(witness.block)}"
            values = [launch, *(f"{name} = {value}" for name, value in witness.values)]
        case RefinementWitness() as witness:
            values = list(_refinement(witness))
        case LoopsWitness():
            values = []
        case None:
            values = []
    if values:
        yield ((f"        {'; '.join(values)}", Tone.FAINT),)
    if answer and isinstance(answer.witness, RuleWitness) and not result.as_expected:
        yield from _steps(answer.witness, result, file)
        yield from map(_terms, answer.witness.terms)


def _refinement(witness: RefinementWitness) -> Iterator[str]:
    """Sizes, the sequential inputs, and the element that the ranks do not hold; theirs follow from the placements."""
    yield from (f"{name} = {size}" for name, size in witness.sizes)
    yield from (f"{name} = {picture.inline(value)}" for name, value in witness.sequential)
    if witness.expected:
        held = ", ".join(f"rank {each.rank}: {each.value}" for each in witness.held)
        yield f"{element(witness)} = {witness.expected}" + (f" (held: {held})" if held else "")
    if witness.cause:
        yield cause(witness.cause)


def _relation(result: Result) -> Iterator[Line]:
    """How a sequential output comes from the distributed ones, each on a line of its own."""
    answer = result.leading.answer if result.leading else None
    for output, expression in answer.relation if answer else ():
        yield ((f"      {output} = {expression}", Tone.FAINT),)


def _steps(witness: RuleWitness, result: Result, file: FileReport) -> Iterator[Line]:
    """Every value between the inputs and the two sides, each once, the element that differs in brackets."""
    inputs = {name for name, _ in (*witness.instance.tensors, *witness.instance.scalars)}
    at = tuple(index for _, axes in witness.at for index in axes)
    for side in ("left", "right"):
        inner, outer = intermediate.split(witness, side)
        known = set(inputs)
        for step in (*inner, *filter(None, [outer])):
            expression = intermediate.text(step, result, file)
            if step is outer or expression not in known:
                known.add(expression)
                marked = at if step is outer and witness.fails is Failure.VALUE else None
                yield ((f"          {side}: {expression} = {picture.inline(step.value, marked)}", Tone.FAINT),)


def _terms(found: SideTerms) -> Line:
    """The terms of one side; those that have no partner on the other in brackets."""
    terms = [" ".join(filter(None, [intermediate.place(each), intermediate.term(each)])) for each in found.terms]
    marked = [f"⟦{text}⟧" if each.alone else text for each, text in zip(found.terms, terms, strict=True)]
    more = [f"… {found.more} more"] if found.more else []
    return ((f"          {intermediate.heading(found)}: {', '.join([*marked, *more]) or 'no terms'}", Tone.FAINT),)


def _sizes(sizes: tuple[int, ...]) -> str:
    return "×".join(map(str, sizes))


def _opinions(found: Opinions | None) -> Iterator[Line]:
    """What the second solver said, if it was asked; each query that it left open on a line of its own."""
    if found is None:
        return
    for each in found.unanswered:
        yield (("not answered  ", Tone.UNSURE), (each, Tone.PLAIN))
    for each in found.unconfirmed:
        yield (("not confirmed  ", Tone.UNSURE), (each, Tone.PLAIN))
    proofs = "proof" if len(found.unconfirmed) == 1 else "proofs"
    proved = f", {len(found.unconfirmed)} {proofs} not confirmed" if found.unconfirmed else ""
    left = f", {len(found.unanswered)} not answered" if found.unanswered else ""
    yield ((f"second opinion: cvc5 agrees on {found.agreed} answers{left}{proved}", Tone.PLAIN),)


def _summary(summary: Summary, milliseconds: float) -> Iterator[Line]:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in summary.counts.items() if count)
    tone = Tone.GOOD if summary.passed else Tone.BAD
    expected = ", all as expected" if counts else ""
    trouble = f", {summary.unexpected} not as expected" if summary.unexpected else expected
    kernels = "kernel" if summary.unlaunched == 1 else "kernels"
    unlaunched = f", {summary.unlaunched} {kernels} without a launch" if summary.unlaunched else ""
    files = "file" if summary.broken_files == 1 else "files"
    broken = f", {summary.broken_files} {files} with errors" if summary.broken_files else ""
    yield (
        (f"{counts or 'nothing to check'}{trouble}{broken}{unlaunched}", tone),
        (f"  {milliseconds / 1000:.2f} s", Tone.FAINT),
    )
