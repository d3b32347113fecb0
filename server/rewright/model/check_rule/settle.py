"""The end of type inference: every type variable in a value is replaced by the type it turned out to be.

Owns the reports of types that are not unique and of types without what is asked of them. Must not know what the value
means.
"""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

from rewright.model.check_rule.context import RuleContext
from rewright.model.tensor import ElementType
from rewright.model.types import Inference, is_variable
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import NotDefinedOnType, TypeNotUnique

T = TypeVar("T")


def report_types(context: RuleContext) -> None:
    """Reports each use of a type without what the use needs, outermost first, and each type that is not unique.

    The latter only where nothing else is wrong or open, for that may be why nothing determines the type.
    """
    sites = context.notes.sites()
    reported: list[tuple[Span, str]] = []
    failures = context.types.failures()
    for failure in sorted(failures, key=lambda each: _length(sites[each.site]), reverse=True):
        span, type_ = sites[failure.site], context.types.text(failure.type)
        if not any(_nested(span, other) and type_ == same for other, same in reported):
            reported.append((span, type_))
            constraint = context.types.constraint(failure.type) or ""
            context.notes.error(NotDefinedOnType(failure.by, failure.need.value, type_, constraint), span)
    complete = not context.notes.has_errors and not context.notes.unsupported
    for origin in context.types.open_origins() if complete else ():
        context.notes.error(TypeNotUnique(origin.text, origin.fix), sites[origin.site])


def settled(types: Inference, value: T) -> T:
    """The value with every type variable replaced."""
    rewritten: T = _settled(types, value) if types.has_variables else value
    return rewritten


def _settled(types: Inference, value: Any) -> Any:
    if isinstance(value, ElementType):
        return types.resolve(value) if is_variable(value) else value
    if isinstance(value, tuple):
        parts = tuple(_settled(types, part) for part in value)
        return value if all(a is b for a, b in zip(value, parts, strict=True)) else parts
    if not isinstance(value, Struct):
        return value
    old = [getattr(value, name) for name in value.__struct_fields__]
    new = [_settled(types, part) for part in old]
    return value if all(a is b for a, b in zip(old, new, strict=True)) else type(value)(*new)


def _length(span: Span) -> int:
    return span.end - span.start


def _nested(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end
