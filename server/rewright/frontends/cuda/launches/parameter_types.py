"""The parameters of kernels whose types need more than their words: structs, enums, names of other namespaces.

What a declaration has of each is what lowering the kernel asks of it, so both read types by the same code. Must not
know launches.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.emit.emitter import Emitter, Refused
from rewright.emit.passed import NotPassed, PassedPart, element_of, extents_of, parts_of
from rewright.emit.problem import Problem
from rewright.emit.types import Arithmetic, ArrayType, OpaqueType
from rewright.frontends.cuda.cxx.functions import parameter_type
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.scopes import Scope
from rewright.frontends.cuda.launches.signatures import Parameter, Signature, scalar_of
from rewright.frontends.cuda.lower.kernel import bind_template, functions_named
from rewright.frontends.cuda.lower.names import names_of
from rewright.frontends.cuda.reading.texts import ReadText
from rewright.model.kernel import Foreign


class ParameterTypes(Struct):
    """Reads types of one text; what names mean there is found out once, when a kernel first needs it."""

    read: ReadText
    _lowering: Lowering | None = field(default=None)

    def __call__(self, signature: Signature, arguments: Mapping[str, str]) -> tuple[Parameter, ...]:
        """The parameters, those of several parts in parts; those that are not supported say why."""
        if self._lowering is None:
            self._lowering = Lowering(Emitter(self.read.expanded.place), names_of(self.read))
        lowering = self._lowering
        try:
            scope = _scope(lowering, signature, arguments)
        except (Refused, RecursionError):
            return signature.parameters
        found: list[Parameter] = []
        for parameter in signature.parameters:
            if parameter.depth < 2 and scalar_of(parameter, signature, arguments) is not None:
                found.append(parameter)
                continue
            try:
                with lowering.names.inside(scope):
                    found += _parameters(lowering, parameter)
            except Refused as refused:
                found.append(replace(parameter, wrong=refused.problem))
            except RecursionError:
                problem = Problem("this type is nested too deeply", lowering.emitter.place(parameter.node))
                found.append(replace(parameter, wrong=problem))
        return tuple(found)


def _scope(lowering: Lowering, signature: Signature, arguments: Mapping[str, str]) -> Scope:
    """The scope of the kernel's parameters. Raises `Refused` where the arguments do not fit its template."""
    names = lowering.names
    functions = functions_named(names.scope, [], signature.name)
    function = next((each for each in functions if each.node.start_byte == signature.node.start_byte), None)
    if function is None:
        raise Refused(None)
    scope = Scope(function.scope)
    given = tuple(arguments[each.name] for each in signature.template if each.name in arguments)
    bind_template(lowering, scope, function, Foreign("", signature.name, (), 0, given))
    return scope


def _parameters(lowering: Lowering, parameter: Parameter) -> list[Parameter]:
    """The parts of a parameter. Raises `Refused`."""
    kind = parameter_type(lowering, parameter.node)
    try:
        return [_of_part(parameter, part) for part in parts_of(kind)]
    except NotPassed as what:
        lowering.emitter.refuse_construct(parameter.node, str(what))


def _of_part(parameter: Parameter, part: PassedPart) -> Parameter:
    name = parameter.name + part.path
    extents = extents_of(part.type) if isinstance(part.type, ArrayType | OpaqueType) else None
    if isinstance(part.type, Arithmetic):
        return replace(parameter, name=name, depth=0, scalar=part.type.scalar)
    if part.record is not None:
        pointer, scalar, count = parameter.name + part.record.pointer, part.record.scalar, part.record.elements
        is_constant = parameter.is_constant and not part.record.pointer
        made = replace(parameter, name=name, depth=1, scalar=scalar, is_constant=is_constant)
        return replace(made, record=pointer, count=count)
    is_constant = extents is not None or (parameter.is_constant and not part.path)
    scalar = element_of(part.type)
    return replace(parameter, name=name, depth=1, scalar=scalar, extents=extents, is_constant=is_constant)
