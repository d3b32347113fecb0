"""How many axes decide an open leaf, and why.

Owns the counting of the bound on ranks (docs/soundness.md, "The bound"): per rank class one axis for each test that is
known to fail on some axis, one for each test whose truth is open, and one for each read that may differ on that class
from those of the same tensor before it. Must not know how a leaf came about.

Sources: TensorRight (POPL 2025), section 6.3, Algorithm 1, which counts pairs of reads, and Theorem 2, which asks every
rank from 1 up to the bound; that n different reads are told apart by n - 1 axes is Bondy's theorem (Induced Subsets,
Journal of Combinatorial Theory B 12, 1972).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

from msgspec import Struct, field

from rewright.terms import Term, equal, subterms
from rewright.terms.interning import children
from rewright.terms.node import Access, Fold, Reduce


class Counts(Struct):
    """What asks for axes of one rank class."""

    failing: int = 0
    open_tests: int = 0
    reads: int = 0

    @property
    def axes(self) -> int:
        """The rank that suffices above rank 0."""
        return self.failing + self.open_tests + self.reads

    def reason(self) -> str:
        """Why that rank suffices, for people."""
        parts = [
            _several(self.failing, "test that fails on some axis", "tests that fail on some axis"),
            _several(self.open_tests, "test on all axes", "tests on all axes"),
            _several(self.reads, "read that may differ from another", "reads that may differ from others"),
        ]
        return ", ".join(part for part in parts if part) or "nothing that is open depends on its axes"


def _several(count: int, one: str, many: str) -> str:
    return "" if count == 0 else f"{count} {one if count == 1 else many}"


class RankBound(Struct):
    """The counts of a leaf by rank class; `nonempty` classes start at rank 1."""

    nonempty: frozenset[str]
    counts: dict[str, Counts] = field(default_factory=dict)

    def of(self, rank_class: str) -> Counts:
        """The counts of a class."""
        return self.counts.setdefault(rank_class, Counts())

    def count_failing(self, tests: Iterable[Term]) -> None:
        """Counts tests that are known to fail, each on an axis of its own."""
        for test in tests:
            if isinstance(test, Fold):
                self.of(test.rank_class).failing += 1

    def count_open(self, terms: Iterable[Term]) -> None:
        """Counts the distinct tests on all axes in the terms."""
        for test in outside_reductions(terms):
            if isinstance(test, Fold):
                self.of(test.rank_class).open_tests += 1

    def count_reads(self, reads: Iterable[Access], same: Callable[[str, Term], bool]) -> None:
        """Counts, per class, the reads of each tensor that are not shown to agree on it with one counted before.

        The first of a tensor does not count: to keep n reads apart, n - 1 axes are enough.
        """
        apart: dict[tuple[str, str], list[Access]] = {}
        for read in dict.fromkeys(reads):
            for rank_class in dict.fromkeys(slot.rank_class for slot in read.slots if slot.rank_class is not None):
                others = apart.setdefault((read.tensor, rank_class), [])
                if not any(_agree(read, other, rank_class, same) for other in others):
                    self.of(rank_class).reads += bool(others)
                    others.append(read)

    def vectors(self) -> list[tuple[tuple[str, int], ...]]:
        """The rank vectors that decide the leaf: rank 0 (unless a test fails there, or the class excludes it), and
        the count."""
        return self.vectors_up_to({})

    def vectors_up_to(self, limits: Mapping[str, int]) -> list[tuple[tuple[str, int], ...]]:
        """The same, with every rank up to its limit for a class that has one."""
        classes = sorted({*self.counts, *self.nonempty, *limits})
        choices = ([(name, rank) for rank in self._ranks(name, limits.get(name))] for name in classes)
        return list(product(*choices))

    def _ranks(self, rank_class: str, limit: int | None) -> Sequence[int]:
        counts, least = self.of(rank_class), int(rank_class in self.nonempty)
        if limit is not None:
            return range(least, max(least, limit) + 1)
        # a countermodel at some rank from 1 on has one at every greater rank, where an axis is repeated, so the ranks
        # between need not be asked; rank 0 has no axis to repeat (docs/soundness.md, section 4)
        most = max(least, counts.axes)
        return [most] if counts.failing else sorted({least, most})

    @staticmethod
    def wider(first: RankBound | None, second: RankBound | None) -> RankBound | None:
        """The greater counts of two bounds, class by class."""
        if first is None or second is None:
            return first or second
        counts = dict(first.counts)
        for rank_class, other in second.counts.items():
            mine = counts.get(rank_class)
            counts[rank_class] = other if mine is None or other.axes > mine.axes else mine
        return RankBound(first.nonempty, counts)


def _agree(first: Access, second: Access, rank_class: str, same: Callable[[str, Term], bool]) -> bool:
    """Whether two reads of one tensor are shown to have the same index along every group of a class."""
    slots = zip(first.slots, second.slots, strict=True)
    pairs = [(one.index, other.index) for one, other in slots if one.rank_class == rank_class]
    return all(one is other or same(rank_class, equal(one, other)) for one, other in pairs)


def open_reads(terms: Iterable[Term]) -> list[Access]:
    """The reads in the terms."""
    found = (term for term in outside_reductions(terms) if isinstance(term, Access))
    return sorted(found, key=lambda read: read.digest)


def outside_reductions(terms: Iterable[Term]) -> dict[Term, None]:
    """The subterms of the terms that are not below a reduction, which is an unknown of its own."""
    seen: dict[Term, None] = {}
    stack = list(terms)
    while stack:
        term = stack.pop()
        if term not in seen:
            seen[term] = None
            if not isinstance(term, Reduce):
                stack.extend(children(term))
    return seen


def has_reduction(*terms: Term) -> bool:
    """Whether a reduction occurs in the terms."""
    return any(isinstance(term, Reduce) for term in subterms(*terms))
