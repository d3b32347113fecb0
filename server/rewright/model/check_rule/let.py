"""The `let`s of a rule: each is checked once and stands for its value wherever it is named.

Invariant: after `resolve_lets` no name is `Later`. A `let` may stand after its use; one that needs itself is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rewright.model.check_rule.context import Reading, RuleContext
from rewright.model.check_rule.index import index, reads_map
from rewright.model.check_rule.measure import Measure, measure
from rewright.model.check_rule.scope import BrokenName, IndexLet, Later, LiteralLet, Meaning, TensorLet
from rewright.model.check_rule.tensor import tensor
from rewright.model.check_rule.world import World, world
from rewright.model.written import names_in
from rewright.syntax.nodes import Expression, Let, Name
from rewright.verdict.diagnostics.names import LetNeedsItself


def resolve_lets(context: RuleContext, lets: Sequence[Let]) -> None:
    """Gives every `let` its value, those it needs first."""
    measured: dict[int, tuple[object, Measure]] = {}
    pending = {let.targets[0].text: let for let in lets if len(let.targets) == 1 and _is_later(context, let.targets[0])}
    for let in _in_order_of_need(context, pending):
        name = let.targets[0]
        meaning = _meaning(context, let.value)
        if isinstance(meaning, IndexLet | TensorLet) and not measure(meaning.value, measured).reasonable:
            context.notes.unknown("the rule is too large once every `let` is written out", name.span)
            meaning = BrokenName()
        context.scope.resolve(name.text, meaning)


def _is_later(context: RuleContext, name: Name) -> bool:
    entry = context.scope.entry(name.text)
    return entry is not None and entry.definition == name.span and isinstance(entry.meaning, Later)


def _in_order_of_need(context: RuleContext, pending: dict[str, Let]) -> Iterator[Let]:
    """Every `let` after those it needs; one that needs itself is reported and becomes `BrokenName`."""
    needs = {name: [each for each in names_in(let.value) if each.text in pending] for name, let in pending.items()}
    done: set[str] = set()
    for first in pending:
        open_ = {first: iter(needs[first])} if first not in done else {}
        while open_:
            name = next(reversed(open_))
            needed = next((each for each in open_[name] if each.text not in done), None)
            if needed is None:
                del open_[name]
                if name not in done:
                    done.add(name)
                    yield pending[name]
            elif needed.text in open_:
                context.notes.error(LetNeedsItself(needed.text), needed.span)
                context.scope.resolve(needed.text, BrokenName())
                done.add(needed.text)
            else:
                open_[needed.text] = iter(needs[needed.text])


def _meaning(context: RuleContext, value: Expression) -> Meaning:
    reading = world(context.scope, value)
    if reading is World.NUMBERS:
        return LiteralLet(value)
    if reading is World.INDICES:
        axes = Reading()
        found = index(context, value, axes)
        if found is None:
            return BrokenName()
        return IndexLet(found, axes.rank_class if reads_map(found) else None, axes.group)
    held = tensor(context, value)
    return BrokenName() if held is None else TensorLet(held)
