"""The functions that are being lowered: the kernel, and those inlined into it, one inside the other.

Must not know how a body is lowered.
"""

from __future__ import annotations

from msgspec import Struct, field

from rewright.emit.builder import Label
from rewright.emit.types import Type
from rewright.emit.values import Value


class BodyFacts(Struct, frozen=True):
    """What is seen in a body: names assigned, names whose address is taken, whether its only `return` ends it."""

    assigned: frozenset[str]
    addressed: frozenset[str]
    is_direct: bool


class FunctionFrame(Struct):
    """A function being lowered: the kernel, or one inlined into it.

    `key` says which function this is: where it stands, template arguments, the object's type, what is known of the
    arguments. `result` is None until a `return` with a value was seen; a function `is_direct` if its one `return` ends
    it, so that its value needs no variable; it `has_ended` where control does not come to what follows. `addressed` and
    `assigned` are names of the function's text; `labels` are those that a `goto` leads to, `repeated` where
    one back to a label goes on.
    """

    key: tuple[object, ...]
    type: Type
    end: Label
    is_direct: bool
    addressed: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    result: Value | None = None
    breaks: list[Label] = field(default_factory=list)
    continues: list[Label] = field(default_factory=list)
    labels: dict[str, Label] = field(default_factory=dict)
    repeated: dict[str, Label] = field(default_factory=dict)
    outer: FunctionFrame | None = None
    has_ended: bool = False

    @property
    def depth(self) -> int:
        """How many calls deep the function is."""
        return 0 if self.outer is None else self.outer.depth + 1
