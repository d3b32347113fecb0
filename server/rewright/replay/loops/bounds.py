"""Which access of a nest is the first outside its array, at one choice of sizes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.nest import ElementAccess, Nest
from rewright.replay.loops.running import Element, ExecutedOperation, NestRun, number


class OutsideAccess(Struct, frozen=True):
    """An access to an element that there is not: in which dimension, and what its size is."""

    operation: ExecutedOperation
    access: ElementAccess
    element: Element
    dimension: int
    size: int


def first_outside(nest: Nest, values: Mapping[Name, int], steps: int) -> OutsideAccess | None:
    """The first access outside its array, as far as sizes are said; None if there is none. Raises `OutOfSteps`."""
    extents = {
        each.name: tuple(None if size is None else number(size, values) for size in each.sizes) for each in nest.arrays
    }
    for operation in NestRun(dict(values), steps).operations(nest):
        statement = operation.statement
        pairs = zip((*statement.reads, statement.write), (*operation.reads, operation.writes), strict=True)
        for access, element in pairs:
            if isinstance(element, int) or not access.certain:
                continue
            array, index = element
            for dimension, (at, size) in enumerate(zip(index, extents[array], strict=True)):
                if size is not None and not 0 <= at < size:
                    return OutsideAccess(operation, access, element, dimension, size)
    return None
