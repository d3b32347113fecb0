"""What opaque operators mean for the answer to a refinement: which lemmas count, and with which stand-ins it is run.

Owns that a lemma of known operators counts only if it is proved, and that nothing is run with an operator that a lemma
excludes. Must not know how a lemma is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from rewright.graphs.decide import decide
from rewright.graphs.decision import RelationsFound
from rewright.graphs.stand_ins import StandIns, lemmas_about, opaque_in, operators_of, read_with, stand_ins, unsaid
from rewright.graphs.standing import LemmaStanding, standing
from rewright.model.graph import Refinement
from rewright.model.index import Name
from rewright.verdict import Finding, Severity, Site
from rewright.verdict.diagnostics.graphs import LemmaNotUsed

MOST_READ = 3
"""Choices of stand-ins with which an input is looked for: with each of them at all sizes that are tried."""


def sorted_lemmas(asked: Refinement) -> tuple[Refinement, tuple[Finding, ...]]:
    """The refinement with the lemmas that count, and what is said of the others."""
    counting = {lemma.name: standing(lemma) is not LemmaStanding.OPEN for lemma in asked.lemmas}
    said = (
        Finding(LemmaNotUsed(lemma.name), Severity.WARNING, Site(lemma.site))
        for lemma in asked.lemmas
        if not counting[lemma.name]
    )
    return replace(asked, lemmas=tuple(each for each in asked.lemmas if counting[each.name])), tuple(said)


def holds(asked: Refinement) -> bool:
    """Whether a refinement is proved."""
    return isinstance(decide(asked).decision, RelationsFound)


def readings(asked: Refinement) -> Iterator[Refinement]:
    """The refinement with stand-ins that its lemmas allow. Where no lemma says anything of an operator only the most
    structured one is among them: that it is any worse nobody has said."""
    operators = operators_of(asked)
    described = {name for lemma in asked.lemmas for name in opaque_in(lemma.graph)}
    first: StandIns | None = None
    for chosen in islice(stand_ins(operators, lemmas_about(asked), holds), MOST_READ):
        first = first or chosen
        if all(name in described or chosen[name] == first[name] for name in operators):
            yield read_with(asked, chosen)


def opaque_reason(asked: Refinement) -> str | None:
    """Why opaque operators may be what a verdict fails at, None if there are none."""
    operators = operators_of(asked)
    if not operators:
        return None
    alone = ", ".join(f"`{name}`" for name in unsaid(asked))
    if alone:
        return f"one of the graphs alone applies {alone}, and no lemma that `using` names says what that is"
    described = {name for lemma in asked.lemmas for name in opaque_in(lemma.graph)}
    bare = ", ".join(f"`{name}`" for name in operators if name not in described)
    if bare:
        return f"nothing is known of {bare} but what lemmas say that `using` names"
    if next(stand_ins(operators, lemmas_about(asked), holds), None) is None:
        return "no operator was found that the lemmas allow, with which the graphs could be run"
    names = ", ".join(f"`{name}`" for name in operators)
    return f"the lemmas used may say too little of {names}"


def assumptions(asked: Refinement, used: tuple[Name, ...]) -> Iterator[str]:
    """What a proof rests on besides."""
    for name in opaque_in(asked.sequential) | opaque_in(asked.distributed):
        yield f"`{name}` is opaque: some function of its operands, everywhere the same"
    for name in used:
        yield f"lemma `{name}`, which nothing proves"
