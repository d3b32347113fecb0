"""Hovers: what is known about a declaration, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from rewright.model.rule import FAMILY
from rewright.report import codes, intermediate, label, picture
from rewright.report.document import FileReport, QuestionState, Result
from rewright.report.kernel_markdown import kernel_witness
from rewright.report.loops_markdown import loops_witness
from rewright.report.provenance import programs
from rewright.report.quoted import quoted
from rewright.report.refinement_markdown import refinement_witness, relation
from rewright.report.tables import code, table
from rewright.syntax.text import Text
from rewright.verdict import (
    Answer,
    Failure,
    FunctionValue,
    KernelWitness,
    LoopsWitness,
    Method,
    ReducedTerm,
    RefinementWitness,
    RuleWitness,
    SideTerms,
    Step,
    TensorValue,
    Verdict,
)
from rewright.verdict.diagnostics.rules import ShapesDiffer, SideNotValid, ValuesDiffer

SAYS_WHERE = (ValuesDiffer, ShapesDiffer, SideNotValid)
"""What says where the sides of a rule part."""


def hover(result: Result, file: FileReport, texts: Mapping[str, Text]) -> str:
    """What is known of a declaration: its counterexample as tables, what was asked, bounds with reasons.

    `texts` are those of the files that places may be in.
    """
    parts = [f"**{result.name}** ({result.kind}): {quoted(label.inlay(result))}"]
    if result.reason:
        parts.append(f"Not decided: {quoted(result.reason)}")
    leading = result.leading
    witness = leading.answer.witness if leading and leading.answer else None
    match witness:
        case RuleWitness():
            parts += _rule_witness(witness, result, file)
        case KernelWitness():
            parts += kernel_witness(witness, result, texts)
        case RefinementWitness():
            parts += refinement_witness(witness)
        case LoopsWitness():
            parts += loops_witness(witness)
        case None:
            pass
    parts += relation(leading.answer) if leading and leading.answer else ()
    parts += [_question(state, state.answer) for state in result.questions if state.answer]
    return "\n\n".join(parts)


def _question(state: QuestionState, answer: Answer) -> str:
    asked = " ".join(filter(None, [state.direction if state.direction == "<=" else "", state.domain]))
    by = f" by {answer.by}" if answer.by else ""
    effort = "from the cache" if state.cached else f"{state.milliseconds:.0f} ms"
    head = f"- {f'{asked}: ' if asked else ''}{answer.verdict}{by}, {effort}, {programs(answer.by)}"
    return "\n".join([head, *_covered(answer)])


def _covered(answer: Answer) -> Iterator[str]:
    """What a good verdict speaks for, and why finitely many ranks suffice for it."""
    if answer.verdict is Verdict.REFUTED:
        yield from (f"  - assumes {quoted(assumption)}" for assumption in answer.coverage.assumptions)
    if answer.verdict not in {Verdict.PROVED, Verdict.CHECKED, Verdict.CONDITIONAL}:
        return
    yield from (f"  - provided that {code(each.requires)}" for each in answer.coverage.conditions)
    yield f"  - covers {quoted(answer.coverage.text)}"
    yield from (f"  - assumes {quoted(assumption)}" for assumption in answer.coverage.assumptions)
    if answer.bound is None and answer.verdict is Verdict.PROVED and answer.by is not Method.SETS:
        yield "  - no bound on ranks was needed: the normal forms agree at every rank at once"
    yield from (f"  - {sentence}" for sentence in answer.correspondence)
    if answer.replays is not None:
        yield f"  - {_looked_at(answer.replays)}"
    reasons = dict(answer.bound_reason)
    for group, rank in answer.bound or ():
        yield f"  - `{group}`: rank {rank} decides" + (f", {reasons[group]}" if group in reasons else "")


def _looked_at(replays: int) -> str:
    """What was seen of a proof by replaying it."""
    if not replays:
        return "not replayed: no small input was found for it"
    return f"replayed on {replays} small input{'s' if replays > 1 else ''}, correct on each"


def _rule_witness(witness: RuleWitness, result: Result, file: FileReport) -> Iterator[str]:
    instance = witness.instance
    inputs = [(f"rank of {group}", str(rank)) for group, rank in instance.ranks if not group.startswith(FAMILY)]
    inputs += [(name, str(list(axis))) for name, axis in instance.maps]
    inputs += [(name, str(value)) for name, value in (*instance.integers, *instance.scalars)]
    inputs += [(call, element) for name, table in instance.functions for call, element in _calls(name, table)]
    yield from _sentences(result)
    yield from _sides(witness, result, file)
    yield "**Counterexample**" + (", replayed in exact arithmetic" if witness.replayed else "")
    yield table(("input", "value"), [(name, code(value)) for name, value in inputs])
    for name, tensor in instance.tensors:
        yield f"`{name}` ({picture.shape(tensor)})\n\n{_grids(tensor, None)}"
    yield from map(_terms, witness.terms)
    yield from _steps(witness, result, file)


def _terms(found: SideTerms) -> str:
    """The terms of one side's reductions, those without a partner on the other side marked."""
    rows = [_term(each) for each in found.terms]
    rows += [("", f"… {found.more} more", "")] if found.more else []
    head = f"**{intermediate.heading(found)}**"
    return f"{head}\n\n{table(('index', 'term', 'on the other side'), rows)}" if rows else head


def _term(term: ReducedTerm) -> tuple[str, str, str]:
    shown = code(intermediate.term(term))
    return intermediate.place(term), f"**→ {shown}**" if term.alone else shown, "no partner" if term.alone else "equal"


def _sentences(result: Result) -> Iterator[str]:
    """What the counterexample's finding says: where the sides part."""
    leading = result.leading
    for finding in leading.answer.findings if leading and leading.answer else ():
        if isinstance(finding.diagnosis, SAYS_WHERE):
            yield quoted(codes.message(finding))


def _calls(name: str, table: FunctionValue) -> Iterator[tuple[str, str]]:
    return ((f"{name}({', '.join(operands)})", element) for operands, element in table)


def _sides(witness: RuleWitness, result: Result, file: FileReport) -> Iterator[str]:
    """Both sides beside each other, the element that differs marked; one that has no value says why."""
    at = tuple(index for _, axes in witness.at for index in axes)
    differs = at if witness.fails is Failure.VALUE else None
    (left, right) = (intermediate.split(witness, side)[1] for side in ("left", "right"))
    if left is None and right is None:
        return
    drawn = [_drawn(side, differs) for side in (left, right)]
    texts = [_whole(side, said, result, file) for side, said in ((left, witness.left), (right, witness.right))]
    pairs = list(zip_longest(*drawn))
    if not pairs or None in pairs[0]:
        yield from (f"**{name}** {text}" for name, text in zip(("left", "right"), texts, strict=True))
        yield from (_grid(grid) for grids in drawn for grid in grids)
        return
    yield f"**left** {texts[0]}\\\n**right** {texts[1]}"
    for pair in pairs:
        yield _beside(*pair)


def _whole(side: Step | None, said: str, result: Result, file: FileReport) -> str:
    """The expression of a side with its shape, or why it has no value."""
    if side is None:
        return quoted(said)
    drawn = "" if picture.grids(side.value) else f" = {code(picture.inline(side.value))}"
    return f"{code(intermediate.text(side, result, file))} ({picture.shape(side.value)}){drawn}"


def _drawn(side: Step | None, differs: tuple[int, ...] | None) -> tuple[picture.CellMatrix, ...]:
    return () if side is None else picture.grids(side.value, differs)


def _beside(left: picture.CellMatrix | None, right: picture.CellMatrix | None) -> str:
    """Two grids in one table, with a gap between them."""
    columns = [_columns(name, grid) for name, grid in (("left", left), ("right", right))]
    rows = zip_longest(*(each[1] for each in columns))
    blank = [("",) * len(each[0]) for each in columns]
    listed = [(*(first or blank[0]), "", *(second or blank[1])) for first, second in rows]
    return table((*columns[0][0], " ", *columns[1][0]), listed)


def _columns(name: str, grid: picture.CellMatrix | None) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The head and the rows of a grid, each with its number first."""
    if grid is None:
        return (name,), []
    corner = " ".join([name, *([f"[{', '.join(map(str, grid.leading))}]"] if grid.leading else [])])
    head = (corner, *map(str, range(len(grid.rows[0]))))
    return head, [(f"**{row}**", *map(_bold, cells)) for row, cells in enumerate(grid.rows)]


def _steps(witness: RuleWitness, result: Result, file: FileReport) -> Iterator[str]:
    """The values between the inputs and each side."""
    inputs = {code(name) for name, _ in (*witness.instance.tensors, *witness.instance.scalars)}
    for side in ("left", "right"):
        rows = [_step(step, result, file) for step in intermediate.split(witness, side)[0]]
        between = [row for row in rows if row[0] not in inputs]
        if between:
            yield f"**{side}**"
            yield table(("expression", "value"), between)


def _step(step: Step, result: Result, file: FileReport) -> tuple[str, str]:
    return code(intermediate.text(step, result, file)), code(picture.inline(step.value))


def _grids(value: TensorValue, marked: tuple[int, ...] | None) -> str:
    drawn = picture.grids(value, marked)
    if not drawn:
        return code(picture.inline(value))
    return "\n\n".join(_grid(grid) for grid in drawn)


def _grid(grid: picture.CellMatrix) -> str:
    columns = range(len(grid.rows[0]))
    cells = [(f"**{row}**", *(_bold(cell) for cell in cells)) for row, cells in enumerate(grid.rows)]
    corner = ", ".join(map(str, grid.leading))
    return table((f"{corner} ", *map(str, columns)), cells)


def _bold(cell: str) -> str:
    return f"**→ {cell[1:-1]}**" if cell.startswith("⟦") else cell
