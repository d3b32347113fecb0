"""Which changes may mend a transform or a loop nest, in the order in which they are to be tried.

Owns the kinds of changes: an item that the finding names, a bound or a subscript by one, `<` against `<=`, a bound by
the least of two, another direction, statements or loops exchanged, a statement left out, and the rest of a loop added.
Must not know whether a change mends anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from rewright.fixes.loops.bounds import added, bound_changes, rests
from rewright.fixes.loops.question import SUBJECT
from rewright.fixes.loops.texts import ReadLoops
from rewright.syntax import nodes
from rewright.syntax.text import Span
from rewright.verdict import Edit, InSource

KINDS = (
    "item", "statement", "subscript", "swap", "leave out", "bound", "least", "compare", "rest", "loops", "direction",
    "sequential", "skew",
)  # fmt: skip
"""The kinds of changes, those to prefer first."""

EXCHANGED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "<="}


class LoopsChange(Struct, frozen=True):
    """A titled change of the text. Of one `kind`, one that mends is enough."""

    kind: str
    title: str
    edits: tuple[Edit, ...]


def candidates(asked: ReadLoops, items: tuple[str, ...]) -> Iterator[LoopsChange]:
    """What may mend a declaration; `items` are to be tried first."""
    yield from (_item(asked, each) for each in items)
    body = [each for each in asked.node.items if not isinstance(each, _ITEMS)]
    found = [each for block in _blocks(body) for each in _in_block(asked, block)]
    yield from sorted(found, key=lambda each: KINDS.index(each.kind))


_ITEMS = nodes.ArrayItem | nodes.Private | nodes.Reduction | nodes.Requires


def _item(asked: ReadLoops, item: str) -> LoopsChange:
    """An item on a line of its own, before the first statement."""
    statement = next(each for each in asked.node.items if not isinstance(each, _ITEMS))
    start = statement.span.start
    line = asked.text.text.encode()[:start].rpartition(b"\n")[2].decode()
    indent = line if not line.strip() else " "
    separator = "\n" if not line.strip() else ";"
    return LoopsChange("item", f"Add `{item}`", (edit(Span(start, start), f"{item}{separator}{indent}"),))


def _blocks(statements: list[nodes.Statement]) -> Iterator[list[nodes.Statement]]:
    """Statements that stand beside one another: these, and those in each of them."""
    yield statements
    for each in statements:
        match each:
            case nodes.For(body=block):
                yield from _blocks(list(block.statements))
            case nodes.If(then=then, otherwise=otherwise):
                yield from _blocks(list(then.statements))
                if isinstance(otherwise, nodes.Block):
                    yield from _blocks(list(otherwise.statements))
                elif otherwise is not None:
                    yield from _blocks([otherwise])
            case _:
                pass


def _in_block(asked: ReadLoops, block: list[nodes.Statement]) -> Iterator[LoopsChange]:
    for one, other in pairwise(block):
        texts = asked.text.slice(one.span), asked.text.slice(other.span)
        edits = edit(one.span, texts[1]), edit(other.span, texts[0])
        yield LoopsChange("swap", f"Exchange {_short(texts[0])} and {_short(texts[1])}", edits)
    for each in block:
        match each:
            case nodes.Labelled(statement=nodes.Assign() as written) | (nodes.Assign() as written):
                yield from _statement(asked, each, written)
            case nodes.For():
                yield from _loop(asked, each)
            case nodes.If(condition=condition):
                yield from _condition(asked, condition)
            case _:
                pass


# ---------------------------------------------------------------------------------------------------------- statements


def _statement(asked: ReadLoops, whole: nodes.Statement, written: nodes.Assign) -> Iterator[LoopsChange]:
    text = asked.text.slice(whole.span)
    yield LoopsChange("leave out", f"Leave out {_short(text)}", (edit(whole.span, ""),))
    if isinstance(whole, nodes.Labelled):
        for original in _labelled(list(asked.root.items), whole.label.text):
            said = asked.root_text.slice(original.span)
            if said != text:
                yield LoopsChange("statement", f"Write {_short(said)}", (edit(whole.span, said),))
    for access in (*_accesses(written.target), *_accesses(written.value)):
        entries = [each.value for each in access.entries if isinstance(each, nodes.Positional)]
        for entry in entries:
            for made in nearby(asked, entry):
                title = f"Access `{asked.text.slice(access.base.span)}` at `{made}`"
                yield LoopsChange("subscript", title, (edit(entry.span, made),))
        for one, other in pairwise(entries):
            swapped = asked.text.slice(other.span), asked.text.slice(one.span)
            edits = edit(one.span, swapped[0]), edit(other.span, swapped[1])
            yield LoopsChange("subscript", f"Access `[{', '.join(swapped)}]`", edits)


def _labelled(items: list[nodes.LoopsItem], label: str) -> Iterator[nodes.Labelled]:
    statements = [each for each in items if not isinstance(each, _ITEMS)]
    for block in _blocks(statements):
        yield from (each for each in block if isinstance(each, nodes.Labelled) and each.label.text == label)


def _accesses(written: nodes.Expression) -> Iterator[nodes.Index]:
    match written:
        case nodes.Index():
            yield written
        case nodes.Unary(operand=operand) | nodes.Not(operand=operand):
            yield from _accesses(operand)
        case nodes.Binary(left=left, right=right) | nodes.Compare(left=left, right=right):
            yield from _accesses(left)
            yield from _accesses(right)
        case nodes.Call(arguments=arguments):
            for each in arguments:
                if isinstance(each, nodes.Positional):
                    yield from _accesses(each.value)
        case _:
            pass


# --------------------------------------------------------------------------------------------------- loops, conditions


def _loop(asked: ReadLoops, loop: nodes.For) -> Iterator[LoopsChange]:
    if loop.parallel is not None:
        start = loop.heads[0].span.start if loop.heads else loop.span.end
        gone = Span(loop.parallel.start, start)
        yield LoopsChange("sequential", "Leave out `parallel`", (edit(gone, "for "),))
    for one, other in pairwise(loop.heads):
        yield _exchanged(asked, one, other)
    match loop.body.statements:
        case (nodes.For(heads=(inner, *_)),) if loop.heads:
            yield _exchanged(asked, loop.heads[-1], inner)
        case _:
            pass
    for head in loop.heads:
        match head:
            case nodes.ForHead(name=nodes.Name(), range=nodes.Range() as written):
                yield from _range(asked, head, written)
            case _:
                pass
    for text in rests(asked, loop):
        yield LoopsChange("rest", f"Add the rest: {_short(text)}", (edit(Span(loop.span.end, loop.span.end), text),))


def _exchanged(asked: ReadLoops, one: nodes.ForHead, other: nodes.ForHead) -> LoopsChange:
    texts = asked.text.slice(one.span), asked.text.slice(other.span)
    title = f"Exchange the loops {_short(texts[0])} and {_short(texts[1])}"
    return LoopsChange("loops", title, (edit(one.span, texts[1]), edit(other.span, texts[0])))


def _range(asked: ReadLoops, head: nodes.ForHead, written: nodes.Range) -> Iterator[LoopsChange]:
    for change in bound_changes(asked, head, written):
        kind = "least" if change.made.startswith(("min(", "max(")) and change.is_wrapped else "bound"
        title = f"Let {_short(asked.text.slice(head.span))} {'begin' if change.is_low else 'end'} at `{change.made}`"
        yield LoopsChange(kind, title, (edit(change.span, change.made),))
    low, high = asked.text.slice(written.low.span), asked.text.slice(written.high.span)
    down = written.step is not None and asked.text.slice(written.step.span).startswith("-")
    if down:
        made = f"{added(high, 1)}..{added(low, 1)}"
        yield LoopsChange("direction", f"Run upward: `{made}`", (edit(written.span, made),))
    elif written.step is None:
        made = f"{added(high, -1)}..{added(low, -1)} step -1"
        yield LoopsChange("direction", f"Run downward: `{made}`", (edit(written.span, made),))


def _condition(asked: ReadLoops, written: nodes.Expression) -> Iterator[LoopsChange]:
    match written:
        case nodes.Compare(left=left, operator=operator, right=right):
            other = EXCHANGED.get(operator)
            between = Span(left.span.end, right.span.start)
            if other is not None:
                made = f"{asked.text.slice(left.span)} {other} {asked.text.slice(right.span)}"
                yield LoopsChange("compare", f"Compare `{made}`", (edit(between, f" {other} "),))
            for side in (left, right):
                for text in nearby(asked, side):
                    yield LoopsChange("compare", f"Compare with `{text}`", (edit(side.span, text),))
        case nodes.And(left=left, right=right) | nodes.Or(left=left, right=right):
            yield from _condition(asked, left)
            yield from _condition(asked, right)
        case nodes.Not(operand=operand):
            yield from _condition(asked, operand)
        case _:
            pass


def nearby(asked: ReadLoops, written: nodes.Expression) -> Iterator[str]:
    """The expression and one more, and one less."""
    text = asked.text.slice(written.span)
    yield added(text, 1)
    yield added(text, -1)


def edit(span: Span, made: str) -> Edit:
    """The text of a place, replaced."""
    return Edit(InSource(SUBJECT, span.start, span.end), made)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f"`{line if len(line) <= 50 else line[:47] + '…'}`"
