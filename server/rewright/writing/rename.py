"""Another name for what is declared: where names stand, and why a new one is refused.

Invariant: a name that is not refused leaves every other name what it was. Must not know files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from rewright.model.check_declaration import defined
from rewright.model.check_graph.declaration import called_in
from rewright.model.check_kernel.scope import TAKEN
from rewright.model.declared import Declared
from rewright.model.operator_table import BUILT_IN_NAMES, OPERATOR_NAMES
from rewright.model.types import CONSTRAINTS
from rewright.syntax import nodes
from rewright.syntax.cut import WORDS
from rewright.syntax.nodes import Declaration, Name, Placed
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import Span, Text
from rewright.writing.alone import changed, checked

_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")


def top_level_names(node: Declaration) -> Iterator[tuple[Name, bool]]:
    """The top-level names that a declaration speaks of, each with whether it declares it."""
    own = defined(node)
    if own is not None:
        yield own[0], True
    others: tuple[Name | None, ...]
    match node:
        case nodes.EquivalentDecl(left=left, right=right):
            others = (left, right)
        case nodes.RefineDecl(head=head, target=target, items=items):
            others = (
                head.name,
                target,
                *(name for each in items if isinstance(each, nodes.Using) for name in each.names),
            )
        case nodes.TransformDecl(target=target):
            others = (target,)
        case nodes.GraphDecl() | nodes.LemmaDecl():
            others = tuple(called_in(node))
        case _:
            others = ()
    yield from ((name, False) for name in others if name is not None)


def places_of(parsed: Parsed, name: str) -> Iterator[tuple[Span, bool]]:
    """Where a file speaks of a top-level name, with whether it is declared there."""
    for placed in parsed.file.declarations:
        for each, declares in top_level_names(placed.node):
            if each.text == name:
                yield placed.absolute(each.span), declares


def unusable(new: str) -> str | None:
    """Why a text can be no name that is declared, None if it can."""
    if not _IDENTIFIER.fullmatch(new):
        return f"`{new}` is not a name: names have letters, digits and `_`, and begin with no digit"
    if new in WORDS:
        return f"`{new}` is reserved: it starts a declaration"
    if new in OPERATOR_NAMES:
        return f"`{new}` is an operator's name, which cannot be declared"
    if new in BUILT_IN_NAMES or new in CONSTRAINTS or new in TAKEN:
        return f"`{new}` has a fixed meaning and cannot be declared"
    return None


def taken(new: str, names: Collection[str]) -> str | None:
    """Why a name cannot be given where these names are, None if it can."""
    return f"`{new}` is declared already" if new in names else None


def changes_meaning(text: Text, placed: Placed, spans: Collection[Span], new: str) -> str | None:
    """Why a name cannot stand at all these spans of a declaration; None if all other names stay what they were."""
    start, data = placed.start, text.data[placed.start : placed.span.end]
    changes = [(span.shifted(-start), new) for span in spans]
    before, after = checked(data), checked(changed(data, changes))
    same = before is not None and after is not None and _outline(before) == _outline(after)
    return None if same else f"`{new}` would mean something else at one of its places"


def _outline(declared: Declared) -> tuple[list[type], list[int]]:
    """What is found, and how often each name is used, in the order of declarations."""
    return [type(each.diagnosis) for each in declared.findings], [len(symbol.uses) for symbol in declared.symbols]
