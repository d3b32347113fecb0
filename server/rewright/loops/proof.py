"""Whether a correspondence of instances makes a transform a legal reordering, at all sizes at once.

It does if it is a bijection, if both instances access the same elements, and if every dependence of the specification
(true, anti and output) keeps its order. Source: PolyCheck, section 3; what is proved here replaces its dynamic check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import islpy as isl
from msgspec import Struct
from msgspec.structs import replace

from rewright.loops.decision import Correspondence
from rewright.loops.dependences import dependences
from rewright.loops.flow import flows, union
from rewright.loops.polyhedra import Naming, PolyhedralStatement
from rewright.loops.texts import isl_expression
from rewright.model.nest import Relaxations


class Programs(Struct, frozen=True, eq=False):
    """The statements of both programs, what is known of parameters, and what the user relaxes."""

    specified: tuple[PolyhedralStatement, ...]
    transformed: tuple[PolyhedralStatement, ...]
    names: Naming
    holds: isl.Set
    relaxed: Relaxations


class Matched(Struct, frozen=True, eq=False):
    """A statement of the transform, the one that it is, and the map from its instances to those of the other."""

    transformed: PolyhedralStatement
    specified: PolyhedralStatement
    instances: isl.Map


def matched(programs: Programs, guess: Sequence[Correspondence]) -> tuple[Matched, ...]:
    """The correspondences as maps.

    A statement that several of the specification may be is each of them where its image is among the instances of that.
    """
    count = Counter(each.transformed for each in guess)
    found = ((each, _matched(programs, each)) for each in guess)
    return tuple(made if count[each.transformed] == 1 else _within(made) for each, made in found)


def _within(made: Matched) -> Matched:
    return replace(made, instances=made.instances.intersect_range(made.specified.domain))


def _matched(programs: Programs, each: Correspondence) -> Matched:
    of, to = programs.transformed[each.transformed], programs.specified[each.specified]
    numbered = {name: f"i{number}" for number, name in enumerate(of.iterators)}
    known = programs.names.parameters | numbered
    target = ", ".join(isl_expression(value, known) for value in each.iterators)
    text = f"{of.tuple_name}[{', '.join(numbered.values())}] -> {to.tuple_name}[{target}]"
    instances = isl.Map.read_from_str(programs.holds.get_ctx(), f"{programs.names.prefix}{{ {text} }}")
    return Matched(of, to, instances.intersect_domain(of.domain))


def violations(programs: Programs, pairs: Sequence[Matched]) -> Iterator[isl.Set]:
    """The parameters at which something is wrong, a set for each thing that is, none of them empty."""
    yield from (found for found in _no_function(programs, pairs) if not found.is_empty())
    yield from (found for found in _not_bijective(programs, pairs) if not found.is_empty())
    yield from (found for found in _other_accesses(programs, pairs) if not found.is_empty())
    yield from _misordered(programs, pairs)
    yield from (found for found in _misread(programs, pairs) if not found.is_empty())


def _no_function(programs: Programs, pairs: Sequence[Matched]) -> Iterator[isl.Set]:
    """Where an instance of the transform is none of the specification, or several."""
    for of in programs.transformed:
        pieces = [each.instances.domain() for each in pairs if each.transformed is of]
        if len(pieces) == 1:
            continue  # an affine function on all of its domain
        left = of.domain
        for number, piece in enumerate(pieces):
            left = left.subtract(piece)
            for other in pieces[:number]:
                yield piece.intersect(other).params()
        yield left.params()


def _not_bijective(programs: Programs, pairs: Sequence[Matched]) -> Iterator[isl.Set]:
    for to in programs.specified:
        images = [each.instances for each in pairs if each.specified is to]
        missing = to.domain
        for image in images:
            outside = image.range().subtract(to.domain)
            yield outside.params()
            missing = missing.subtract(image.range())
        yield missing.params()
        for number, image in enumerate(images):
            if not image.is_injective():
                yield _twice(image).params()
            for other in images[:number]:
                yield image.range().intersect(other.range()).params()


def _twice(image: isl.Map) -> isl.Set:
    """The instances that have the same image as another one."""
    same = image.apply_range(image.reverse())
    return same.subtract(isl.Map.identity(same.get_space())).domain()


def _other_accesses(programs: Programs, pairs: Sequence[Matched]) -> Iterator[isl.Set]:
    for each in pairs:
        one, other = each.specified.statement, each.transformed.statement
        arrays = [[access.array for access in (side.write, *side.reads)] for side in (one, other)]
        if one.signature != other.signature or arrays[0] != arrays[1]:
            yield each.transformed.domain.params()
            continue
        for due, found in zip(each.specified.accesses, each.transformed.accesses, strict=True):
            # Both are functions, so what of the one is not in the other differs.
            here = found.intersect_domain(each.instances.domain())
            yield here.subtract(each.instances.apply_range(due)).params()


def _misordered(programs: Programs, pairs: Sequence[Matched]) -> Iterator[isl.Set]:
    of = {id(to): [each for each in pairs if each.specified is to] for to in programs.specified}
    for first in programs.specified:
        for second in programs.specified:
            for dependence in dependences(first, second, programs.relaxed):
                for one in of[id(first)]:
                    for other in of[id(second)]:
                        yield from _late(dependence, one, other)


def _misread(programs: Programs, pairs: Sequence[Matched]) -> Iterator[isl.Set]:
    """The parameters at which a read of a private array gets the value of another operation than it should."""
    if not pairs:
        return
    instances = union([each.instances for each in pairs])
    for array in programs.relaxed.private:
        found = list(flows(programs.transformed, array))
        for due in flows(programs.specified, array):
            due_here = due.sources
            for each in (pair for pair in pairs if pair.specified is due.reader):
                flow = next((one for one in found if one.reader is each.transformed and one.read == due.read), None)
                if flow is None:
                    yield each.transformed.domain.params()
                    continue
                carried = flow.sources.apply_domain(instances).apply_range(isl.UnionMap.from_map(each.instances))
                yield carried.subtract(due.sources).params()
                due_here = due_here.subtract(carried)
            yield due_here.params()


def _late(dependence: isl.Map, one: Matched, other: Matched) -> Iterator[isl.Set]:
    """The parameters at which the second instance of a dependence is not executed after the first."""
    carried = dependence.apply_domain(one.instances.reverse()).apply_range(other.instances.reverse())
    for part in carried.get_basic_maps():
        times = isl.Map.from_basic_map(part).apply_domain(one.transformed.schedule)
        times = times.apply_range(other.transformed.schedule)
        late = times.intersect(isl.Map.lex_ge(times.get_space().domain()))
        if not late.is_empty():
            yield late.params()
