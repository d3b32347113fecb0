"""Rules written as text, and instances written as keyword arguments, for the replay's tests."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.replay.outcomes import Outcome
from rewright.replay.rule import replay
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Instance, Severity, TensorValue


def rule(items: str, parameter: str = "T: any") -> Rule:
    """The rule with these items."""
    text = f"rule tested<{parameter}> {{\n{items}\n}}\n"
    declared = check_file(parse(Text.of("tested.rw", text)), lambda path: None).declarations[0]
    assert not [finding for finding in declared.findings if finding.severity is Severity.ERROR], declared.findings
    assert isinstance(declared.value, Rule)
    return declared.value


def question(items: str, parameter: str = "T: any", direction: str = "=>") -> RuleQuestion:
    """The first question of the rule with these items."""
    value = rule(items, parameter)
    return RuleQuestion(value, value.domains[0], "=>" if direction == "=>" else "<=")


def instance(value: Rule, ranks: dict[str, int], **values: object) -> Instance:
    """An instance: maps as lists, integers and scalars bare, tensors as (shape, elements)."""
    maps = tuple((m.name, tuple(_list(values[m.name]))) for m in value.maps)
    integers = tuple((name, int(str(values[name]))) for name in value.integers)
    scalars = tuple((s.name, str(values[s.name])) for s in value.scalars)
    tensors = tuple((t.name, _tensor(values[t.name])) for t in value.tensors)
    return Instance(tuple((g.name, ranks[g.name]) for g in value.groups), maps, integers, scalars, tensors)


def outcome(asked: RuleQuestion, ranks: dict[str, int], **values: object) -> Outcome:
    """What replaying the instance comes to."""
    return replay(asked, instance(asked.rule, ranks, **values))


def left_value(items: str, ranks: dict[str, int], **values: object) -> tuple[tuple[int, ...], str]:
    """The shape and the elements (separated by spaces) of the left side of `items`, a rule `left => left`."""
    parameter = str(values.pop("parameter", "T: any"))
    asked = question(items, parameter)
    found = outcome(asked, ranks, **values)
    step = next(step for step in getattr(found, "steps", ()) if step.site == asked.rule.left.site)
    return step.value.shape, " ".join(step.value.data)


def _list(value: object) -> list[int]:
    assert isinstance(value, list)
    return value


def _tensor(value: object) -> TensorValue:
    """`(shape, "a b c")` or a list, which has one axis."""
    if isinstance(value, list):
        return TensorValue((len(value),), tuple(map(str, value)))
    assert isinstance(value, tuple)
    shape, elements = value
    texts: Sequence[str] = elements.split() if isinstance(elements, str) else [str(e) for e in elements]
    assert len(texts) == prod(shape)
    return TensorValue(tuple(shape), tuple(texts))
