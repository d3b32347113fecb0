"""Calls that do something: atomics on elements, shuffles and votes of a warp, barriers.

Must not know how an operation is executed.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.body import Array, Atomic, Barrier, Expression, Integer, Shuffle, Vote, WarpBarrier
from rewright.model.check_kernel import expressions  # operands are expressions
from rewright.model.check_kernel.fitting import fitting
from rewright.model.check_kernel.scope import KernelScope
from rewright.model.conversions import converted, promoted
from rewright.model.simt.instructions import AtomicOperation, ShuffleKind, VoteKind
from rewright.model.simt.types import Scalar, Space
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.syntax.nodes import Keyed, Positional
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import CannotStandHere, OperandCount

_ATOMICS = {
    "atomic_add": AtomicOperation.ADD,
    "atomic_sub": AtomicOperation.SUBTRACT,
    "atomic_min": AtomicOperation.MINIMUM,
    "atomic_max": AtomicOperation.MAXIMUM,
    "atomic_and": AtomicOperation.AND,
    "atomic_or": AtomicOperation.OR,
    "atomic_xor": AtomicOperation.XOR,
    "atomic_exchange": AtomicOperation.EXCHANGE,
    "atomic_cas": AtomicOperation.COMPARE_AND_SWAP,
}
_SHUFFLES = {
    "shuffle": ShuffleKind.INDEX,
    "shuffle_up": ShuffleKind.UP,
    "shuffle_down": ShuffleKind.DOWN,
    "shuffle_xor": ShuffleKind.XOR,
}
_VOTES = {"ballot": VoteKind.BALLOT, "all": VoteKind.ALL, "any": VoteKind.ANY}
OPERATIONS = frozenset({*_ATOMICS, *_SHUFFLES, *_VOTES})
"""The names of operations that have a value."""

_FOR_FLOATS = (AtomicOperation.ADD, AtomicOperation.SUBTRACT, AtomicOperation.EXCHANGE)

_WHOLE_WARP = 0xFFFFFFFF
"""The mask that names all lanes of a warp."""

_WARP = 32
"""Lanes of a warp."""


class _Arguments(Struct, frozen=True):
    """The arguments of a call, as written: those by position, those by name."""

    positional: tuple[nodes.Expression, ...]
    named: dict[str, nodes.Expression]


def operation(scope: KernelScope, node: nodes.Call) -> Expression | None:
    """The value of an operation, None (noted) if something is wrong with it."""
    name = node.callee.text
    if name in _ATOMICS:
        return _atomic(scope, node)
    if name in _SHUFFLES:
        return _shuffle(scope, node)
    return _vote(scope, node)


def barrier(scope: KernelScope, node: nodes.Call) -> Barrier | WarpBarrier | None:
    """`barrier()` of the block; `barrier(warp)` and `barrier(warp, mask)` of the warp."""
    arguments = _arguments(scope, node, ("mask",))
    if arguments is None:
        return None
    place = scope.place(node.span)
    if not arguments.positional and not arguments.named:
        return Barrier(place)
    first, *rest = arguments.positional or (None,)
    if not isinstance(first, nodes.Name) or first.text != "warp" or len(rest) > 1:
        if not isinstance(first, nodes.Missing):
            expected = "`barrier()`, `barrier(warp)` or `barrier(warp, mask)`"
            scope.notes.error(CannotStandHere("this barrier", expected), node.span)
        return None
    written = rest[0] if rest else arguments.named.get("mask")
    mask = _mask(scope, node.span, written)
    return None if mask is None else WarpBarrier(mask, place)


def _atomic(scope: KernelScope, node: nodes.Call) -> Atomic | None:
    made = _ATOMICS[node.callee.text]
    count = 3 if made is AtomicOperation.COMPARE_AND_SWAP else 2
    arguments = _arguments(scope, node, ())
    if arguments is None or not _counts(scope, node, arguments, count):
        return None
    target, *written = arguments.positional
    values = [expressions.expression(scope, value) for value in written]
    found = _element(scope, target)
    if found is None or not _applies(scope, made, found[0], target):
        return None
    array, indices = found
    kept = [
        None if value is None else fitting(scope, value, array.type, text)
        for value, text in zip(values, written, strict=True)
    ]
    operand, compare = kept[-1], kept[0] if len(kept) == 2 else None
    if operand is None or (len(kept) == 2 and compare is None):
        return None
    return Atomic(made, array.name, indices, operand, compare, array.type, scope.place(node.span))


def _element(scope: KernelScope, target: nodes.Expression) -> tuple[Array, tuple[Expression, ...]] | None:
    if isinstance(target, nodes.Index):
        return expressions.access(scope, target)
    if not isinstance(target, nodes.Missing):
        scope.notes.error(CannotStandHere(kind_of(target), "an element, as in `a[i]`"), target.span)
    return None


def _applies(scope: KernelScope, made: AtomicOperation, array: Array, target: nodes.Expression) -> bool:
    """Whether there is such an atomic for the elements of an array."""
    if array.space is Space.LOCAL:
        what, expected = "a thread-local array", "a shared array or a parameter"
    elif array.type.is_float and made not in _FOR_FLOATS:
        what, expected = f"an element of type {array.type}", "one of an integer type"
    elif not array.type.is_float and array.type.bits < 32:
        what, expected = f"an element of type {array.type}", "one of 32 or 64 bits"
    else:
        return True
    scope.notes.error(CannotStandHere(what, expected), target.span)
    return False


def _shuffle(scope: KernelScope, node: nodes.Call) -> Shuffle | None:
    arguments = _arguments(scope, node, ("width", "mask"))
    if arguments is None or not _counts(scope, node, arguments, 2):
        return None
    value = expressions.number(scope, arguments.positional[0])
    lane = expressions.integer(scope, arguments.positional[1])
    width = _width(scope, node.span, arguments.named.get("width"))
    mask = _mask(scope, node.span, arguments.named.get("mask"))
    if value is None or lane is None or width is None or mask is None:
        return None
    value, lane = promoted(value), converted(lane, Scalar.S32)
    return Shuffle(_SHUFFLES[node.callee.text], value, lane, width, mask, value.type, scope.place(node.span))


def _vote(scope: KernelScope, node: nodes.Call) -> Vote | None:
    arguments = _arguments(scope, node, ("mask",))
    if arguments is None or not _counts(scope, node, arguments, 1):
        return None
    operand = expressions.truth(scope, arguments.positional[0])
    mask = _mask(scope, node.span, arguments.named.get("mask"))
    if operand is None or mask is None:
        return None
    kind = _VOTES[node.callee.text]
    return Vote(kind, operand, mask, Scalar.U32 if kind is VoteKind.BALLOT else Scalar.PRED, scope.place(node.span))


def _mask(scope: KernelScope, span: Span, written: nodes.Expression | None) -> Expression | None:
    """The lanes that take part, as a u32: all where nothing is said."""
    if written is None:
        return Integer(_WHOLE_WARP, Scalar.U32, scope.place(span))
    mask = expressions.integer(scope, written)
    return None if mask is None else converted(mask, Scalar.U32)


def _width(scope: KernelScope, span: Span, written: nodes.Expression | None) -> Expression | None:
    """The size of a segment: a power of two, the warp where nothing is said."""
    if written is None:
        return Integer(_WARP, Scalar.S32, scope.place(span))
    width = expressions.integer(scope, written)
    if isinstance(width, Integer) and width.value not in (1, 2, 4, 8, 16, 32):
        expected = "a power of two up to 32"
        scope.notes.error(CannotStandHere(f"a width of {width.value}", expected), written.span)
        return None
    return None if width is None else converted(width, Scalar.S32)


def _arguments(scope: KernelScope, node: nodes.Call, names: tuple[str, ...]) -> _Arguments | None:
    """The arguments, those by name only if there are such; None (noted) if there are others."""
    positional: list[nodes.Expression] = []
    named: dict[str, nodes.Expression] = {}
    for argument in node.arguments:
        if isinstance(argument, Positional):
            positional.append(argument.value)
        elif isinstance(argument, Keyed) and argument.name.text in names and argument.name.text not in named:
            named[argument.name.text] = argument.value
        else:
            known = ", ".join(f"`{name} = …`" for name in names)
            expected = f"an operand or {known}" if names else "an operand"
            scope.notes.error(CannotStandHere("this argument", expected), argument.span)
            return None
    return _Arguments(tuple(positional), named)


def _counts(scope: KernelScope, node: nodes.Call, arguments: _Arguments, expected: int) -> bool:
    if len(arguments.positional) != expected:
        report_count(scope, node, expected)
    return len(arguments.positional) == expected


def report_count(scope: KernelScope, node: nodes.Call, expected: int) -> None:
    """Notes that a call has too few or too many operands; those by name are none."""
    given = sum(isinstance(argument, Positional) for argument in node.arguments)
    scope.notes.error(OperandCount(node.callee.text, expected, given), node.callee.span)
