"""The questions which fixes there are, and what answers them."""

from __future__ import annotations

from typing import assert_never

from rewright.checks.table import Asked, canonically, named, rule_questions
from rewright.fixes.generating.question import SourceLoops, TransformReply, TransformRequest
from rewright.fixes.graphs.question import GraphFixes, GraphSearch
from rewright.fixes.kernels.question import KernelFixes, KernelSearch, KernelText
from rewright.fixes.loops.question import LoopsFixes, LoopsSearch, SourceLoopsSearch
from rewright.fixes.preconditions.question import RuleFixes, RuleSearch
from rewright.model.rule import Rule, holes
from rewright.rules.decision import Budget
from rewright.verdict import Finding
from rewright.verdict.codec import decode, encode

Search = RuleSearch | KernelSearch | GraphSearch | LoopsSearch | SourceLoopsSearch
Payload = Search | TransformRequest
Fixes = RuleFixes | KernelFixes | GraphFixes | LoopsFixes


def rule_search(value: Rule) -> Asked:
    """The question which preconditions a rule needs, or what its holes stand for."""
    return canonically(RuleSearch(rule_questions(value), holes(value)))


def kernel_search(kernel: KernelText, findings: tuple[Finding, ...]) -> Asked:
    """The question which changes of a kernel's text fix what was found."""
    return Asked("", "", encode(KernelSearch(kernel, findings)), ())


def graph_search(texts: tuple[str, str, str], called: tuple[tuple[str, str], ...]) -> Asked:
    """The question which changes let a refinement be proved, of the texts of its declarations and of what they call."""
    return Asked("", "", encode(GraphSearch(texts, called)), ())


def loops_search(texts: tuple[str, ...], items: tuple[str, ...], sizes: tuple[tuple[str, int], ...]) -> Asked:
    """The question which changes mend a transform or a nest, of the texts of its declarations; `items` come first.

    It fails at `sizes`.
    """
    return Asked("", "", encode(LoopsSearch(texts, items, sizes)), ())


def source_loops_search(loops: SourceLoops, items: tuple[str, ...], sizes: tuple[tuple[str, int], ...]) -> Asked:
    """The same of a nest of a source."""
    return Asked("", "", encode(SourceLoopsSearch(loops, items, sizes)), ())


def answer(asked: Payload, budget: Budget) -> Fixes | TransformReply:
    """What is found or written that one of the functions above asks for."""
    match asked:
        case RuleSearch(questions, open_holes):
            from rewright.fixes.preconditions.rule_fixes import rule_fixes

            return rule_fixes(questions, open_holes)
        case KernelSearch():
            from rewright.fixes.kernels.search import kernel_fixes

            return kernel_fixes(asked, budget)
        case GraphSearch():
            from rewright.fixes.graphs.search import graph_fixes

            return graph_fixes(asked, budget)
        case LoopsSearch():
            from rewright.fixes.loops.search import loops_fixes

            return loops_fixes(asked, budget)
        case SourceLoopsSearch():
            from rewright.fixes.loops.source_search import source_fixes

            return source_fixes(asked, budget)
        case TransformRequest():
            from rewright.fixes.generating.answering import written_transform

            return written_transform(asked, budget)
        case _:
            assert_never(asked)


def restore_fixes(text: str, names: tuple[str, ...]) -> Fixes:
    """What a search found, of its wire form, in the declaration's names."""
    return decode(Fixes, named(text, names))
