"""A refinement in a hover: the relation that was found, or the counterexample. Must not know how either was found."""

from __future__ import annotations

from collections.abc import Iterator

from rewright.report import picture
from rewright.report.tables import code, table
from rewright.verdict import Answer, Failure, RangeOfDimension, RefinementCause, RefinementWitness


def relation(answer: Answer) -> Iterator[str]:
    """How each output of the sequential graph comes from the outputs of the distributed one, as a table."""
    if answer.relation:
        yield table(("output", "from the ranks"), [(code(name), code(text)) for name, text in answer.relation])


def refinement_witness(witness: RefinementWitness) -> Iterator[str]:
    """The counterexample as Markdown: sizes, inputs, and the element that the ranks do not hold.

    Nothing of a refinement that no input satisfies.
    """
    if witness.fails in (Failure.VALIDITY, Failure.VACUOUS):
        return
    yield f"**Counterexample** ({witness.fails})" + (", replayed in exact arithmetic" if witness.replayed else "")
    rows = [(code(name), "", code(str(size))) for name, size in witness.sizes]
    rows += [(code(name), "sequential", code(picture.inline(value))) for name, value in witness.sequential]
    rows += [
        (code(name), f"rank {rank}", code(picture.inline(value)))
        for name, ranks in witness.distributed
        for rank, value in enumerate(ranks)
    ]
    if witness.expected:
        rows.append((code(element(witness)), "expected", code(witness.expected)))
        rows += [(code(element(witness)), f"rank {held.rank}", code(held.value)) for held in witness.held]
    yield table(("tensor", "where", "value"), rows)
    if witness.cause:
        yield f"Cause: {cause(witness.cause)}"


def element(witness: RefinementWitness) -> str:
    """`Y[0, 1]`, the name alone of a tensor of rank 0."""
    index = ", ".join(map(str, witness.index))
    return f"{witness.output}[{index}]" if index else witness.output


def cause(found: RefinementCause) -> str:
    """What is wrong with which tensor, in a few words: `missing: Y on rank 0, k in 0..h/4`."""
    where = f" on rank {found.rank}" if found.rank is not None else ""
    said = [f"{found.tensor}{where}" if found.tensor else where.strip(), *map(box, found.box)]
    said += [f"factor {found.factor}"] if found.factor is not None else []
    parts = ", ".join(filter(None, said))
    return f"{found.kind}: {parts}" if parts else str(found.kind)


def box(part: RangeOfDimension) -> str:
    """`k in 0..h/4`."""
    return f"{part.dimension} in {part.start}..{part.limit}"
