"""What the checks of one rule share: the notes, the names, the types that are still being inferred.

Must not know any construct of the language.
"""

from __future__ import annotations

from msgspec import Struct, field

from rewright.model.check_rule.scope import BrokenName, Meaning, RuleScope
from rewright.model.declared import SymbolKind
from rewright.model.index import Name
from rewright.model.notes import Notes
from rewright.model.rule import MapDeclaration
from rewright.model.tensor import Tensor
from rewright.model.types import Inference
from rewright.syntax.nodes import Name as Written


class RuleContext(Struct):
    """The state of checking one rule.

    `per_element` holds inside an assumption, where tensors stand for their element at the bound index and operands are
    not compared by their groups. `typed` keeps the tensor expressions by site, for their types to be shown; `holes` are
    the maps that stand for holes.
    """

    notes: Notes
    scope: RuleScope
    types: Inference
    per_element: bool = False
    typed: dict[int, Tensor] = field(default_factory=dict)
    holes: list[MapDeclaration] = field(default_factory=list)

    def declare(self, name: Written, meaning: Meaning, shown: tuple[SymbolKind, str]) -> bool:
        """Enters a name, with what an editor shows of it; whether it is new and its declaration is right."""
        kind, detail = shown
        entered = self.scope.declare(name, meaning)
        if entered:
            self.notes.define(name, kind, detail)
        return entered and not isinstance(meaning, BrokenName)


class Reading(Struct):
    """The rank class on whose axes an index expression is read.

    It is given by the expression's place or else by the first map met in it; until then it is None. `group` is the axis
    group to name in a message.
    """

    rank_class: Name | None = None
    group: str = ""
