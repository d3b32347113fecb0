"""Notes on a declaration: a hint is told, and nobody takes it for an error."""

from __future__ import annotations

import pytest
from model_texts import parsed, rule_text

from rewright.frontends.cuda.launches.outline import outline
from rewright.model.check_kernel import declaration as kernels
from rewright.model.check_rule import declaration as rules
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.model.kernel import Kernel
from rewright.model.notes import Notes
from rewright.model.rule import Rule
from rewright.syntax.nodes import Head
from rewright.syntax.text import Span
from rewright.verdict import Role, Severity, Site
from rewright.verdict.diagnostics.names import LetNeedsItself, NameTaken, TakenBy

HINT = LetNeedsItself("a")
"""What is said does not matter here, only how loud."""


def test_errors_come_before_hints_whenever_they_are_found() -> None:
    notes = Notes(Span(0, 1))
    notes.hint(HINT, Span(2, 3))
    assert (notes.errors, notes.has_errors) == (0, False)
    notes.error(NameTaken("b", TakenBy.DECLARATION), Span(4, 5), first=Span(6, 7))
    assert (notes.errors, notes.has_errors) == (1, True)
    error, hint = notes.findings()
    assert (error.severity, error.place, hint.severity, hint.place) == (Severity.ERROR, Site(3), Severity.HINT, Site(1))
    assert [(each.role, each.place) for each in error.related] == [(Role.FIRST, Site(2))]


@pytest.fixture(autouse=True)
def hinting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of every rule and of every kernel begins with a hint."""

    def hinted(head: Head) -> Notes:
        notes = Notes(head.word.span)
        notes.hint(HINT, head.word.span)
        return notes

    for module in (rules, kernels):
        monkeypatch.setattr(module, "notes_for", hinted)


def checked(text: str) -> Declared:
    (declared,) = check_file(parsed(text), lambda path: None).declarations
    return declared


def test_a_rule_with_a_hint_has_its_value() -> None:
    declared = checked(rule_text("X => X; example { A = 1; n = 2 }"))
    assert isinstance(declared.value, Rule) and len(declared.value.examples) == 1
    assert [(each.diagnosis, each.severity) for each in declared.findings] == [(HINT, Severity.HINT)]
    assert not declared.has_errors


def test_what_is_not_unique_is_reported_beside_a_hint() -> None:
    declared = checked(rule_text("lowest => lowest"))
    assert [each.code for each in declared.findings] == ["RW107", HINT.code]


def test_a_kernel_with_a_hint_has_its_value() -> None:
    declared = checked("kernel k(y: out f32[4]) { launch block(4); y[thread.x] = 1.0 }")
    assert isinstance(declared.value, Kernel)
    assert [each.diagnosis for each in declared.findings] == [HINT]


def test_an_expression_without_effect_is_reported_beside_a_hint() -> None:
    declared = checked("kernel k(y: out f32[4]) { launch block(4); y[0] }")
    assert [each.code for each in declared.findings] == ["RW117", HINT.code]


def test_a_launch_comment_with_a_hint_is_a_launch() -> None:
    source = "// rewright: launch block(4)\n__global__ void k(float *y) { y[threadIdx.x] = 0; }\n"
    (kernel,) = outline("k.cu", {"k.cu": source}).kernels
    assert len(kernel.launches) == 1
    assert [(each.diagnosis, each.severity) for each in kernel.findings] == [(HINT, Severity.HINT)]
