"""Atomic functions: what each does with the old value, in the type that its pointer points to.

`_system` makes no difference here: nothing but the device accesses its memory meanwhile. Must not know who else
performs one.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.emit.emitter import Emitter
from rewright.emit.memory import offset_by, subscripts
from rewright.emit.types import Arithmetic, StructType, leaves_of
from rewright.emit.values import InMemory, Rvalue, Value
from rewright.frontends.cuda.cxx.conversions import described
from rewright.frontends.cuda.cxx.lowering import BuiltInCall, BuiltInFunction, Lowering
from rewright.frontends.cuda.cxx.operands import rvalue, scalar
from rewright.frontends.cuda.intrinsics.objects import pointee
from rewright.frontends.cuda.intrinsics.operands import counted
from rewright.model.simt.instructions import Atomic, AtomicOperation, AtomicScope, Operand

_OPERATIONS = {
    "Add": AtomicOperation.ADD,
    "Sub": AtomicOperation.SUBTRACT,
    "Min": AtomicOperation.MINIMUM,
    "Max": AtomicOperation.MAXIMUM,
    "And": AtomicOperation.AND,
    "Or": AtomicOperation.OR,
    "Xor": AtomicOperation.XOR,
    "Exch": AtomicOperation.EXCHANGE,
    "CAS": AtomicOperation.COMPARE_AND_SWAP,
    "Inc": AtomicOperation.INCREMENT,
    "Dec": AtomicOperation.DECREMENT,
}
_SCOPES = ("", "_block", "_system")


def _atomic(operation: AtomicOperation) -> BuiltInFunction:
    swaps = operation is AtomicOperation.COMPARE_AND_SWAP

    def lower(lowering: Lowering, call: BuiltInCall) -> Value:
        emitter = lowering.emitter
        counted(emitter, call, 3 if swaps else 2)
        target = pointee(lowering, call.arguments[0])
        if isinstance(target.type, StructType):
            return _each(lowering, call, operation, target)
        if not isinstance(target.type, Arithmetic) or target.type.scalar.bits < 16:
            emitter.refuse(call.arguments[0], f"an atomic on {described(target.type)} is not supported yet")
        values = [scalar(lowering, argument, target.type.scalar) for argument in call.arguments[1:]]
        compare = values[0] if swaps else None
        return Rvalue(target.type, (_emitted(emitter, call, (operation, target, 0), (values[-1], compare)),))

    return lower


def _each(lowering: Lowering, call: BuiltInCall, operation: AtomicOperation, target: InMemory) -> Value:
    """An atomic on a vector is one on each of its components (CUDA C++ Programming Guide, "atomicAdd()")."""
    value = rvalue(lowering, call.arguments[1])
    if operation is not AtomicOperation.ADD or value.type != target.type:
        lowering.emitter.refuse(call.node, f"`{call.name}` on {described(target.type)} is not supported yet")
    leaves = zip(leaves_of(target.type), value.leaves, strict=True)
    old = [
        _emitted(lowering.emitter, call, (operation, target, leaf.offset), (operand, None)) for leaf, operand in leaves
    ]
    return Rvalue(target.type, tuple(old))


def _emitted(
    emitter: Emitter,
    call: BuiltInCall,
    what: tuple[AtomicOperation, InMemory, int],
    values: tuple[Operand, Operand | None],
) -> Operand:
    operation, target, offset = what
    operand, compare = values
    result = emitter.temporary(operand.type)
    address = offset_by(emitter, target.address, offset, call.place)
    named, scope = subscripts(target, offset), _scope_of(call)
    emitter.emit(Atomic(operation, result, address, operand, compare, named, call.place, scope))
    return result


def _scope_of(call: BuiltInCall) -> AtomicScope:
    """What the ending of the function's name says."""
    return AtomicScope.BLOCK if call.name.endswith("_block") else AtomicScope.DEVICE


FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **{f"atomic{name}{scope}": _atomic(operation) for name, operation in _OPERATIONS.items() for scope in _SCOPES},
    "gpuAtomicAdd": _atomic(AtomicOperation.ADD),
    "gpuAtomicAddNoReturn": _atomic(AtomicOperation.ADD),
}
