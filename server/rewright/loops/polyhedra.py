"""A loop nest as sets and maps: each statement's domain, accesses and schedule (PolyCheck, section 2).

The schedule of a statement in n loops has 2n + 1 components, in which places in the text and iterators alternate; it is
padded with zeros to the greatest depth of both programs. The iterator of a downward loop enters it with its sign
changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import islpy as isl
from msgspec import Struct
from msgspec.structs import replace

from rewright.loops.texts import isl_condition, isl_expression, isl_range
from rewright.model.index import Name
from rewright.model.nest import DoesNotHold, ElementAccess, Nest, NestGuard, NestItem, NestLoop, NestStatement


class PolyhedralStatement(Struct, frozen=True, eq=False):
    """A statement with its instances.

    `tuple_name` is what isl calls it, `loops` are those around it, outermost first; `accesses` are what it writes and
    then what it reads, in order. All are restricted to the instances that there are for parameters that satisfy the
    context.
    """

    statement: NestStatement
    tuple_name: str
    loops: tuple[NestLoop, ...]
    domain: isl.Set
    accesses: tuple[isl.Map, ...]
    schedule: isl.Map

    @property
    def iterators(self) -> tuple[Name, ...]:
        """The iterators of its loops."""
        return tuple(loop.iterator for loop in self.loops)

    @property
    def write(self) -> isl.Map:
        """From an instance to the element that it writes."""
        return self.accesses[0]

    @property
    def reads(self) -> tuple[isl.Map, ...]:
        """From an instance to the element that it reads, for each read."""
        return self.accesses[1:]


class Naming(Struct, frozen=True):
    """What isl calls parameters and arrays; `statements` begins the names of statements."""

    parameters: dict[Name, str]
    arrays: dict[Name, str]
    statements: str

    @property
    def prefix(self) -> str:
        """The parameters as a set begins with them."""
        return f"[{', '.join(self.parameters.values())}] -> "


class _Around(Struct, frozen=True):
    """What stands around a statement: loops, what must hold in isl's notation, and its place among its siblings."""

    loops: tuple[NestLoop, ...] = ()
    holds: tuple[str, ...] = ()
    places: tuple[int, ...] = ()


def naming(nest: Nest, statements: str) -> Naming:
    """Names for the parameters and arrays of a nest."""
    parameters = {name: f"p{number}" for number, name in enumerate(nest.parameters)}
    return Naming(parameters, {each.name: f"A{number}" for number, each in enumerate(nest.arrays)}, statements)


def context_set(isl_context: isl.Context, nest: Nest, names: Naming) -> isl.Set:
    """The values of the parameters of which a nest speaks."""
    stated = [isl_condition(each, names.parameters) for each in nest.requires]
    positive = [f"{names.parameters[name]} >= 1" for name in nest.at_least_one]
    holds = " and ".join((*stated, *positive)) or "0 = 0"
    return isl.Set.read_from_str(isl_context, f"{names.prefix}{{ : {holds} }}")


def polyhedral(nest: Nest, names: Naming, holds: isl.Set, depth: int) -> tuple[PolyhedralStatement, ...]:
    """The statements of a nest in the order of the text; `holds` is known of parameters, `depth` is the greatest."""
    found = _placed(nest.body, _Around(), names, [0])
    return tuple(_statement(each, around, (number, names, holds, depth)) for number, (each, around) in enumerate(found))


def depth_of(body: tuple[NestItem, ...]) -> int:
    """In how many loops a statement is at most."""
    return max((_depth(item) for item in body), default=0)


def _depth(item: NestItem) -> int:
    match item:
        case NestStatement():
            return 0
        case NestLoop(body=body):
            return 1 + depth_of(body)
        case NestGuard(then=then, otherwise=otherwise):
            return max(depth_of(then), depth_of(otherwise))
        case _:
            assert_never(item)


def _placed(
    body: tuple[NestItem, ...], around: _Around, names: Naming, place: list[int]
) -> Iterator[tuple[NestStatement, _Around]]:
    """The statements of a body; `place` counts the items that have a place among their siblings."""
    for item in body:
        known = {loop.iterator: f"i{number}" for number, loop in enumerate(around.loops)}
        match item:
            case NestStatement():
                yield item, replace(around, places=(*around.places, place[0]))
                place[0] += 1
            case NestLoop():
                within = isl_range(item, names.parameters | known | {item.iterator: f"i{len(known)}"})
                inner = _Around((*around.loops, item), (*around.holds, within), (*around.places, place[0]))
                yield from _placed(item.body, inner, names, [0])
                place[0] += 1
            case NestGuard(condition=condition, then=then, otherwise=otherwise):
                for branch, stated in ((then, condition), (otherwise, DoesNotHold(condition))):
                    text = isl_condition(stated, names.parameters | known)
                    yield from _placed(branch, replace(around, holds=(*around.holds, text)), names, place)
            case _:
                assert_never(item)


def _statement(
    statement: NestStatement, around: _Around, rest: tuple[int, Naming, isl.Set, int]
) -> PolyhedralStatement:
    number, names, holds, depth = rest
    iterators = tuple(loop.iterator for loop in around.loops)
    numbered = {name: f"i{at}" for at, name in enumerate(iterators)}
    instance = f"{names.statements}{number}[{', '.join(numbered.values())}]"
    isl_context = holds.get_ctx()
    stated = " and ".join(around.holds) or "0 = 0"
    domain = isl.Set.read_from_str(isl_context, f"{names.prefix}{{ {instance} : {stated} }}")
    domain = domain.intersect_params(holds)

    def mapped(target: str) -> isl.Map:
        found = isl.Map.read_from_str(isl_context, f"{names.prefix}{{ {instance} -> {target} }}")
        return found.intersect_domain(domain)

    times = [str(around.places[0])]
    for loop, place in zip(around.loops, around.places[1:], strict=True):
        times += [numbered[loop.iterator] if loop.step > 0 else f"-{numbered[loop.iterator]}", str(place)]
    times += ["0"] * (2 * depth + 1 - len(times))
    return PolyhedralStatement(
        statement,
        f"{names.statements}{number}",
        around.loops,
        domain,
        tuple(mapped(_element(each, names, numbered)) for each in (statement.write, *statement.reads)),
        mapped(f"[{', '.join(times)}]"),
    )


def _element(access: ElementAccess, names: Naming, iterators: dict[Name, str]) -> str:
    """What is accessed, in isl's notation; a value is an element of `V`, which nothing writes."""
    array = names.arrays[access.array] if access.array is not None else "V"
    known = names.parameters | iterators
    return f"{array}[{', '.join(isl_expression(each, known) for each in access.subscripts)}]"
