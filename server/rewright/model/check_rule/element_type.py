"""Element types where they are written: concrete ones, type parameters, and their constraints.

Must not know what has the type.
"""

from __future__ import annotations

from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.scope import BrokenName
from rewright.model.rule import TypeParameter
from rewright.model.tensor import ElementType
from rewright.model.types import CONCRETE, CONSTRAINTS, MACHINE_TYPES
from rewright.syntax.nodes import Name
from rewright.verdict.diagnostics.names import AnotherKind, UnknownElementType


def element_type(context: RuleContext, name: Name) -> ElementType | None:
    """The element type that a name stands for; reported if it stands for none."""
    if name.text in CONCRETE:
        if name.text in MACHINE_TYPES:
            context.notes.not_supported(f"`{name.text}`", name.span)
        return ElementType(name.text, None)
    if name.text in CONSTRAINTS:
        fix = f"declare a type parameter `<T: {name.text}>`"
        context.notes.error(AnotherKind(name.text, "a constraint", "an element type", fix), name.span)
        return None
    match context.scope.look_up(name, "element type"):
        case TypeParameter(name=parameter):
            return ElementType(None, parameter)
        case None | BrokenName():
            return None
        case other:
            context.scope.wrong_kind(name, other, "an element type")
            return None


def names_type(context: RuleContext, name: Name) -> bool:
    """Whether a name stands for an element type."""
    entry = context.scope.entry(name.text)
    return name.text in CONCRETE or (entry is not None and isinstance(entry.meaning, TypeParameter))


def constraint(context: RuleContext, name: Name) -> str | None:
    """The constraint of a type parameter; reported if there is no such constraint."""
    if name.text in CONSTRAINTS:
        return name.text
    context.notes.error(UnknownElementType(name.text, ", ".join(f"`{each}`" for each in CONSTRAINTS)), name.span)
    return None
