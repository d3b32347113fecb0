"""A counterexample pinned as an `example` of its rule, which is replayed before anything else on every save.

Invariant: the example that is written reads back as the counterexample, value by value. What an `example` cannot say,
tables of functions and large tensors, is not pinned.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.fixes.edited import edited
from rewright.fixes.preconditions.edits import RuleText, new_item
from rewright.model.file import check_file
from rewright.model.rule import Extent, Pinned, Rule
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Edit, Failure, Instance, RuleWitness, TensorValue

LONGEST = 400
"""Characters of an example that is written: on one line, and still to be read."""


def pinning(rule: RuleText, witness: RuleWitness) -> Edit | None:
    """The edit that writes a counterexample into its rule; None if it stands there, or cannot be said."""
    declared = rule.declared.value
    if not isinstance(declared, Rule) or witness.fails is Failure.VACUOUS or witness.instance.functions:
        return None
    if any(_says(pinned, witness.instance, declared) for pinned in declared.examples):
        return None
    text = f"example {{ {'; '.join(_pins(declared, witness.instance))} }}"
    edit = new_item(rule.text, rule.placed.span, text) if len(text) <= LONGEST else None
    return edit if edit is not None and _reads_back(rule, edit, witness.instance) else None


def _pins(rule: Rule, instance: Instance) -> Iterator[str]:
    single = {group.name for group in rule.groups if group.extent is Extent.SINGLE}
    yield from (f"{group} = {rank}" for group, rank in instance.ranks if group not in single)
    yield from (f"{name} = {list(axes)}" for name, axes in instance.maps)
    yield from (f"{name} = {value}" for name, value in (*instance.integers, *instance.scalars))
    yield from (f"{name} = {_nested(value.shape, list(value.data))}" for name, value in instance.tensors)


def _nested(shape: tuple[int, ...], cells: list[str]) -> str:
    if not shape:
        return cells[0]
    step = len(cells) // shape[0] if shape[0] else 0
    parts = (_nested(shape[1:], cells[at * step : (at + 1) * step]) for at in range(shape[0])) if cells else ()
    return f"[{', '.join(parts)}]"


def _reads_back(rule: RuleText, edit: Edit, instance: Instance) -> bool:
    """Whether the changed rule has the counterexample as its last example, and is right as far as the model tells."""
    changed = Text.of(rule.text.uri, edited({rule.text.uri: rule.text.text}, (edit,))[rule.text.uri])
    start, end = rule.placed.start, rule.placed.span.end + len(edit.text.encode())
    alone = parse(Text.of(rule.text.uri, changed.data[start:end].decode()))
    (found,) = check_file(alone, lambda path: None).declarations or (None,)
    if found is None or not isinstance(found.value, Rule) or found.has_errors or not found.value.examples:
        return False
    return _says(found.value.examples[-1], instance, found.value)


def _says(pinned: Pinned, instance: Instance, rule: Rule) -> bool:
    """Whether an example says all of an input."""
    single = {group.name for group in rule.groups if group.extent is Extent.SINGLE}
    ranks = {name: rank for name, rank in instance.ranks if name not in single}
    known = {name: rank for name, rank in pinned.ranks if name not in single}
    tensors = {name: value.data for name, value in instance.tensors}
    given = {name: _given(texts, value) for (name, texts), value in _paired(pinned, instance)}
    given |= {name: (text,) for name, text in pinned.scalars if name in tensors}
    scalars = {name: text for name, text in pinned.scalars if name not in tensors}
    return (
        ranks == known
        and dict(instance.maps) == dict(pinned.maps)
        and dict(instance.integers) == dict(pinned.integers)
        and dict(instance.scalars) == scalars
        and tensors == given
    )


def _paired(pinned: Pinned, instance: Instance) -> Iterator[tuple[tuple[str, tuple[str, ...] | None], TensorValue]]:
    values = dict(instance.tensors)
    return (((name, texts), values[name]) for name, texts in pinned.tensors if name in values)


def _given(texts: tuple[str, ...] | None, value: TensorValue) -> tuple[str, ...]:
    return tuple(map(str, range(len(value.data)))) if texts is None else texts
