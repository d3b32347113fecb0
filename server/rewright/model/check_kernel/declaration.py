"""Kernels: from a declaration's node to its value and everything there is to say about its names and types.

Invariant: each part is checked even if others are wrong; there is a value only if nothing is wrong. A construct that is
understood but not decided in this version is noted, and the declaration is then unknown for that reason. Must not know
how a kernel runs.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rewright.model.body import Body, Expression, Integer
from rewright.model.check_attributes import attributes, check_domains, check_quantified
from rewright.model.check_kernel.header import parameters, sizes
from rewright.model.check_kernel.requirements import requirements
from rewright.model.check_kernel.scope import TAKEN, TAKEN_FROM_SOURCE, KernelScope
from rewright.model.check_kernel.statements import statements
from rewright.model.check_kernel.uniform import array, uniform
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared, SymbolKind
from rewright.model.index import Name
from rewright.model.kernel import Define, Foreign, Kernel, Launch, Size, without_value
from rewright.model.notes import notes_for
from rewright.model.simt.types import Scalar, Space
from rewright.model.written import integer_of, kind_of
from rewright.syntax import nodes
from rewright.syntax.nodes import KernelDecl, Positional, SourceRef
from rewright.verdict.diagnostics.names import CannotStandHere


def check_kernel(node: KernelDecl) -> Declared:
    """The kernel as the model understands it."""
    notes = notes_for(node.head)
    scope = KernelScope(notes, TAKEN if node.source is None else TAKEN_FROM_SOURCE)
    name = node.head.name.text if node.head.name is not None else ""
    if node.head.name is not None:
        notes.define(node.head.name, SymbolKind.DECLARATION, f"kernel {name}")
    written = attributes(notes, node.head.attributes)
    check_domains(notes, written, [])
    declared_sizes = sizes(scope, node.sizes)
    declared_parameters = parameters(scope, node.parameters)
    free = without_value(declared_sizes, declared_parameters)
    check_quantified(notes, written, [str(each) for each, scalar in free.items() if scalar.is_integer])
    launch = _launch(scope, node)
    needs = requirements(scope, [item for item in node.items if isinstance(item, nodes.Requires)])
    body = _body(scope, node, declared_sizes)
    value = None
    if launch is not None and body is not None and not notes.has_errors and node.head.name is not None:
        quantified = tuple(dict.fromkeys(Name(each.text) for each in written.quantified))
        value = Kernel(Name(name), declared_sizes, declared_parameters, needs, launch, body, quantified)
    return replace(concluded(notes, node.head, written, DeclarationKind.KERNEL), value=value)


def _launch(scope: KernelScope, node: KernelDecl) -> Launch | None:
    """`launch grid(…), block(…)`; the grid is one block where it is not given."""
    launches = [item for item in node.items if isinstance(item, nodes.Launch)]
    if not launches:
        place = node.head.name.span if node.head.name is not None else node.head.word.span
        scope.notes.unknown("no launch is given; state `launch block(…)`", place)
        return None
    for surplus in launches[1:]:
        scope.notes.error(CannotStandHere("a second `launch`", "one"), surplus.span)
    written = launches[0]
    one = (Integer(1, Scalar.S32, scope.place(written.span)),)
    found: dict[str, tuple[Expression, ...] | None] = {"grid": one, "shared": ()}
    for clause in written.clauses:
        _clause(scope, node, clause, found)
    grid, block, shared = found["grid"], found.get("block"), found["shared"]
    if "block" not in found:
        scope.notes.unknown("no block is given; state `launch block(…)`", written.span)
    if grid is None or block is None or shared is None:
        return None
    return Launch(grid, block, scope.notes.site(written.span), shared[0] if shared else None)


def _clause(
    scope: KernelScope, node: KernelDecl, clause: nodes.Expression, found: dict[str, tuple[Expression, ...] | None]
) -> None:
    if isinstance(clause, nodes.Missing):
        return
    if not isinstance(clause, nodes.Call) or clause.callee.text not in ("grid", "block", "shared"):
        scope.notes.error(CannotStandHere(kind_of(clause), "`grid(…)`, `block(…)` or `shared(…)`"), clause.span)
        return
    is_size = clause.callee.text == "shared"
    values = [uniform(scope, each.value) for each in clause.arguments if isinstance(each, Positional)]
    if not 1 <= len(clause.arguments) <= (1 if is_size else 3) or len(values) != len(clause.arguments):
        expected = "a number of bytes" if is_size else "one to three sizes along x, y, z"
        scope.notes.error(CannotStandHere("this", expected), clause.span)
        return
    complete = tuple(value for value in values if value is not None)
    if is_size and node.source is None:
        scope.notes.error(CannotStandHere("dynamic shared memory", "`shared name: type[…]`"), clause.span)
    found[clause.callee.text] = complete if len(complete) == len(values) else None


def _body(scope: KernelScope, node: KernelDecl, declared_sizes: Sequence[Size]) -> Body | Foreign | None:
    if node.source is not None:
        arguments = tuple(_template_argument(scope, each, declared_sizes) for each in node.source.arguments)
        return _foreign(scope, node, node.source, arguments)
    written: list[nodes.Statement] = []
    for item in node.items:
        match item:
            case nodes.Shared():
                _shared(scope, item)
            case nodes.Ensures():
                scope.notes.not_supported("`ensures`", item.span)
            case nodes.Define():
                scope.notes.error(CannotStandHere("a macro", "one only with `from`"), item.span)
            case nodes.Requires() | nodes.Launch():
                pass
            case statement:
                written.append(statement)
    body = tuple(statements(scope, written))
    return Body(tuple(scope.arrays), tuple(scope.uniforms), tuple(scope.locals), body)


def _shared(scope: KernelScope, item: nodes.Shared) -> None:
    for name in item.names:
        made = None if item.type is None else array(scope, name, item.type, (Space.SHARED, False))
        scope.declare_array(name, SymbolKind.SHARED, made)


def _foreign(scope: KernelScope, node: KernelDecl, source: SourceRef, arguments: tuple[str, ...]) -> Foreign | None:
    defines = []
    for item in node.items:
        match item:
            case nodes.Define():
                value = integer_of(item.value.text) if isinstance(item.value, nodes.Number) else None
                if value is None and not isinstance(item.value, nodes.Missing):
                    scope.notes.not_supported("a macro that is not an integer literal", item.value.span)
                if item.name is not None and value is not None:
                    defines.append(Define(item.name.text, value, scope.notes.site(item.span)))
            case nodes.Ensures():
                scope.notes.not_supported("`ensures`", item.span)
            case nodes.Requires() | nodes.Launch():
                pass
            case statement:
                scope.notes.error(CannotStandHere("a statement", f"them in `{source.path.value}`"), statement.span)
    entry = source.entry or node.head.name
    if entry is None:
        return None
    return Foreign(source.path.value, entry.text, tuple(defines), scope.notes.site(source.span), arguments)


def _template_argument(scope: KernelScope, written: nodes.Expression, declared_sizes: Sequence[Size]) -> str:
    """The text of an integer, also of a size, or of the name of a type, which is a string if it has several words."""
    match written:
        case nodes.Name():
            return _named_argument(scope, written, declared_sizes)
        case nodes.String():
            return written.value
        case nodes.Number() if integer_of(written.text) is not None:
            return str(integer_of(written.text))
        case nodes.Missing():
            return ""
        case _:
            scope.notes.error(CannotStandHere(kind_of(written), "an integer or the name of a type"), written.span)
            return ""


def _named_argument(scope: KernelScope, name: nodes.Name, declared_sizes: Sequence[Size]) -> str:
    if not scope.is_declared(name.text):
        return name.text
    scope.look_up(name)
    for size in declared_sizes:
        if size.name == name.text and isinstance(size.value, Integer):
            return str(size.value.value)
    scope.notes.error(CannotStandHere(f"`{name.text}`", "a size whose value is a number"), name.span)
    return ""
