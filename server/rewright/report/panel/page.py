"""The panel of one declaration: of its counterexample, or of why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rewright.report import codes, label
from rewright.report.document import FileReport, Located, Result
from rewright.report.loops_markdown import facts
from rewright.report.markdown import hover
from rewright.report.panel import kernel, rule
from rewright.report.panel.shown import PanelInput, PanelPage, PanelScript
from rewright.report.panel.values import value
from rewright.report.refinement_markdown import element
from rewright.syntax.text import Text
from rewright.verdict import KernelWitness, LoopsWitness, RefinementWitness, RuleWitness


def gone(name: str, file: str) -> PanelPage:
    """The panel of a declaration that is not there any more."""
    return PanelPage(name, "declaration", "", "", "", None, f"There is no declaration {name} in {file} any more.")


def page(result: Result, file: FileReport, texts: Mapping[str, Text]) -> PanelPage:
    """The panel of a declaration. `texts` are those of the files that places may be in."""
    at = Located(file.path, result.name_span)
    said = label.inlay(result)
    leading = result.leading
    witness = leading.answer.witness if leading and leading.answer else None
    scripts = (PanelScript("Markdown", hover(result, file, texts)),)
    sentence = _sentence(result)
    match witness:
        case RuleWitness():
            return PanelPage(
                result.name,
                result.kind,
                said,
                sentence,
                "replayed in exact arithmetic" if witness.replayed else "",
                at,
                sides=tuple(rule.sides(witness, result, file)),
                inputs=tuple(rule.inputs(witness)),
                steps=tuple(rule.steps(witness, result, file)),
                edges=tuple(rule.edges(witness)),
                terms=tuple(map(rule.terms, witness.terms)),
                scripts=scripts,
            )
        case KernelWitness():
            return PanelPage(
                result.name,
                result.kind,
                said,
                sentence,
                "replayed by running its threads' schedule" if witness.replayed else "",
                at,
                inputs=tuple(kernel.inputs(witness)),
                timeline=kernel.timeline(witness, result, texts),
                scripts=scripts,
            )
        case RefinementWitness():
            return PanelPage(
                result.name,
                result.kind,
                said,
                sentence,
                "replayed on every rank" if witness.replayed else "",
                at,
                inputs=tuple(_refinement(witness)),
                scripts=scripts,
            )
        case LoopsWitness():
            return PanelPage(
                result.name,
                result.kind,
                said,
                sentence,
                "replayed one operation at a time" if witness.replayed else "",
                at,
                inputs=tuple(PanelInput(name, text, None) for name, text in facts(witness)),
                scripts=scripts,
            )
        case None:
            return PanelPage(result.name, result.kind, said, "", "", at, _no_counterexample(result))


def _sentence(result: Result) -> str:
    """What the finding of the answer says first."""
    leading = result.leading
    findings = leading.answer.findings if leading and leading.answer else ()
    return codes.message(findings[0]) if findings else ""


def _no_counterexample(result: Result) -> str:
    if result.verdict is None:
        return f"{result.name} is not checked since its last change."
    reason = f"\nNot decided: {result.reason}" if result.reason else ""
    return f"{result.name} has no counterexample now: {label.inlay(result)}{reason}"


def _refinement(witness: RefinementWitness) -> Iterator[PanelInput]:
    yield from (PanelInput(name, str(size), None) for name, size in witness.sizes)
    if witness.expected:
        yield PanelInput(f"{element(witness)} is to be", witness.expected, None)
    yield from (PanelInput(f"rank {each.rank} holds", each.value, None) for each in witness.held)
    for name, tensor in witness.sequential:
        drawn = value(tensor)
        yield PanelInput(name, drawn.text, drawn)
    for name, ranks in witness.distributed:
        for number, tensor in enumerate(ranks):
            drawn = value(tensor)
            yield PanelInput(f"{name} on rank {number}", drawn.text, drawn)
