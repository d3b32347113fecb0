"""Answers a refinement: decided by `graphs`, every proof and every refutation replayed.

Owns the way from a decision to an answer: what a proof covers, which finding a refutation is, and where it points. Must
not know how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard, TypeVar, assert_never

from msgspec.structs import replace

from rewright.checks.opaque_operators import assumptions as opaque_assumptions
from rewright.checks.opaque_operators import opaque_reason, readings, sorted_lemmas
from rewright.checks.refinement_failure import WITHOUT_INPUT, not_related, refuted, undefined
from rewright.graphs.decide import DecidedRefinement, decide
from rewright.graphs.decision import (
    Misplaced,
    NoSizes,
    NotDivisible,
    Relation,
    RelationsFound,
    RelationsMissing,
    RelationUnknown,
)
from rewright.graphs.holdings import HeldNodes, held_tensors
from rewright.graphs.stand_ins import operators_of, unsaid
from rewright.graphs.text import fact_text, placement_text, relation_text
from rewright.model.graph import (
    Constant,
    Elementwise,
    ExpectedEquation,
    Gather,
    Graph,
    GraphResult,
    Node,
    Placed,
    Refinement,
    Spread,
)
from rewright.model.index import Name
from rewright.replay.elements import UNDEFINED, NotReplayable, TooLarge, element_text
from rewright.replay.graphs.expectation import ExpectationFails, ExpectationOfOtherShape, failing_expectation
from rewright.replay.graphs.extents import Numbers
from rewright.replay.graphs.sizes import size_names, sizes_to_try
from rewright.rules.decision import Budget
from rewright.verdict import (
    NOTHING,
    Answer,
    Coverage,
    Failure,
    Finding,
    Method,
    Severity,
    Site,
    Verdict,
)
from rewright.verdict.diagnostics.graphs import NoInputSatisfies, NoOperatorSatisfies
from rewright.verdict.diagnostics.rules import NotDecided

T = TypeVar("T")

LOOK = 1 << 12
"""Steps of the replay of a proof at each choice of sizes: a tenth of a second."""

ONE_LOOK = 1 << 14
"""Steps at the least sizes where one input takes more than that: a layer of a transformer on 8 ranks takes 12,000."""

PARTIAL = frozenset({"divide", "log", "log_plus_one", "sqrt", "rsqrt", "power", "remainder"})
"""Elementwise operators that are not defined everywhere."""


class RelationContradicted(Exception):
    """The replay contradicts a relation that was proved."""


def answer_all(members: Sequence[Refinement], budget: Budget) -> Answer:
    """The answer to a refinement on several meshes: the first that is refuted, else the first that is not proved, else
    what all proofs speak for.

    Raises `RelationContradicted`, which is an error of ours.
    """
    if len(members) == 1:
        return answer(members[0], budget)
    proofs = []
    unproved = None
    for asked in members:
        found = answer(asked, budget)
        if found.verdict is Verdict.REFUTED:
            return _on_mesh(asked, found)
        if found.verdict is Verdict.PROVED:
            proofs.append(found)
        else:
            unproved = unproved or _on_mesh(asked, found)
    if unproved is not None:
        return unproved
    assumed = _by_mesh(members, [proof.coverage.assumptions for proof in proofs])
    related = _by_mesh(members, [proof.relation for proof in proofs])
    relation = tuple((name, f"{text}{where}") for (name, text), where in related)
    return Answer(
        Verdict.PROVED,
        Coverage(_coverage(members), bounded=False, assumptions=tuple(f"{each}{where}" for each, where in assumed)),
        Method.NORMAL_FORM,
        relation=relation,
        replays=sum(each.replays or 0 for each in proofs),
        held=proofs[0].held,
        placed=tuple(each for each in proofs[0].placed if all(each in proof.placed for proof in proofs)),
    )


def _on_mesh(asked: Refinement, found: Answer) -> Answer:
    """The answer, with the mesh that it is about."""
    mesh = ", ".join(_ranks_text([asked]))
    if found.verdict is Verdict.UNKNOWN:
        return _unknown(f"at {mesh}: {found.reason}")
    return replace(found, coverage=replace(found.coverage, text=f"{found.coverage.text}, {mesh}"))


def _by_mesh(members: Sequence[Refinement], said: Sequence[Iterable[T]]) -> Iterator[tuple[T, str]]:
    """What is said of the members, each once, with the meshes of which it is said if it is not all."""
    found: dict[T, list[str]] = {}
    for asked, listed in zip(members, said, strict=True):
        for each in listed:
            found.setdefault(each, []).append(", ".join(_ranks_text([asked])))
    for each, meshes in found.items():
        yield each, "" if len(meshes) == len(members) else f" where {' or '.join(meshes)}"


def answer(asked: Refinement, budget: Budget) -> Answer:
    """The answer to a refinement. Raises `RelationContradicted`, which is an error of ours."""
    if asked.sequential.mesh:
        return _unknown("the graph that is refined is itself on a mesh, which is not supported yet")
    asked, said = sorted_lemmas(asked)
    found = _answer(asked)
    return replace(found, findings=(*found.findings, *said)) if said else found


def _answer(asked: Refinement) -> Answer:
    decided = decide(asked)
    wrong = _contradicted(asked, decided)
    if wrong is not None:
        return wrong
    match decided.decision:
        case RelationsFound() as proved:
            return _with_held(asked, decided, _proved(asked, proved, decided.used))
        case RelationsMissing() as found:
            return _with_held(asked, decided, _refuted(asked, decided, found) or _unknown(_reason(asked, found)))
        case Misplaced(name=name, site=site):
            return _invalid(asked, f"`{name}` has another shape on each rank than its placement gives it", site)
        case NotDivisible(reason=reason):
            return _invalid(asked, reason, 0)
        case NoSizes():
            return _invalid(asked, "no sizes are as `requires` says", 0, Failure.VACUOUS)
        case RelationUnknown(reason=reason):
            return _unknown(reason)
        case _:
            assert_never(decided.decision)


def _refuted(asked: Refinement, decided: DecidedRefinement, found: RelationsMissing) -> Answer | None:
    if decided.passes is None:
        return None
    suspects = not_related(asked, decided, decided.passes, found)
    if not operators_of(asked):
        return refuted(asked, suspects)
    for run in () if unsaid(asked) else readings(asked):
        answer_with = refuted(asked, suspects, run)
        if answer_with is not None:
            stands = ", ".join(f"`{name}`" for name in operators_of(asked))
            assumed = (f"{stands} may be any function that the lemmas used allow, and was run as one of them",)
            return replace(answer_with, coverage=replace(answer_with.coverage, assumptions=assumed))
    return None


def _contradicted(asked: Refinement, decided: DecidedRefinement) -> Answer | None:
    """The answer where the lemmas that are used contradict each other: anything would follow from them."""
    for lemma in asked.lemmas:
        if lemma.name in decided.contradicted:
            found = _unknown(f"no operator satisfies lemma `{lemma.name}`, with the others that are used")
            finding = Finding(NoOperatorSatisfies(lemma.name), Severity.WARNING, Site(lemma.site))
            return replace(found, findings=(*found.findings, finding))
    return None


def _with_held(asked: Refinement, decided: DecidedRefinement, found: Answer) -> Answer:
    """The answer, with what the ranks hold in between."""
    return replace(found, held=held_tensors(HeldNodes(asked, decided.passes)) if decided.passes is not None else None)


def _proved(asked: Refinement, found: RelationsFound, used: tuple[Name, ...] = ()) -> Answer:
    """The answer to a refinement whose relations were found. Raises `RelationContradicted`."""
    run = asked if not operators_of(asked) else next(readings(asked), None)
    replays: int | None = 0
    try:
        if run is None:
            raise NotReplayable("no operator was found that the lemmas allow")
        claimed = _claimed(run, found.relations)
        for sizes in sizes_to_try(run):
            failing = _failing(claimed, sizes, ONE_LOOK if replays == 0 else LOOK)
            if isinstance(failing, ExpectationFails) and failing.found == element_text(UNDEFINED):
                # The relation holds where both graphs are defined, and here only the sequential one is.
                return refuted(asked, undefined(asked, found.relations), run) or _unknown(_undefined_reason(failing))
            if failing is not None:
                raise RelationContradicted(f"{found.relations} at {sizes} of {asked}")
            replays = (replays or 0) + 1
    except NotReplayable:
        replays = replays or None
    if replays == 0 and asked.facts:
        return _unknown("no small sizes were found that are as `requires` says")
    assumed = (*_assumptions(asked, dict(found.multiples)), *opaque_assumptions(asked, used))
    return Answer(
        Verdict.PROVED,
        Coverage(_coverage([asked]), bounded=False, assumptions=assumed),
        Method.NORMAL_FORM,
        relation=(
            *((each.result, relation_text(each, asked.distributed)) for each in found.relations),
            *((each.name, each.right_name) for each in asked.equations),
        ),
        replays=replays,
        placed=tuple(
            (each.result, placement_text(each.placements)) for each in found.relations if each.held_as == each.result
        ),
    )


def _failing(claimed: Refinement, sizes: Numbers, most_steps: int) -> ExpectationFails | ExpectationOfOtherShape | None:
    """`failing_expectation` within `LOOK`, within `most_steps` if that is not enough for one input."""
    try:
        return failing_expectation(claimed, sizes, LOOK)
    except TooLarge:
        return failing_expectation(claimed, sizes, most_steps)


def _claimed(asked: Refinement, relations: tuple[Relation, ...]) -> Refinement:
    """The refinement with its relations as expectations, each held under the name of its result."""
    nodes = {each.name: each.node for each in asked.distributed.results}
    results = tuple(GraphResult(each.result, nodes[each.held_as]) for each in relations)
    return replace(
        asked,
        distributed=replace(asked.distributed, results=results),
        expected=tuple(Placed(each.result, each.placements, 0) for each in relations),
    )


def _coverage(members: Sequence[Refinement]) -> str:
    sizes = "all sizes" if size_names(members[0]) else "sizes as written"
    return ", ".join((sizes, *_ranks_text(members)))


def _ranks_text(members: Sequence[Refinement]) -> Iterator[str]:
    """How many ranks there are along each axis: `sp = 2, 4, 8`."""
    for place, axis in enumerate(members[0].distributed.mesh):
        counts = dict.fromkeys(str(each.distributed.mesh[place].size) for each in members)
        yield f"{axis.name} = {', '.join(counts)}"


def _assumptions(asked: Refinement, multiples: Mapping[Name, int]) -> Iterator[str]:
    yield "elements are real numbers"
    if size_names(asked):
        multiple = ", ".join(f"`{name}` is a multiple of {number}" for name, number in multiples.items())
        yield f"sizes are at least 1{multiple and f', {multiple}'}"
    if asked.facts:
        yield f"sizes are as required: {', '.join(f'`{fact_text(each)}`' for each in asked.facts)}"
    graphs = asked.sequential, asked.distributed
    undefined = {node.operator for graph in graphs for node in graph.nodes if _may_be_undefined(node, graph)}
    undefined |= {"gather" for graph in graphs for node in graph.nodes if isinstance(node, Gather)}
    if undefined:
        yield f"both graphs are defined where {', '.join(f'`{each}`' for each in sorted(undefined))} stands"


def _may_be_undefined(node: Node, graph: Graph) -> TypeGuard[Elementwise]:
    """Whether an element of the node may be undefined: not for a quotient by a number."""
    if not isinstance(node, Elementwise) or node.operator not in PARTIAL:
        return False
    last = graph.nodes[node.operands[-1]]
    if isinstance(last, Spread):
        last = graph.nodes[last.operand]
    return not (node.operator == "divide" and isinstance(last, Constant) and last.value != 0)


def _undefined_reason(failing: ExpectationFails) -> str:
    return f"`{failing.output}` is held where both graphs are defined, and on some input only the sequential one is"


def _reason(asked: Refinement, found: RelationsMissing) -> str:
    """Why it is unknown whether results are related."""
    opaque = opaque_reason(asked)
    return f"{_open(found)}; {opaque}" if opaque else _open(found)


def _open(found: RelationsMissing) -> str:
    names = ", ".join(f"`{each.result}`" for each in found.not_related if each.equation is None)
    if not names:
        open_ = ", ".join(f"`{_sides(each.equation)}`" for each in found.not_related if each.equation is not None)
        return f"it is not seen that {open_} holds, and no input was found on which it does not"
    return f"no clean expression in what the ranks hold was found for {names}, and no input on which there is none"


def _sides(equation: ExpectedEquation) -> str:
    return f"{equation.name} = {equation.right_name}"


def _unknown(reason: str) -> Answer:
    finding = Finding(NotDecided(reason), Severity.WARNING, Site(0))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=reason, findings=(finding,))


def _invalid(asked: Refinement, why: str, site: int, fails: Failure = Failure.VALIDITY) -> Answer:
    """Refuted: nothing satisfies the declaration. The replay has looked for sizes of its own accord.

    Raises `RelationContradicted` if it found some.
    """
    sizes = next(sizes_to_try(asked), None)
    if sizes is not None:
        raise RelationContradicted(f"{why}, but there are inputs at {sizes} of {asked}")
    finding = Finding(NoInputSatisfies(why), Severity.ERROR, Site(site))
    coverage = Coverage(_coverage([asked]), bounded=False)
    return Answer(
        Verdict.REFUTED, coverage, Method.NORMAL_FORM, findings=(finding,), witness=replace(WITHOUT_INPUT, fails=fails)
    )
