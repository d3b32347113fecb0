"""What a library rule states otherwise than the catalogue's rewrite that it is: types, rank classes, preconditions.

A precondition of the catalogue is rewritten to our names and read in the rule's own declaration, so what is compared
are the model's formulas and not their spelling. Each difference has a key, under which the manifest gives its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.file import check_file
from rewright.model.formula import IndexComparison, Quantified
from rewright.model.rule import Rule
from rewright.syntax.nodes import RuleDecl
from rewright.syntax.nodes.items import Assume, Where
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

IN_PLACE = "written in place"
WORDS = {"and", "or", "not", "assume", "forall", "every", "some", "on", "min", "max"}
SWAPPED: dict[str, Literal["<", "<="]] = {">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One table of the manifest."""

    rule: str
    file: str
    types: str
    classes: dict[str, str]
    groups: dict[str, str]
    where: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    because: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stated:
    """A rule as it stands in a file: its value, its source id, its text without and its text of the preconditions."""

    rule: Rule
    source: str
    unconditional: str
    conditions: tuple[str, ...]


def stated_rules(text: str) -> Iterator[Stated]:
    """The rules of a file, all of which must be right as far as the model goes."""
    parsed = parse(Text.of("library.rw", text))
    model = check_file(parsed, lambda path: None)
    for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
        assert isinstance(placed.node, RuleDecl), declared.name
        assert isinstance(declared.value, Rule), (declared.name, declared.findings)
        source = text.encode()[placed.start :]
        conditions = [item for item in placed.node.items if isinstance(item, Where | Assume)]
        written = [
            ("assume " if isinstance(item, Assume) else "") + source[part.span.start : part.span.end].decode()
            for item in conditions
            for part in item.predicates
        ]
        body = placed.node.head.body
        assert body is not None
        end = min([item.span.start for item in conditions], default=body.end - 1)
        yield Stated(declared.value, declared.source or "", source[:end].decode(), tuple(written))


def differences(rewrite: Rewrite, stated: Stated) -> Iterator[str]:
    """The keys of the differences: `types`, `class R`, preconditions of the catalogue alone, those of ours alone."""
    if rewrite.types != _types(stated.rule):
        yield "types"
    yield from (f"class {name}" for name in _other_classes(rewrite, stated.rule))
    theirs = {condition: _read(stated, _ours(rewrite, condition)) for condition in rewrite.where}
    ours = {condition: _read(stated, condition) for condition in stated.conditions}
    yield from (condition for condition, value in theirs.items() if value is None or value not in ours.values())
    yield from (condition for condition, value in ours.items() if value not in theirs.values())


def in_place(rewrite: Rewrite, stated: Stated, condition: str) -> bool:
    """Whether a precondition pins a name to what the rule writes in place of that name, or leaves to a default."""
    name, _, value = condition.rpartition(": ")[2].replace(":=", "==").partition(" == ")
    written = rewrite.names.get(name)
    if written is None or written != _renamed(rewrite, value):
        return False
    return written.isdigit() or written in stated.unconditional


def _types(rule: Rule) -> str | None:
    if rule.type_parameters:
        (parameter,) = rule.type_parameters
        return parameter.constraint
    return rule.left.type.name


def _other_classes(rewrite: Rewrite, rule: Rule) -> Iterator[str]:
    """The classes whose groups are not exactly one rank class of the rule, with the ranks stated."""
    found = {
        name: (" ~ ".join(group.name for group in rule.groups if group.rank_class == name), str(extent))
        for name, extent in {group.rank_class: group.extent for group in rule.groups}.items()
    }
    expected = [(rewrite.groups[name], ranks) for name, ranks in rewrite.classes.items()]
    yield from (name for name, pair in zip(rewrite.classes, expected, strict=True) if pair not in found.values())
    yield from (name for name, pair in found.items() if pair[0] not in rewrite.groups.values())


def _ours(rewrite: Rewrite, condition: str) -> str | None:
    """The catalogue's precondition in our words; None if it speaks of what our rule has no name for."""
    found = re.fullmatch(r"(\w+): (.*)", condition)
    body = _renamed(rewrite, (found[2] if found else condition).replace(":=", "=="))
    if body is None or found is None or not re.search(r"\b(and|or)\b", body):
        return body
    return f"every {rewrite.groups[found[1]].split()[0]}: {body}"


def _renamed(rewrite: Rewrite, text: str) -> str | None:
    names = rewrite.names | {name: group.split()[0] for name, group in rewrite.groups.items()}
    if any(word not in names and word not in WORDS for word in re.findall(r"[A-Za-z]\w*", text)):
        return None
    return re.sub(r"[A-Za-z]\w*", lambda word: names.get(word[0], word[0]), text)


def _read(stated: Stated, condition: str | None) -> Any:
    """The precondition as a value, read in the rule's declaration; None if it cannot be."""
    if condition is None:
        return None
    item = condition if condition.startswith("assume ") else f"where {condition}"
    (declared,) = check_file(
        parse(Text.of("condition.rw", f"{stated.unconditional}\n  {item}\n}}\n")), lambda path: None
    ).declarations
    if not isinstance(declared.value, Rule):
        return None
    (value,) = declared.value.where + declared.value.assumptions
    return _plain(value)


def _plain(value: Any) -> Any:
    """A formula without places, comparisons pointing one way, a fold of one comparison without its `every`."""
    if isinstance(value, tuple):
        return tuple(_plain(each) for each in value)
    if not isinstance(value, Struct):
        return value
    parts = {name: 0 if name == "site" else _plain(getattr(value, name)) for name in value.__struct_fields__}
    changed: Any = replace(value, **parts)
    match changed:
        case IndexComparison(operator, left, right) if operator in SWAPPED:
            return replace(changed, operator=SWAPPED[operator], left=right, right=left)
        case Quantified("every", _, IndexComparison() as body):
            return body
    return changed
