"""The one table from a kind of declaration to its checker, and what every kind has in common.

A checker is loaded when the first declaration of its kind is checked: a process that only reads kernels is there soon.
Invariant: what is returned is a function of the declaration's node, its syntax errors and its surroundings. Must not
know files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.model.notes import notes_for
from rewright.model.surroundings import Surroundings
from rewright.syntax.nodes import (
    Declaration,
    EquivalentDecl,
    GraphDecl,
    ImportDecl,
    KernelDecl,
    LemmaDecl,
    LiftDecl,
    LoopsDecl,
    Name,
    OperatorDecl,
    Problem,
    RefineDecl,
    RuleDecl,
    TransformDecl,
    Using,
)
from rewright.verdict import Finding, Severity, Site
from rewright.verdict.diagnostics.names import AnotherRewrite, NameTaken, NoRewrite, UnknownName, UnknownOperator


def check_declaration(node: Declaration, problems: Sequence[Problem], surroundings: Surroundings) -> Declared:
    """The declaration as the model understands it, its syntax errors first."""
    declared = _checked(node, surroundings)
    if surroundings.taken_by is not None:
        taken = NameTaken(declared.name, surroundings.taken_by)
        finding = Finding(taken, Severity.ERROR, Site(0))
        declared = replace(declared, findings=(finding, *declared.findings), value=None)
    return _with_problems(declared, problems) if problems else declared


def defined(node: Declaration) -> tuple[Name, DeclarationKind] | None:
    """The top-level name that a declaration brings into the file, None if it brings none."""
    match node:
        case RuleDecl() | LemmaDecl():
            kind = DeclarationKind(node.head.word.text)
        case OperatorDecl():
            kind = DeclarationKind.OPERATOR
        case KernelDecl():
            kind = DeclarationKind.KERNEL
        case GraphDecl():
            kind = DeclarationKind.GRAPH
        case LoopsDecl():
            kind = DeclarationKind.LOOPS
        case TransformDecl():
            kind = DeclarationKind.TRANSFORM
        case LiftDecl():
            kind = DeclarationKind.LIFT
        case EquivalentDecl() | RefineDecl() | ImportDecl():
            return None
        case _:
            assert_never(node)
    return None if node.head.name is None else (node.head.name, kind)


def mentioned(node: Declaration) -> tuple[str, ...]:
    """The top-level names that a declaration refers to."""
    names: tuple[Name | None, ...]
    match node:
        case EquivalentDecl(left=left, right=right):
            names = (left, right)
        case RefineDecl(head=head, target=target, items=items):
            names = (head.name, target, *(name for each in items if isinstance(each, Using) for name in each.names))
        case TransformDecl(target=target):
            names = (target,)
        case GraphDecl() | LemmaDecl():
            from rewright.model.check_graph.declaration import called_in

            names = tuple(called_in(node))
        case _:
            names = ()
    return tuple(name.text for name in names if name is not None)


def _checked(node: Declaration, surroundings: Surroundings) -> Declared:
    match node:
        case RuleDecl():
            from rewright.model.check_rule.declaration import check_rule

            return check_rule(node)
        case ImportDecl():
            return _check_import(node, surroundings)
        case KernelDecl():
            from rewright.model.check_kernel.declaration import check_kernel

            return check_kernel(node)
        case GraphDecl():
            from rewright.model.check_graph.declaration import check_graph

            return check_graph(node, surroundings)
        case OperatorDecl():
            from rewright.model.check_graph.operators import check_operator

            return check_operator(node)
        case LemmaDecl():
            from rewright.model.check_graph.lemmas import check_lemma

            return check_lemma(node, surroundings)
        case RefineDecl():
            from rewright.model.check_graph.refinement import check_refinement

            return check_refinement(node, surroundings)
        case LoopsDecl():
            from rewright.model.check_loops.declaration import check_loops

            return check_loops(node)
        case TransformDecl():
            from rewright.model.check_loops.transform import check_transform

            return check_transform(node, surroundings)
        case EquivalentDecl() | LiftDecl():
            from rewright.model.check_other import check_other

            return check_other(node, surroundings)
        case _:
            assert_never(node)


def _check_import(node: ImportDecl, surroundings: Surroundings) -> Declared:
    notes = notes_for(node.head)
    path = node.path.value if node.path is not None else ""
    if node.path is not None and surroundings.import_problem is not None:
        notes.error(surroundings.import_problem, node.path.span)
    return Declared(path, DeclarationKind.IMPORT, None, notes.sites(), notes.findings())


def _with_problems(declared: Declared, problems: Sequence[Problem]) -> Declared:
    """The declaration with its syntax errors; what is missing or misread because of them is not reported again."""
    sites = list(declared.sites)
    found = []
    for problem in problems:
        found.append(Finding(problem.diagnosis, Severity.ERROR, Site(len(sites))))
        sites.append(problem.span)
    rest = [finding for finding in declared.findings if not _follows(finding, declared, problems)]
    return replace(declared, findings=(*found, *rest), sites=tuple(sites), value=None)


def _follows(finding: Finding, declared: Declared, problems: Sequence[Problem]) -> bool:
    """Whether a finding may be there because of a syntax error: a part is missing, or misread, or not declared."""
    match finding.diagnosis:
        case NoRewrite() | AnotherRewrite():
            return True
        case UnknownName(name=name) | UnknownOperator(name=name) if any(name in problem.words for problem in problems):
            return True
    if not isinstance(finding.place, Site) or finding.place.number == 0:
        return False
    start = declared.sites[finding.place.number].start
    return any(problem.reach is not None and problem.reach.contains(start) for problem in problems)
