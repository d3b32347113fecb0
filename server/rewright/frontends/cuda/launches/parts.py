"""What is known of a kernel's launch, from a comment or a call, and the declaration that it makes with the signature.

Invariant: parameters of the kernel are those of the function, in its order, whatever order their values need. Must not
know where the parts come from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.problem import Problem
from rewright.frontends.cuda.launches.launch_bounds import beyond_bounds, most_threads, within_bounds
from rewright.frontends.cuda.launches.signatures import GlobalVariable, Parameter, Signature, scalar_of
from rewright.frontends.cuda.launches.text import WORD, Declaration, LaunchText, names_in
from rewright.model.body import Expression, Integer
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Direction, Foreign, Kernel, ScalarParameter
from rewright.model.kernel import Parameter as Declared
from rewright.model.simt.types import Scalar
from rewright.verdict import InSource, Site


class LaunchPart(Struct, frozen=True):
    """A text of our own syntax; `start` is where it stands in the source, None if it was made."""

    text: str
    start: int | None = None


class LaunchParts(Struct, frozen=True):
    """Everything said of a launch. `items` are items of a declaration; `template` the arguments that are given.

    `values` are those of scalar parameters or of further sizes, `arrays` the directions and types of arrays. `free` are
    further sizes without a value, `quantified` the names of which any value counts. `shown` is the launch as CUDA
    writes it, where a call says it, `passed` are large constants that the call passes to parameters without a value;
    `same` are arrays that the call passes what it passes an earlier one.
    """

    items: tuple[LaunchPart, ...] = ()
    values: Mapping[str, LaunchPart] = field(default_factory=dict)
    arrays: Mapping[str, LaunchPart] = field(default_factory=dict)
    template: Mapping[str, str] = field(default_factory=dict)
    free: tuple[str, ...] = ()
    quantified: Mapping[str, LaunchPart] = field(default_factory=dict)
    shown: str = ""
    passed: Mapping[str, int] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)

    @property
    def launch(self) -> str:
        """The launch among the items, empty if there is none."""
        return next((part.text for part in self.items if part.text.startswith("launch")), "")


def merged(first: LaunchParts, second: LaunchParts) -> LaunchParts:
    """What both say; where they differ, what the first says."""
    further = without_launch(second).items if first.launch else second.items
    return LaunchParts(
        first.items + further,
        {**second.values, **first.values},
        {**second.arrays, **first.arrays},
        {**second.template, **first.template},
        tuple(dict.fromkeys((*first.free, *(() if first.launch else second.free)))),
        {**second.quantified, **first.quantified},
        passed={**second.passed, **first.passed},
        same={**second.same, **first.same},
    )


def without_launch(parts: LaunchParts) -> LaunchParts:
    """All that is said but for the launches."""
    return replace(parts, items=tuple(each for each in parts.items if not each.text.startswith("launch")))


def kernel_of(path: str, signature: Signature, parts: LaunchParts, place: Callable[[Node], InSource]) -> Declaration:
    """The kernel of a source with its launch, or what is wrong with what is said, or not enough."""
    arguments = _template(signature, parts)
    signature = signature.flattened(arguments)
    problems = [
        Problem(
            f"a pack, as `{each.name}` of the template is, is not supported yet"
            if each.is_pack
            else f"the template parameter `{each.name}` has no argument; state `{each.name} = …`",
            place(signature.name_node),
        )
        for each in signature.template
        if each.is_pack or each.name not in arguments
    ]
    problems += unsupported(signature, arguments, place)
    if problems:
        return Declaration(None, (), tuple(problems))
    most = most_threads(signature, arguments)
    if required := within_bounds(parts.launch, most):
        parts = replace(parts, items=(*parts.items, LaunchPart(required)))
    names = [*signature.names, *parts.free]
    text = LaunchText(path, place(signature.name_node), names)
    _write(text, signature, parts, arguments)
    declaration = text.declared()
    kernel = declaration.kernel
    if kernel is None or not isinstance(kernel.body, Foreign):
        return declaration
    given = max((n for n, each in enumerate(signature.template, 1) if each.name in parts.template), default=0)
    parameters = _ordered(signature, kernel, arguments)
    same = _one_array(parameters, parts.same)
    parameters = tuple(_shared(each, parameters, same) for each in parameters)
    stated = tuple(arguments.values())[:given]
    body = replace(kernel.body, path=path, entry=signature.entry, arguments=stated, same=tuple(same.items()))
    sizes = tuple(replace(each, of_host=str(each.name) in parts.free) for each in kernel.sizes)
    passed = tuple((each.name, parts.passed[str(each.name)]) for each in parameters if _is_open(each, parts))
    whole = replace(kernel, name=Name(signature.shown), sizes=sizes, parameters=parameters, body=body, passed=passed)
    if reason := beyond_bounds(whole, most):
        return Declaration(None, (), (Problem(reason, place(signature.name_node)),))
    return replace(declaration, kernel=whole)


def _is_open(parameter: Declared, parts: LaunchParts) -> bool:
    """Whether a parameter has no value, though a call passes it one."""
    is_free = isinstance(parameter, ScalarParameter) and parameter.value is None
    return is_free and str(parameter.name) in parts.passed


def unsupported(signature: Signature, arguments: Mapping[str, str], place: Callable[[Node], InSource]) -> list[Problem]:
    """The parameters whose types no declaration can say, whatever template parameters without an argument stand for."""
    unknown = {each.name for each in signature.template} - set(arguments)
    return [
        each.wrong
        or Problem(
            f"a parameter of type `{' '.join(each.words)}{'*' * each.depth}` is not supported yet", place(each.node)
        )
        for each in signature.flattened(arguments).parameters
        if each.depth > 1 or (scalar_of(each, signature, arguments) is None and (each.wrong or not unknown))
    ]


def _template(signature: Signature, parts: LaunchParts) -> dict[str, str]:
    """The arguments of the template by name, in its order, as far as something says what they are."""
    said = {each.name: parts.template.get(each.name, each.default) for each in signature.template}
    return {name: argument for name, argument in said.items() if argument is not None}


def _write(text: LaunchText, signature: Signature, parts: LaunchParts, arguments: Mapping[str, str]) -> None:
    """Writes the declaration: further sizes, the scalars that are spoken of, the arrays that are, the items."""
    said = (*parts.items, *parts.values.values(), *parts.arrays.values(), *parts.quantified.values())
    words = {name for part in said for name in names_in(part.text)}.difference(parts.values)
    mentioned = words | set(parts.values)
    names = {each.name for each in signature.parameters}
    variables = [each for each in signature.variables if each.name in mentioned and each.name not in names]
    names |= {each.name for each in variables if not each.extents}
    _quantify(text, parts)
    text.own("kernel declared")
    free: list[tuple[str, str, LaunchPart | None]] = [("", each, None) for each in parts.free if each in words]
    given = [("", name, part) for name, part in parts.values.items() if name not in names and WORD.fullmatch(name)]
    _list(text, "<>", [*free, *given])
    scalars = [each for each in signature.parameters if not each.depth and each.name in mentioned]
    scalars.sort(key=lambda each: each.name in parts.values)  # a value may be made of parameters that follow
    written: list[tuple[str, str, LaunchPart | None]] = [
        (f": {scalar_of(each, signature, arguments)}", each.name, parts.values.get(each.name)) for each in scalars
    ]
    written += [_global_variable(each, parts) for each in variables if each.name not in parts.arrays]
    tables = [each for each in signature.parameters if each.extents is not None and each.name in mentioned]
    written += [
        (f": in {each.scalar}{list(each.extents or ())}", each.name, None)
        for each in tables
        if each.name not in parts.arrays
    ]
    _list(text, "()", [*written, *((":", name, part) for name, part in parts.arrays.items())])
    text.own(' from "source"::entry {')
    for item in parts.items:
        text.own("\n")
        _put(text, item)
    text.own("\n}")


def _quantify(text: LaunchText, parts: LaunchParts) -> None:
    """Writes the names of which any value counts, but for those that a call passes a value for."""
    passed = {name for name, value in parts.values.items() if value.start is None}
    open_parts = [part for name, part in parts.quantified.items() if name not in passed]
    if open_parts:
        text.own("@forall(")
        for number, part in enumerate(open_parts):
            text.own(", " if number else "")
            _put(text, part)
        text.own(")\n")


def _global_variable(variable: GlobalVariable, parts: LaunchParts) -> tuple[str, str, LaunchPart | None]:
    """A variable in device memory that is spoken of: a scalar with its value if it is given one, or an array."""
    if not variable.extents:
        return f": {variable.scalar}", variable.name, parts.values.get(variable.name)
    extents = ", ".join(map(str, variable.extents))
    return f": in {variable.scalar}[{extents}]", variable.name, None


def _list(text: LaunchText, brackets: str, entries: Sequence[tuple[str, str, LaunchPart | None]]) -> None:
    """Writes names with their types and values: a type alone (`:`) is said by the part itself."""
    if not entries:
        return
    text.own(brackets[0])
    for number, (kind, name, part) in enumerate(entries):
        text.own(", " if number else "")
        text.names(name + kind)
        if part is not None:
            text.own(" " if kind == ":" else " = ")
            _put(text, part)
    text.own(brackets[1])


def _put(text: LaunchText, part: LaunchPart) -> None:
    if part.start is None:
        text.names(part.text)
    else:
        text.copy(part.text, part.start)


def _ordered(signature: Signature, kernel: Kernel, arguments: Mapping[str, str]) -> tuple[Declared, ...]:
    """The parameters in the function's order; those that nothing was said of are free, arrays of unknown size.

    Variables in device memory that are spoken of follow.
    """
    known = {str(each.name): each for each in kernel.parameters}
    names = {each.name for each in signature.parameters}
    own = tuple(known.get(each.name) or _unspoken(each, signature, arguments) for each in signature.parameters)
    own = _together(signature, own)
    return (*own, *(each for each in kernel.parameters if str(each.name) not in names))


def _one_array(parameters: tuple[Declared, ...], same: Mapping[str, str]) -> dict[Name, Name]:
    """The arrays of unknown size that are one with an earlier one of the same type."""
    silent = {str(p.name): p for p in parameters if isinstance(p, ArrayParameter) and p.extents is None}
    known = ((silent[each], silent[first]) for each, first in same.items() if {each, first} <= silent.keys())
    return {each.name: first.name for each, first in known if each.type is first.type}


def _shared(parameter: Declared, parameters: tuple[Declared, ...], same: Mapping[Name, Name]) -> Declared:
    """A parameter; if it is one array with others, it is read or written where one of them is."""
    own = same.get(parameter.name, parameter.name)
    alike = [each for each in parameters if same.get(each.name, each.name) == own]
    kept = all(isinstance(each, ArrayParameter) and each.direction is Direction.IN for each in alike)
    if not isinstance(parameter, ArrayParameter) or len(alike) == 1 or kept:
        return parameter
    return replace(parameter, direction=Direction.INOUT)


def _together(signature: Signature, declared: tuple[Declared, ...]) -> tuple[Declared, ...]:
    """The parameters, fields of one array of structs with one size: what is said of one field holds for all.

    Only if all of them are `out` is the array written alone.
    """
    sizes: dict[str, tuple[Expression, ...]] = {}
    read: set[str] = set()
    for each, made in zip(signature.parameters, declared, strict=True):
        if each.record and isinstance(made, ArrayParameter):
            if made.extents is not None:
                sizes.setdefault(each.record, made.extents if each.count == 1 else made.extents[:-1])
            if made.direction is not Direction.OUT:
                read.add(each.record)
    return tuple(
        _field_of(each, made, sizes.get(each.record), read)
        if each.record and isinstance(made, ArrayParameter)
        else made
        for each, made in zip(signature.parameters, declared, strict=True)
    )


def _field_of(
    parameter: Parameter, made: ArrayParameter, size: tuple[Expression, ...] | None, read: set[str]
) -> ArrayParameter:
    """A field of an array of structs, of which something may be said by another field."""
    if made.direction is Direction.OUT and parameter.record in read:
        made = replace(made, direction=Direction.INOUT)
    if made.extents is not None or size is None:
        return made
    inner = () if parameter.count == 1 else (Integer(parameter.count, Scalar.S32, Site(0)),)
    return replace(made, extents=(*size, *inner))


def _unspoken(parameter: Parameter, signature: Signature, arguments: Mapping[str, str]) -> Declared:
    scalar = scalar_of(parameter, signature, arguments)
    assert scalar is not None
    if not parameter.depth:
        return ScalarParameter(Name(parameter.name), scalar, None, 0)
    direction = Direction.IN if parameter.is_constant else Direction.INOUT
    extents = (
        None if parameter.extents is None else tuple(Integer(each, Scalar.S32, Site(0)) for each in parameter.extents)
    )
    return ArrayParameter(Name(parameter.name), direction, scalar, extents, 0)
