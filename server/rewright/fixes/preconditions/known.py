"""What a search knows: inputs that were replayed, candidates that were proved, and those that failed.

Owns the trial of a candidate: inputs drawn for it first, then the prover; what refutes it is one more failing input.
Invariant: with every precondition found the first question of the rule was proved, and some input with a result that
is not empty satisfies it; what is `confirmed` holds of the other questions too. Must not know which candidate is next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from rewright.fixes.preconditions.alternatives import alternatives
from rewright.fixes.preconditions.atoms import Atom, Grammar, Tier
from rewright.fixes.preconditions.covering import Cover, covers, undominated
from rewright.fixes.preconditions.lanes import Bits
from rewright.fixes.preconditions.near import failing_inputs, failing_near
from rewright.fixes.preconditions.pool import Pool
from rewright.fixes.preconditions.proof import Inconclusive, ProvedWithInput, attempt
from rewright.fixes.preconditions.work import ATOM, COVERING, JUDGED, RANKED, Limit
from rewright.model.formula import Formula
from rewright.model.rule import RuleQuestion
from rewright.replay.formulas import holds
from rewright.replay.inputs import Inputs

LOOK = 100_000
"""Steps that inputs near one that fails are tried with."""


class Trial(Enum):
    """What came of a candidate."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


class Limits(Struct, frozen=True):
    """How many steps a search may take, and where it ends: with something found, and at the latest."""

    steps: int
    ending: Limit
    latest: Limit


class SearchState:
    """The state of a search for preconditions of a rule's questions."""

    def __init__(self, questions: Sequence[RuleQuestion], pool: Pool, limits: Limits) -> None:
        self.questions = questions
        self.limits = limits
        self.pool = pool
        self.found: list[Cover] = []
        self._truths: dict[Formula, dict[Inputs, bool]] = {}
        self._failed: set[tuple[Formula, ...]] = set()
        self._blamed: Counter[Formula] = Counter()
        self._judged = pool, Grammar(questions[0], self.inputs)
        self._work = limits.latest.work

    @property
    def limit(self) -> Limit:
        """Where the search ends."""
        return self.limits.ending if self.found else self.limits.latest

    @property
    def late(self) -> bool:
        """Whether enough was done."""
        return self.limit.over

    @property
    def positive(self) -> Bits:
        """The inputs on which the rule holds."""
        return (1 << len(self.pool.positive)) - 1

    @property
    def typical(self) -> Bits:
        """Those of them of which little is a special case."""
        return self.pool.typical

    @property
    def solid(self) -> Bits:
        """Those of them at rank 1 or more with a result that is not empty."""
        return self.pool.solid

    @property
    def negative(self) -> Bits:
        """The inputs on which the rule fails."""
        return ((1 << len(self.pool.negative)) - 1) << len(self.pool.positive)

    @property
    def inputs(self) -> tuple[Inputs, ...]:
        """All inputs, in the order of the bits."""
        return (*self.pool.positive, *self.pool.negative)

    @property
    def _formulas(self) -> Grammar:
        """The formulas that are judged on these inputs; they are made again where inputs came in since."""
        pool, grammar = self._judged
        if pool is not self.pool:
            grammar = Grammar(self.questions[0], self.inputs)
            self._judged = self.pool, grammar
        return grammar

    def kept(self, valid: Bits) -> bool:
        """Whether something that was found keeps all of these inputs."""
        return any(not valid & ~cover.keeps for cover in self.found)

    def atoms(self, tiers: Iterable[Tier]) -> list[Atom]:
        """The formulas of these tiers."""
        found = [atom for tier in tiers for atom in self._formulas.atoms(tier)]
        self._work.spend(ATOM * len(found))
        return found

    def alternatives(self, atom: Atom) -> Iterator[Atom]:
        """The alternatives to a formula."""
        for either in alternatives(self._formulas, atom):
            self._work.spend(ATOM)
            yield either

    def covers(self, candidates: Sequence[Atom], valid: Bits, excluded: Bits | None = None) -> list[Cover]:
        """Conjunctions that keep many of the `valid` inputs and exclude others, by default all failing ones."""
        self._work.spend(COVERING * len(candidates))
        return covers(candidates, valid, self.negative if excluded is None else excluded)

    def undominated(self, candidates: Sequence[Atom], valid: Bits) -> list[Atom]:
        """The formulas that are worth a look."""
        self._work.spend(RANKED * len(candidates))
        return undominated(candidates, valid, self.negative)

    def extended(self, known: Sequence[Atom], count: int) -> list[Atom]:
        """Atoms made when there were so many inputs, with those that were added to the failing ones since."""
        new = [(1 << place, each) for place, each in enumerate(self.inputs) if place >= count]
        self._work.spend(JUDGED * len(known) * len(new))
        return [
            replace(atom, holds=atom.holds | sum(bit for bit, each in new if holds(atom.formula, each)))
            for atom in known
        ]

    def worth_trying(self, cover: Cover) -> bool:
        """Whether a candidate was not tried yet, and keeps an input with a result."""
        return bool(cover.keeps & self.solid) and cover.parts not in self._failed

    def blame(self, cover: Cover) -> int:
        """How often atoms of a candidate were in one that is not proved."""
        return sum(self._blamed[part] for part in cover.parts)

    def enlarge(self, more: Pool) -> None:
        """Adds inputs."""
        self.pool = self.pool.joined([more])
        self.found = [self.judged(cover) for cover in self.found]

    def judged(self, cover: Cover) -> Cover:
        """The same candidate with the inputs that are known now."""
        inputs = self.inputs
        self._work.spend(JUDGED * len(cover.atoms) * len(inputs))
        parts = tuple(replace(atom, holds=self._where(atom.formula, inputs)) for atom in cover.atoms)
        return Cover.of(parts, self.positive)

    def _where(self, formula: Formula, inputs: Sequence[Inputs]) -> Bits:
        """The inputs on which a formula holds; each is looked at once in a search."""
        known = self._truths.setdefault(formula, {})
        known.update({each: holds(formula, each) for each in inputs if each not in known})
        return sum(known[each] << place for place, each in enumerate(inputs))

    def failing(self, parts: Sequence[Formula]) -> list[Inputs]:
        """The inputs that a conjunction keeps and on which the rule fails."""
        inputs = self.pool.negative
        self._work.spend(JUDGED * len(parts) * len(inputs))
        kept = (1 << len(inputs)) - 1
        for part in parts:
            kept &= self._where(part, inputs)
        return [each for place, each in enumerate(inputs) if kept >> place & 1]

    def attempt(self, cover: Cover) -> Trial:
        """Tries a candidate: one that is proved is among those found, of one that is refuted an input is added."""
        trial = self._attempt(cover)
        if trial is not Trial.PROVED:
            self._blamed.update(cover.parts)
        return trial

    def _attempt(self, cover: Cover) -> Trial:
        asked = _with(self.questions[0], cover.parts)
        failing = failing_inputs(asked, self._among(cover.keeps), self.limits.latest)
        if not failing:
            match attempt(asked, self.limit):
                case ProvedWithInput():
                    self.found.append(cover)
                    return Trial.PROVED
                case Inconclusive():
                    self._failed.add(cover.parts)
                    return Trial.UNDECIDED
                case refuted:
                    failing = (refuted, *failing_near(asked, (refuted,), self.limit.at_most(LOOK)))
        self.pool = self.pool.with_failing(failing)
        return Trial.REFUTED

    def confirmed(self, cover: Cover, limit: Limit) -> bool:
        """Whether the other questions of the rule are proved, too, with what was found."""
        return all(isinstance(attempt(_with(each, cover.parts), limit), ProvedWithInput) for each in self.questions[1:])

    def _among(self, bits: Bits) -> list[Inputs]:
        return [each for place, each in enumerate(self.pool.positive) if bits >> place & 1]


def _with(question: RuleQuestion, parts: tuple[Formula, ...]) -> RuleQuestion:
    return replace(question, rule=replace(question.rule, where=(*question.rule.where, *parts)))
