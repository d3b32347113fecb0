"""Decides loop nests and transforms: guess and prove, in a budget of isl's own steps.

Invariant: what is proved holds for all parameters that satisfy the context. A guess that fails refutes nothing: the
sizes at which it fails are where to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import islpy as isl

from rewright.loops.decision import (
    LoopsUndecided,
    NestDecision,
    NestOutside,
    NestWithin,
    RaceDecision,
    RacesFound,
    Racing,
    ReorderingDecision,
    ReorderingNotProved,
    ReorderingProved,
    Sizes,
)
from rewright.loops.guessing import Guess, NotGuessed, Samples, fitted, read_off
from rewright.loops.polyhedra import (
    PolyhedralStatement,
    context_set,
    depth_of,
    naming,
    polyhedral,
)
from rewright.loops.proof import Programs, matched, violations
from rewright.loops.races import racing_loops
from rewright.loops.reasons import reason_of
from rewright.loops.smallest import smallest_sizes
from rewright.loops.texts import isl_expression
from rewright.model.index import Name
from rewright.model.nest import Nest, Transformation, loops_of

WAYS = 6
"""Sets of sizes at which a guess fails that are looked at; each is a way to fail."""


def decide_by_text(asked: Transformation, operations: int) -> ReorderingDecision:
    """Whether the one program is a legal reordering of the other by what their texts say of how they correspond.

    Decided in so many operations of isl.
    """
    return _decided(asked, read_off(asked), operations)


def decide_by_runs(asked: Transformation, sampled: Iterable[Sizes], operations: int) -> ReorderingDecision:
    """As `decide_by_text`, by how both programs correspond when they are run at small sizes."""
    samples = Samples(asked)
    for sizes in sampled:
        samples.add(sizes)
    return _decided(asked, fitted(samples), operations)


def _decided(asked: Transformation, guess: Guess | NotGuessed, operations: int) -> ReorderingDecision:
    if isinstance(guess, NotGuessed):
        return ReorderingNotProved(guess.reason, ())
    context = isl.Context()
    context.set_max_operations(operations)
    try:
        return _transformation(asked, guess, context)
    except isl.Error as error:
        return LoopsUndecided(reason_of(error, operations))


def decide_nest(asked: Nest, operations: int) -> NestDecision:
    """Whether every subscript of a nest is within its array, in so many operations of isl."""
    context = isl.Context()
    context.set_max_operations(operations)
    try:
        return _nest(asked, context)
    except isl.Error as error:
        return LoopsUndecided(reason_of(error, operations))


def decide_races(asked: Nest, holds_of: Nest, operations: int) -> RaceDecision:
    """Whether the iterations of the parallel loops of a nest may run at once, in so many operations of isl.

    `holds_of` is the specification, itself or another, whose requirements hold, too.
    """
    context = isl.Context()
    context.set_max_operations(operations)
    try:
        return _races(asked, holds_of, context)
    except isl.Error as error:
        return LoopsUndecided(reason_of(error, operations))


def _races(asked: Nest, holds_of: Nest, context: isl.Context) -> RacesFound:
    names = naming(asked, "S")
    holds = context_set(context, asked, names).intersect(context_set(context, holds_of, names))
    statements = polyhedral(asked, names, holds, depth_of(asked.body))
    numbers = {id(loop): number for number, loop in enumerate(loops_of(asked.body))}
    found: dict[tuple[int, Name], isl.Set] = {}
    for each in racing_loops(asked, statements, names):
        key = numbers[id(each.loop)], each.array
        found[key] = found[key].union(each.at) if key in found else each.at
    return RacesFound(tuple(Racing(loop, array, smallest_sizes(asked, at)) for (loop, array), at in found.items()))


def _programs(asked: Transformation, context: isl.Context) -> Programs:
    names = naming(asked.specification, "S")
    holds = context_set(context, asked.specification, names)
    holds = holds.intersect(context_set(context, asked.transformed, names)) if asked.transformed.requires else holds
    depth = max(depth_of(asked.specification.body), depth_of(asked.transformed.body))
    return Programs(
        polyhedral(asked.specification, names, holds, depth),
        polyhedral(asked.transformed, naming(asked.specification, "T"), holds, depth),
        names,
        holds,
        asked.transformed.relaxed,
    )


def _transformation(asked: Transformation, guess: Guess, context: isl.Context) -> ReorderingDecision:
    programs = _programs(asked, context)
    if all(each.domain.is_empty() for each in (*programs.specified, *programs.transformed)):
        return ReorderingProved((), vacuous=True)
    failing = list(islice(violations(programs, matched(programs, guess)), WAYS))
    if not failing:
        return ReorderingProved(guess, vacuous=False)
    fails_at = dict.fromkeys(smallest_sizes(asked.specification, each) for each in failing)
    return ReorderingNotProved("no correspondence of the two programs was proved", tuple(fails_at))


def _nest(asked: Nest, context: isl.Context) -> NestDecision:
    names = naming(asked, "S")
    holds = context_set(context, asked, names)
    statements = polyhedral(asked, names, holds, depth_of(asked.body))
    if all(each.domain.is_empty() for each in statements):
        return NestWithin(vacuous=True)
    outside = [found for each in statements for found in _outside(asked, each, holds, certain=True)]
    if not outside:
        if any(True for each in statements for _ in _outside(asked, each, holds, certain=False)):
            return LoopsUndecided("what may be outside of its array is read under a condition on the right side")
        return NestWithin(vacuous=False)
    return NestOutside(tuple(dict.fromkeys(smallest_sizes(asked, each) for each in outside)))


def _outside(asked: Nest, statement: PolyhedralStatement, holds: isl.Set, *, certain: bool) -> Iterator[isl.Set]:
    """The parameters at which an access of a statement, certain or not, is outside its array."""
    names = naming(asked, "S")
    arrays = {each.name: each for each in asked.arrays}
    accesses = (statement.statement.write, *statement.statement.reads)
    for access, accessed in zip(accesses, statement.accesses, strict=True):
        if access.array is None or not access.subscripts or access.certain != certain:
            continue
        sizes = arrays[access.array].sizes
        places = [f"e{number}" for number in range(len(sizes))]
        said = [(at, isl_expression(size, names.parameters)) for at, size in zip(places, sizes, strict=True) if size]
        inside = " and ".join(f"0 <= {at} and {at} < {size}" for at, size in said) or "0 = 0"
        text = f"{names.prefix}{{ {names.arrays[access.array]}[{', '.join(places)}] : {inside} }}"
        found = accessed.range().subtract(isl.Set.read_from_str(holds.get_ctx(), text))
        if not found.is_empty():
            yield found.params()
