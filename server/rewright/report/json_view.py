"""The report as JSON: the object that scripts and CI rely on (`report.schema.json` describes it).

Numbers of the checked world are strings; lines count from 0, characters in UTF-16 units; no field is left out.
"""

from __future__ import annotations

from typing import Any, assert_never

from rewright import __version__
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.rule import FAMILY
from rewright.report.document import Diagnostic, FileReport, Located, QuestionState, Report, Result
from rewright.report.faults import showing
from rewright.report.places import Places
from rewright.report.second_opinions import Opinions, opinions
from rewright.report.summary import counted, outside, summarise
from rewright.verdict import (
    Answer,
    Coverage,
    KernelWitness,
    LoopsWitness,
    RefinementCause,
    RefinementWitness,
    RuleWitness,
    SideTerms,
    TensorValue,
    ThreadId,
    Verdict,
    Witness,
)

SCHEMA = 1
"""The version of the form; it grows when a member changes its meaning or goes."""


def to_json(report: Report, milliseconds: float, directory: str) -> dict[str, Any]:
    """The report of a run that took so many milliseconds, with paths relative to `directory`. Raises `Unshown`."""
    view = _View(Places(report.texts, directory))
    summary = summarise(report)
    return {
        "schema": SCHEMA,
        "tool": {"name": "rewright", "version": __version__},
        "files": [view.file(file) for file in report.files],
        "results": [view.result(result) for result in report.results() if counted(result)],
        "summary": {
            **{verdict.value: summary.counts[verdict] for verdict in Verdict},
            "unexpected": summary.unexpected,
            "second_opinion": _opinions(opinions(report)),
            "ms": round(milliseconds, 1),
        },
    }


def _opinions(found: Opinions | None) -> dict[str, Any] | None:
    """What a second solver said, null if it was not asked."""
    if found is None:
        return None
    return {
        "agreed": found.agreed,
        "not_answered": list(found.unanswered),
        "not_confirmed": list(found.unconfirmed),
    }


class _View:
    """Renders with the texts at hand that turn bytes into lines and characters."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def file(self, file: FileReport) -> dict[str, Any]:
        with showing(file):
            return {"file": self._places.file(file.path), "diagnostics": [self.diagnostic(d) for d in outside(file)]}

    def result(self, result: Result) -> dict[str, Any]:
        with showing(result):
            return self._result(result)

    def _result(self, result: Result) -> dict[str, Any]:
        leading = result.leading
        answer = leading.answer if leading else None
        return {
            "file": self._places.file(result.path),
            "name": result.name,
            "kind": result.kind,
            "range": self._range(Located(result.path, result.span)),
            "verdict": result.verdict,
            "expected": list(result.expected),
            "as_expected": result.as_expected,
            "reason": result.reason,
            "coverage": coverage(answer.coverage) if answer else None,
            "questions": [question(q) for q in result.questions],
            "counterexample": counterexample(answer.witness) if answer and answer.witness else None,
            "relation": _relation(answer) if result.kind == DeclarationKind.REFINEMENT else None,
            "diagnostics": [self.diagnostic(d) for d in result.diagnostics],
            "ms": round(sum(q.milliseconds for q in result.questions), 1),
            "cached": bool(result.questions) and all(q.cached for q in result.questions),
        }

    def diagnostic(self, diagnostic: Diagnostic) -> dict[str, Any]:
        return {
            "code": diagnostic.code,
            "severity": diagnostic.severity,
            "message": diagnostic.message,
            "file": self._places.file(diagnostic.at.path),
            "range": self._range(diagnostic.at),
            "related": [
                {
                    "message": note.message,
                    "file": self._places.file(note.at.path),
                    "range": self._range(note.at),
                }
                for note in diagnostic.related
            ],
            "unstated": dict(diagnostic.unstated),
        }

    def _range(self, at: Located) -> dict[str, Any]:
        start, end = ({"line": each.line, "character": each.character} for each in self._places.ends(at))
        return {"start": start, "end": end}


def coverage(value: Coverage) -> dict[str, Any]:
    """What a verdict speaks for."""
    return {
        "text": value.text,
        "bounded": value.bounded,
        "method": value.method,
        "assumptions": list(value.assumptions),
        "conditions": [each.requires for each in value.conditions],
    }


def question(state: QuestionState) -> dict[str, Any]:
    """One question with its answer; all of the answer is null while it is open."""
    answer = state.answer
    return {
        "id": state.id,
        "domain": state.domain or None,
        "direction": state.direction or None,
        "verdict": answer.verdict if answer else None,
        "expected": list(state.expected),
        "bound": dict(answer.bound) if answer and answer.bound is not None else None,
        "by": answer.by if answer else None,
        "reason": answer.reason if answer else None,
        "replays": answer.replays if answer else None,
        "ms": round(state.milliseconds, 1),
        "cached": state.cached,
    }


def counterexample(witness: Witness) -> dict[str, Any]:
    """A replayed counterexample of a rule, a kernel, a refinement, a loop nest or a transform."""
    match witness:
        case RuleWitness():
            instance = witness.instance
            values = {name: [str(v) for v in axis] for name, axis in instance.maps}
            values |= {name: [str(value)] for name, value in instance.integers}
            values |= {name: [value] for name, value in instance.scalars}
            tensors = {name: _tensor(value) for name, value in instance.tensors}
            functions = {
                name: [{"operands": list(operands), "result": element} for operands, element in table]
                for name, table in instance.functions
            }
            return {
                "fails": witness.fails,
                "replayed": witness.replayed,
                "domain": witness.domain,
                "direction": witness.direction,
                "ranks": {group: rank for group, rank in instance.ranks if not group.startswith(FAMILY)},
                "values": values,
                "at": {group: [str(i) for i in index] for group, index in witness.at},
                "left": witness.left,
                "right": witness.right,
                "tensors": tensors,
                "functions": functions,
                "terms": [_terms(each) for each in witness.terms],
            }
        case KernelWitness():
            return {
                "fails": witness.fails,
                "replayed": witness.replayed,
                "launch": {"grid": list(witness.grid), "block": list(witness.block)},
                "values": {name: [value] for name, value in witness.values},
                "threads": [_thread(thread) for thread in witness.threads],
                "array": witness.array,
                "address": [str(i) for i in witness.address],
                "interval": witness.interval,
                "iterations": [list(passes) for passes in witness.iterations],
                "unstated": list(witness.unstated),
            }
        case RefinementWitness():
            return {
                "fails": witness.fails,
                "replayed": witness.replayed,
                "sizes": dict(witness.sizes),
                "sequential": {name: _tensor(value) for name, value in witness.sequential},
                "distributed": {name: [_tensor(value) for value in ranks] for name, ranks in witness.distributed},
                "output": witness.output,
                "index": list(witness.index),
                "expected": witness.expected,
                "held": [{"rank": each.rank, "value": each.value} for each in witness.held],
                "cause": _cause(witness.cause) if witness.cause else None,
            }
        case LoopsWitness():
            return {
                "fails": witness.fails,
                "replayed": witness.replayed,
                "sizes": dict(witness.sizes),
                "operation": witness.statement,
                "iteration": dict(witness.iteration),
                "due": witness.due,
                "element": witness.element,
                "expected": witness.expected,
                "found": witness.found,
            }
        case _:
            assert_never(witness)


def _relation(answer: Answer | None) -> list[dict[str, str]]:
    """Each output of the sequential graph, as an expression in the outputs of the distributed one."""
    return [{"output": output, "expression": expression} for output, expression in answer.relation] if answer else []


def _cause(cause: RefinementCause) -> dict[str, Any]:
    return {
        "kind": cause.kind,
        "tensor": cause.tensor,
        "rank": cause.rank,
        "box": [{"dimension": each.dimension, "start": each.start, "limit": each.limit} for each in cause.box],
        "factor": cause.factor,
    }


def _tensor(value: TensorValue) -> dict[str, Any]:
    return {"shape": list(value.shape), "data": list(value.data)}


def _terms(found: SideTerms) -> dict[str, Any]:
    terms = [
        {
            "index": None if term.index is None else list(term.index),
            "source": term.source,
            "value": term.value,
            "alone": term.alone,
        }
        for term in found.terms
    ]
    return {"side": found.side, "reducer": found.reducer, "terms": terms, "more": found.more}


def _thread(thread: ThreadId) -> dict[str, Any]:
    return {"block": list(thread.block), "thread": list(thread.thread)}
