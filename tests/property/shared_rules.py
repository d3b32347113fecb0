"""Random rules in which both sides read something computed in place of a tensor.

Owns what that is: moved, combined elementwise (perhaps undefined somewhere) or reduced (perhaps of nothing). The rules
are those of `reduction_rules`, true ones and mutants, so what is shared meets everything else that is reduced.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import builders as b
from builders import IllFormed, Ix, numbered
from msgspec import Struct
from msgspec.structs import replace
from random_rules import Drawn, canonical_text
from reduction_rules import reduction_rules

from rewright.model import index as mi
from rewright.model import rule as m
from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.model.rule import Extent

Computed = Callable[[mt.Tensor], mt.Tensor]

POINTWISE = ("add", "multiply", "subtract", "maximum", "divide", "divide")


def shared_rules(seed: int, count: int) -> Iterator[Drawn]:
    """`count` rules, no two the same up to renaming."""
    rng = random.Random(f"shared {seed}")
    seen: set[str] = set()
    for _, drawn in reduction_rules(seed, 20 * count):
        computed = _computed(drawn.rule, rng) if _of_numbers(drawn.rule) else None
        text = canonical_text(computed) if computed else ""
        if computed is not None and text not in seen:
            seen.add(text)
            yield replace(drawn, rule=computed)
        if len(seen) == count:
            return


def _of_numbers(rule: m.Rule) -> bool:
    return all(kind in ("int", "real") for domain in rule.domains for _, kind in domain)


def _computed(rule: m.Rule, rng: random.Random) -> m.Rule | None:
    """The rule with one tensor computed, or two; None if it has none."""
    for _ in range(rng.choice([1, 1, 2])):
        chosen = [tensor for tensor in rule.tensors if tensor.shape and tensor.type.name != "pred"]
        if not chosen:
            return None
        tensor = rng.choice(chosen)
        try:
            rule, computed = _way(rule, tensor, rng)
        except IllFormed:
            return None
        left, right = (_put(side, tensor.name, computed) for side in (rule.left, rule.right))
        rule = replace(rule, left=left, right=right)
    return numbered(rule)


def _way(rule: m.Rule, tensor: m.TensorDeclaration, rng: random.Random) -> tuple[m.Rule, Computed]:
    """A way to compute a tensor of the same shape from this one and others, and the rule with those declared."""
    group, _ = rng.choice(tensor.shape)
    kind = rng.choice(["pointwise"] * 5 + ["chosen", "reverse", "shift", "shift", "reduce", "reduce"])
    match kind:
        case "reverse":
            return rule, lambda read: b.reverse(read, [group])
        case "shift":
            filler = b.constant(rng.choice(["0", "1"]), tensor.type)
            by = rng.choice([(1, -1), (-1, 1), (2, -2)])
            return rule, lambda read: b.pad(read, filler, {group: by})
        case "pointwise":
            other = replace(tensor, name=_fresh(rule, "X"))
            operator, swapped = rng.choice(POINTWISE), rng.random() < 0.5
            rule = replace(rule, tensors=(*rule.tensors, other))
            if swapped:
                return rule, lambda read: b.pointwise(operator, _read(other), read)
            return rule, lambda read: b.pointwise(operator, read, _read(other))
        case "chosen":
            other = replace(tensor, name=_fresh(rule, "X"))
            rule = replace(rule, tensors=(*rule.tensors, other))
            return rule, lambda read: b.pointwise(
                "select", b.pointwise("lt", read, _read(other)), read, b.pointwise("divide", read, _read(other))
            )
        case _:
            return _reduced(rule, tensor, rng.choice(["add", "add", "maximum", "minimum"]))


def _reduced(rule: m.Rule, tensor: m.TensorDeclaration, monoid: str) -> tuple[m.Rule, Computed]:
    """The tensor combined with what is reduced of one more."""
    extra = m.Group(_fresh(rule, "B"), _fresh(rule, "B"), Extent.ANY)
    size = m.MapDeclaration(_fresh(rule, "n"), extra.rank_class)
    along = mi.MapReference(size.name, extra.rank_class, 0)
    other = replace(tensor, name=_fresh(rule, "X"), shape=(*tensor.shape, (extra.name, Ix(along).node)))
    declared = replace(
        rule,
        groups=(*rule.groups, extra),
        maps=(*rule.maps, size),
        tensors=(*rule.tensors, other),
    )
    join = "maximum" if monoid == "maximum" else "minimum" if monoid == "minimum" else "add"
    return declared, lambda read: b.pointwise(join, b.reduce(monoid, _read(other), [extra.name]), read)


def _read(tensor: m.TensorDeclaration) -> mt.Tensor:
    return mt.TensorReference(tensor.name, tensor.type, tuple(group for group, _ in tensor.shape), 0)


def _fresh(rule: m.Rule, letter: str) -> Name:
    taken = {
        *(group.name for group in rule.groups),
        *(declared.name for declared in rule.maps),
        *(tensor.name for tensor in rule.tensors),
    }
    return next(Name(f"{letter}{number}") for number in range(90, 200) if f"{letter}{number}" not in taken)


def _put(value: Any, name: Name, computed: Computed) -> Any:
    """The expression with what is computed of a tensor in place of each of its reads."""
    if isinstance(value, mt.TensorReference) and value.name == name:
        return computed(value)
    if isinstance(value, tuple):
        return tuple(_put(item, name, computed) for item in value)
    if not isinstance(value, Struct):
        return value
    changes = {part: _put(getattr(value, part), name, computed) for part in value.__struct_fields__}
    return replace(value, **changes)
