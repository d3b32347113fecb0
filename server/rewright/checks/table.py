"""The one table from a kind of declaration to its questions and to what answers them.

Invariant: the payload of a question is canonical. Symbols are numbered and places are site numbers, so two declarations
that mean the same ask the same bytes, and `restore` puts the names back into an answer. A kernel in a foreign source
asks nothing before it is lowered, which is asked like a question and is no verdict.
"""

from __future__ import annotations

import re
from typing import assert_never

from msgspec import Struct

from rewright.checks.kernel_question import (
    KernelPayload,
    LoweredKernel,
    LoweringPayload,
    NumberedQuestion,
    OutlinedSource,
    OutlinePayload,
)
from rewright.checks.nest_question import (
    NestPayload,
    NestReadingPayload,
    ProgramPayload,
    TiledPayload,
    TransformationPayload,
)
from rewright.checks.refinement_question import GraphLemmaPayload, ImportedRefinement, ImportPayload, RefinementPayload
from rewright.frontends.table import kind_of
from rewright.model.canonical import canonical
from rewright.model.check_graph.open_graph import OpenGraph
from rewright.model.foreign_graph import ForeignGraph, ForeignRefinement
from rewright.model.foreign_nest import ForeignNest, ForeignTransformation, WrittenTransformation
from rewright.model.graph import Graph, GraphLemma, OpaqueOperator, Refinement, RefinementFamily
from rewright.model.kernel import Foreign, Kernel
from rewright.model.nest import Nest, TiledTransformation, Transformation
from rewright.model.rule import Rule, RuleQuestion
from rewright.model.source_kind import SourceKind
from rewright.model.value import Value
from rewright.rules.decision import Budget, Mode
from rewright.verdict import Answer
from rewright.verdict.codec import decode, encode


class RulePayload(Struct, frozen=True):
    """What is asked of a rule."""

    question: RuleQuestion
    mode: Mode


ToLower = LoweringPayload | OutlinePayload | ImportPayload | NestReadingPayload
LoopsPayload = NestPayload | TransformationPayload | TiledPayload | ProgramPayload
Payload = RulePayload | KernelPayload | RefinementPayload | GraphLemmaPayload | LoopsPayload | ToLower
Lowered = LoweredKernel | OutlinedSource | ImportedRefinement
Decided = Answer | Lowered


class Asked(Struct, frozen=True):
    """One question: labels for people, the canonical payload, and the names behind its numbered symbols."""

    domain: str
    direction: str
    payload: str
    names: tuple[str, ...]


def questions(value: Value, mode: Mode) -> tuple[Asked, ...]:
    """The questions that a declaration asks by itself: none if it is a graph, or speaks of a source."""
    match value:
        case Rule():
            return tuple(
                canonically(RulePayload(question, mode), question.domain_text, question.direction)
                for question in rule_questions(value)
            )
        case Kernel(body=Foreign()) | Graph() | OpenGraph() | ForeignGraph() | ForeignRefinement():
            return ()
        case OpaqueOperator():
            return ()
        case GraphLemma():
            return (canonically(GraphLemmaPayload(value)),)
        case ForeignNest() | ForeignTransformation() | WrittenTransformation():
            return ()
        case Kernel():
            return (canonically(KernelPayload(value)),)
        case Refinement():
            return (canonically(RefinementPayload((value,))),)
        case RefinementFamily(members=members):
            return (canonically(RefinementPayload(members)),)
        case Nest():
            return (canonically(NestPayload(value)),)
        case Transformation():
            return (canonically(TransformationPayload(value)),)
        case TiledTransformation():
            return (canonically(TiledPayload(value)),)
        case _:
            assert_never(value)


def lowered(asking: NumberedQuestion) -> Asked:
    """The question of a kernel that was lowered."""
    return Asked("", "", asking.payload, asking.names)


def answer(asked: Payload, budget: Budget) -> Decided:
    """The answer to a question that `questions` made, or what a kernel asks."""
    match asked:
        case RulePayload(question, Mode.SECOND_OPINION):
            from rewright.checks import second_opinion

            return second_opinion.answer(question, budget)
        case RulePayload(question, mode):
            from rewright.checks import rule

            return rule.answer(question, budget, mode)
        case KernelPayload():
            from rewright.checks import kernel as kernels

            return kernels.answer_question(asked, budget)
        case RefinementPayload(members):
            from rewright.checks import refinement as refinements

            return refinements.answer_all(members, budget)
        case GraphLemmaPayload(lemma):
            from rewright.checks import graph_lemma

            return graph_lemma.answer(lemma, budget)
        case NestPayload(nest):
            from rewright.checks import nest as nests

            return nests.answer(nest, budget)
        case TransformationPayload(transformation):
            from rewright.checks import transformation as transformations

            return transformations.answer(transformation, budget)
        case TiledPayload(tiled_transformation):
            from rewright.checks import tiled

            return tiled.answer(tiled_transformation, budget)
        case ProgramPayload(program):
            from rewright.checks import program as programs

            return programs.answer(program, budget)
        case LoweringPayload() | OutlinePayload() | ImportPayload() | NestReadingPayload():
            return _lowering(asked)
        case _:
            assert_never(asked)


def lowering_answer(payload: str) -> Lowered:
    """What kernels in a source ask, as `answer` says it too."""
    asked: ToLower = decode(ToLower, payload)
    return _lowering(asked)


def _lowering(asked: ToLower) -> Lowered:
    if isinstance(asked, ImportPayload):
        from rewright.checks.importing import import_refinement

        return import_refinement(asked)
    if isinstance(asked, NestReadingPayload) or (
        isinstance(asked, OutlinePayload) and kind_of(asked.path) is SourceKind.LOOPS
    ):
        from rewright.checks.reading_nests import outline_nests, read_nest

        return read_nest(asked) if isinstance(asked, NestReadingPayload) else outline_nests(asked)
    from rewright.checks.lowering import lower_kernel, outline_source

    return outline_source(asked) if isinstance(asked, OutlinePayload) else lower_kernel(asked)


def restore(answer_text: str, names: tuple[str, ...]) -> Answer:
    """The answer whose wire form is given, with the numbered symbols replaced by the declaration's names."""
    return decode(Answer, named(answer_text, names))


def smtlib(asked: Asked) -> str | None:
    """The solver's question as SMT-LIB text in the declaration's own names, None if no solver is asked."""
    payload: Payload = decode(Payload, named(asked.payload, asked.names))
    match payload:
        case RulePayload(question):
            from rewright.rules import smtlib as rules

            return rules.smtlib(question)
        case KernelPayload() | RefinementPayload() | NestPayload() | TransformationPayload() | TiledPayload():
            return None
        case ProgramPayload() | GraphLemmaPayload():
            return None
        case LoweringPayload() | OutlinePayload() | ImportPayload() | NestReadingPayload():
            return None
        case _:
            assert_never(payload)


def named(text: str, names: tuple[str, ...]) -> str:
    """A wire form with the numbered symbols replaced by the declaration's names."""
    return re.sub(r"⟨(\d+)⟩", lambda match: names[int(match[1])], text)


def rule_questions(rule: Rule) -> tuple[RuleQuestion, ...]:
    """The questions of a rule: each domain, each direction that it claims."""
    forward = tuple(RuleQuestion(rule, domain, "=>") for domain in rule.domains)
    backward = tuple(RuleQuestion(rule, domain, "<=") for domain in rule.domains)
    return forward + backward if rule.both else forward


def canonically(payload: object, domain: str = "", direction: str = "") -> Asked:
    """The question that a payload is, its symbols numbered."""
    value, names = canonical(payload)
    return Asked(domain, direction, encode(value), names)
