"""The variables in device memory that comments with launches speak of: their types, as a declaration says them.

Must not know what is said of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from rewright.emit.emitter import Emitter, Refused
from rewright.emit.memory import shape
from rewright.emit.types import Type
from rewright.frontends.cuda.cxx.device_variables import check_kind, variable_named
from rewright.frontends.cuda.cxx.initial import completed
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.scopes import VariableText
from rewright.frontends.cuda.cxx.type_names import declared, type_of
from rewright.frontends.cuda.launches.signatures import GlobalVariable
from rewright.frontends.cuda.lower.names import names_of
from rewright.frontends.cuda.reading.texts import ReadText


def global_variables(read: ReadText, names: Iterable[str]) -> tuple[GlobalVariable, ...]:
    """Those of the names that are variables of a text in device memory; what is of no type that is read is left out."""
    lowering = Lowering(Emitter(read.expanded.place), names_of(read))
    found: list[GlobalVariable] = []
    for name in sorted(set(names)):
        known = variable_named(lowering.names.scope, name)
        if known is None:
            continue
        try:
            extents, scalar, count, _ = shape(_kind(lowering, known[1]))
        except (Refused, RecursionError):
            continue
        found.append(GlobalVariable(name, scalar, (*extents, count) if count != 1 else tuple(extents)))
    return tuple(found)


def _kind(lowering: Lowering, written: VariableText) -> Type:
    """The type of a variable. Raises `Refused`."""
    specifier = written.node.child_by_field_name("type")
    value = written.declarator.child_by_field_name("value") or written.node.child_by_field_name("default_value")
    if specifier is None:
        raise Refused(None)
    with lowering.names.inside(written.scope):
        kind = declared(lowering, written.declarator, type_of(lowering, specifier))[1]
        kind = kind if value is None else completed(lowering.emitter, kind, value)
        check_kind(lowering.emitter, kind, written.declarator)
    return kind
