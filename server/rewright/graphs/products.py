"""Products of tensors in a box: powers of factors that are no products themselves, and an exponential.

Owns the laws of products, quotients, exponentials and logarithms, true over the reals wherever both sides are defined:
exp(a + b) = exp(a) · exp(b), exp(log x) = x, log(exp(a) · x) = a + log x, and those of whole powers. A product is the
same root in whatever order, and by whatever operators, it is computed; what cancels is gone. A factor that does not
vary along a dimension leaves a sum along it. Short sums are multiplied out. Must not know contractions or graphs.

So softmax is exp(x) over the sum of exp(x), whatever is subtracted from x first.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product as every
from math import prod

from msgspec import Struct, field

from rewright.graphs.blocks import SPREAD, Combination, RootPart, summed
from rewright.graphs.combinations import NOTHING, pulled, scaled, varying
from rewright.graphs.elementwise import elementwise_root
from rewright.graphs.roots import Roots, only, skeleton
from rewright.graphs.sizes import plus_size
from rewright.graphs.translations import Translations
from rewright.terms import Term, multiply, number
from rewright.terms.polynomial import expand

EXPONENTIAL = "exponential"
LOG = "log"
SQUARE_ROOT = "sqrt"
PRODUCT = "product"
COMPARISON = "comparison"
TRUTHS = ("and", "or", "xor", "not")

MULTIPLIED_OUT = 12
"""Terms that a product of sums may come to: a gradient of a softmax has four; a long residual stream stays a factor."""

HIGHEST = 8
"""The highest power that is multiplied out, of a logarithm's operand or of a sum."""


class Monomial(Struct):
    """`factor` · exp(`exponent`) · the product of `powers`, none of which is 0.

    A key has no number and no power in it that could be pulled out; of one term, it is no product and no exponential.
    """

    factor: Fraction = Fraction(1)
    exponent: Combination = NOTHING
    powers: dict[Combination, int] = field(default_factory=dict)

    @property
    def is_number(self) -> bool:
        """Whether it is `factor` alone."""
        return not self.exponent and not self.powers


class Products:
    """Products of combinations in boxes that begin at 0, with the roots that they make.

    The elements of the roots that are `whole` are whole numbers.
    """

    def __init__(self, roots: Roots) -> None:
        self.roots = roots
        self.translations = Translations(roots)
        self.size_roots: dict[Term, RootPart] = {}
        self.whole: set[int] = set()
        self._one: RootPart | None = None
        self._monomials: dict[RootPart, Monomial] = {}
        self._positive: dict[int, bool] = {}

    def number(self, value: Fraction) -> Combination:
        """A number as a combination."""
        if self._one is None:
            self._one = RootPart(self.roots.new(()).number, ())
        return frozenset({(self._one, value)}) if value else NOTHING

    def size(self, term: Term) -> Combination:
        """A polynomial of sizes as a combination; each size is a root that is above 0."""
        terms = []
        for monomial, value in expand(term).items():
            powers = {self._size_root(atom): power for atom, power in monomial}
            terms.append((Fraction(1), self.combination(Monomial(Fraction(value), powers=powers), ())))
        return summed(terms, self.roots.extent)

    def _size_root(self, atom: Term) -> Combination:
        if atom not in self.size_roots:
            self.size_roots[atom] = RootPart(self.roots.new(()).number, ())
            self._positive[self.size_roots[atom].root] = True
        return frozenset({(self.size_roots[atom], Fraction(1))})

    def polynomial(self, part: RootPart, factor: Fraction) -> Term | None:
        """The polynomial of sizes that a term is, with whole coefficients; None if it is none."""
        found = self._of_term(part, factor)
        if found.exponent or found.factor.denominator != 1:
            return None
        total = number(int(found.factor))
        atoms = {frozenset({(root, Fraction(1))}): atom for atom, root in self.size_roots.items()}
        for base, power in found.powers.items():
            if base not in atoms or power < 0:
                return None
            for _ in range(power):
                total = multiply(total, atoms[base])
        return total

    def constant_value(self, total: Combination) -> Fraction | None:
        """The number that a combination is everywhere, None if it is none."""
        if not total:
            return Fraction(0)
        ((part, factor), *rest) = total
        return factor if part == self._one and not rest else None

    def product(self, sums: Sequence[Combination], powers: Sequence[int], shape: Sequence[Term]) -> Combination:
        """The product of powers of combinations; of one that is 0 everywhere the power is above 0."""
        if not all(sums):
            return NOTHING
        found = Monomial()
        for each, power in zip(sums, powers, strict=True):
            self.times(found, self.monomial(each, shape), power)
        return self.combination(found, shape)

    def exponential(self, total: Combination, shape: Sequence[Term]) -> Combination:
        """The exponential of a combination; of a logarithm, what it is the logarithm of."""
        found = Monomial()
        for part, factor in total:
            made = self.roots.all[part.root].made
            inner = _seen(only(made.operands[0]), part, 0) if made.key == LOG else NOTHING
            if inner and factor.denominator == 1 and abs(factor) <= HIGHEST:
                self.times(found, self.monomial(inner, shape), int(factor))
            else:
                self.times(found, Monomial(exponent=frozenset({(part, factor)})), 1)
        return self.combination(found, shape)

    def logarithm(self, total: Combination, shape: Sequence[Term]) -> Combination:
        """The logarithm of a combination that is not 0 everywhere."""
        found = self.monomial(total, shape)
        terms = [(Fraction(1), found.exponent)]
        factor = Fraction(1) if found.factor > 0 else found.factor
        if found.factor not in (1, factor):
            terms.append((Fraction(1), self._root(LOG, self.number(found.factor), ())))
        for base in [base for base in found.powers if self._is_positive(base)]:
            terms.append((Fraction(found.powers.pop(base)), self._root(LOG, base, shape)))
        match list(found.powers.items()):
            case [(base, power)] if power % 2 and factor == 1:
                terms.append((Fraction(power), self._root(LOG, base, shape)))
            case powers if powers or factor != 1:
                inner = self.combination(Monomial(factor, powers=found.powers), shape)
                terms.append((Fraction(1), self._root(LOG, inner, shape)))
        return summed(terms, self.roots.extent)

    def parted(
        self, total: Combination, along: Collection[int], shape: Sequence[Term]
    ) -> tuple[Combination, Combination] | None:
        """Two combinations whose product a combination is, of which the first does not vary along the dimensions
        `along`; None if there is no such factor but a number."""
        if not any(self._is_product(part) for part, _ in total):
            return None
        monomials = [self._of_term(part, factor) for part, factor in total]
        common = _common(monomials)
        outer = Monomial(
            exponent=frozenset(each for each in common.exponent if not varying(frozenset({each})) & set(along)),
            powers={base: power for base, power in common.powers.items() if not varying(base) & set(along)},
        )
        if outer.is_number:
            return None
        return self.combination(outer, shape), self._divided(monomials, outer, shape)

    def monomial(self, total: Combination, shape: Sequence[Term]) -> Monomial:
        """A combination that is not 0 everywhere as a monomial; what all terms of a sum have in common is apart."""
        if len(total) == 1:
            ((part, factor),) = total
            return self._of_term(part, factor)
        found = Monomial()
        if any(self._is_product(part) for part, _ in total):
            monomials = [self._of_term(part, factor) for part, factor in total]
            common = _common(monomials)
            divided = self._divided(monomials, common, shape) if not common.is_number else NOTHING
            if divided:
                found, total = common, divided
        number, total = pulled(total)
        self.times(found, Monomial(number, powers={total: 1}) if len(total) > 1 else self.monomial(total, shape), 1)
        return found

    def combination(self, found: Monomial, shape: Sequence[Term]) -> Combination:
        """A monomial as a combination; a short product of sums is multiplied out."""
        sums = {base: power for base, power in found.powers.items() if len(base) > 1 and 0 < power <= HIGHEST}
        if sums and prod(len(base) ** power for base, power in sums.items()) <= MULTIPLIED_OUT:
            return self._multiplied_out(found, sums, shape)
        factors = [(self._root(EXPONENTIAL, frozenset({term}), shape), 1) for term in found.exponent]
        factors += found.powers.items()
        match factors:
            case []:
                return self.number(found.factor)
            case [(base, 1)]:
                return scaled(base, found.factor)
        # A power of a partial sum is linear in each of its factors: so it is written out, the partial ones last.
        factors = [(base, sign) for base, power in factors for sign in [1] * power or [power]]
        factors.sort(key=lambda each: (skeleton(each[0]), each[1], _restrictions(each[0])))
        powers = tuple(power for _, power in factors)
        linear_in = [place for place, power in enumerate(powers) if power == 1]
        root = elementwise_root(self.roots, (PRODUCT, powers), [base for base, _ in factors], shape, linear_in)
        return scaled(root, found.factor)

    def _multiplied_out(self, found: Monomial, sums: Mapping[Combination, int], shape: Sequence[Term]) -> Combination:
        terms = []
        for chosen in every(*(base for base, power in sums.items() for _ in range(power))):
            rest = {base: power for base, power in found.powers.items() if base not in sums}
            each = Monomial(found.factor, found.exponent, rest)
            for part, factor in chosen:
                self.times(each, self._of_term(part, factor), 1)
            terms.append((Fraction(1), self.combination(each, shape)))
        return summed(terms, self.roots.extent)

    def _divided(self, monomials: Sequence[Monomial], by: Monomial, shape: Sequence[Term]) -> Combination:
        """The sum of monomials, each divided by another one."""
        terms = []
        for monomial in monomials:
            each = Monomial()
            self.times(each, monomial, 1)
            self.times(each, by, -1)
            terms.append((Fraction(1), self.combination(each, shape)))
        return summed(terms, self.roots.extent)

    def _root(self, operator: str, total: Combination, shape: Sequence[Term]) -> Combination:
        return elementwise_root(self.roots, operator, [total], shape)

    def _is_positive(self, total: Combination) -> bool:
        """Whether a combination is above 0 everywhere, of whatever inputs; False says nothing."""
        terms = (factor > 0 and (part == self._one or self._is_positive_root(part.root)) for part, factor in total)
        return bool(total) and all(terms)

    def _is_positive_root(self, number: int) -> bool:
        known = self._positive.get(number)
        if known is None:
            made = self.roots.all[number].made
            match made.key:
                case "exponential" | "logistic":
                    known = True
                case ("product" | "dot", *_) | ("reduce", "add" | "maximum" | "minimum", *_) | "sqrt":
                    known = all(self._is_positive(piece.sum) for each in made.operands for piece in each.pieces)
                case _:
                    known = False
            self._positive[number] = known
        return known

    def _is_product(self, part: RootPart) -> bool:
        key = self.roots.all[part.root].made.key
        return key == EXPONENTIAL or (isinstance(key, tuple) and key[0] == PRODUCT)

    def _of_term(self, part: RootPart, factor: Fraction) -> Monomial:
        known = self._monomials.get(part)
        if known is None:
            known = self._monomials[part] = self._unfolded(part)
        return Monomial(factor, known.exponent, dict(known.powers))

    def _unfolded(self, part: RootPart) -> Monomial:
        if part == self._one:
            return Monomial()
        made = self.roots.all[part.root].made
        match made.key:
            case "exponential":
                return Monomial(exponent=_seen(only(made.operands[0]), part, 0))
            case ("product", tuple() as powers):
                found = Monomial()
                for place, (operand, power) in enumerate(zip(made.operands, powers, strict=True)):
                    base = _seen(only(operand), part, place)
                    self.times(found, self._unparted(base), power)
                return found
            case _:
                return Monomial(powers={frozenset({(part, Fraction(1))}): 1})

    def times(self, found: Monomial, other: Monomial, power: int) -> None:
        """Multiplies a monomial by a power of another one."""
        found.factor *= other.factor**power
        if other.exponent:
            terms = ((Fraction(1), found.exponent), (Fraction(power), other.exponent))
            found.exponent = summed(terms, self.roots.extent)
        for base, exponent in other.powers.items():
            total = found.powers.pop(base, 0) + exponent * power
            if total > 1 and self._is_truth(base):
                total = 1
            root = self._rooted(base)
            if root is not None and total not in (0, 1):
                # x to the half is kept once at most.
                self.times(found, root, total // 2)
                total %= 2
            if total:
                found.powers[base] = total

    def is_whole(self, total: Combination) -> bool:
        """Whether every element is a whole number; False says nothing."""
        return all(
            factor.denominator == 1
            and ((part.root in self.whole and not part.restrictions) or self.polynomial(part, factor) is not None)
            for part, factor in total
        )

    def operands(self, total: Combination) -> tuple[Hashable, tuple[Combination, ...]] | None:
        """The operator of the elementwise root that a combination is, with its operands; None if it is none."""
        if len(total) != 1:
            return None
        ((part, factor),) = total
        made = self.roots.all[part.root].made
        if factor != 1 or not made.operands or made.contracted or len(made.operands[0].shape) != len(part.axes):
            return None
        return made.key, tuple(_seen(only(each), part, place) for place, each in enumerate(made.operands))

    def truth_factors(self, total: Combination, shape: Sequence[Term]) -> set[Combination]:
        """The truth values whose product a combination is; itself if it is none."""
        found = self.monomial(total, shape) if total else Monomial()
        is_product = found.factor == 1 and not found.exponent and found.powers
        return set(found.powers) if is_product and all(map(self._is_truth, found.powers)) else {total}

    def _is_truth(self, base: Combination) -> bool:
        """Whether a factor is 0 or 1 everywhere."""
        ((part, _), *rest) = base
        key = self.roots.all[part.root].made.key
        return not rest and (key in TRUTHS or (isinstance(key, tuple) and key[0] == COMPARISON))

    def _rooted(self, base: Combination) -> Monomial | None:
        """What a factor is the square root of, None if it is none."""
        ((part, _), *rest) = base
        made = self.roots.all[part.root].made
        if rest or made.key != SQUARE_ROOT:
            return None
        total = _seen(only(made.operands[0]), part, 0)
        return self._unparted(total) if total else None

    def _unparted(self, total: Combination) -> Monomial:
        """A combination as a monomial, nothing but a number pulled out of a sum."""
        if len(total) == 1:
            return self._of_term(*next(iter(total)))
        number, total = pulled(total)
        return Monomial(number, powers={total: 1})


def _seen(total: Combination, part: RootPart, place: int) -> Combination:
    """An operand of an elementwise root as a part of the root sees it."""
    own = frozenset(each._replace(path=each.path[1:]) for each in part.restrictions if each.path[:1] == (place,))

    def axis(d: int, offset: Term) -> tuple[int, Term]:
        if d == SPREAD:
            return d, offset
        to, by = part.axes[d]
        return to, plus_size(offset, by)

    return frozenset(
        (
            RootPart(
                each.root,
                tuple([axis(d, offset) for d, offset in each.axes]),
                each.restrictions | own if own else each.restrictions,
            ),
            factor,
        )
        for each, factor in total
    )


def _restrictions(total: Combination) -> int:
    return sum(len(part.restrictions) for part, _ in total)


def _common(monomials: Sequence[Monomial]) -> Monomial:
    """The exponentials and powers that stand in all of these."""
    first, *others = monomials
    powers = dict(first.powers)
    exponent = first.exponent
    for other in others:
        exponent &= other.exponent
        for base in list(powers):
            shared = _between(powers[base], other.powers.get(base, 0))
            if shared:
                powers[base] = shared
            else:
                del powers[base]
    return Monomial(exponent=exponent, powers=powers)


def _between(one: int, other: int) -> int:
    """The power nearest to 0 of two of one sign, else 0."""
    if one * other <= 0:
        return 0
    return min(one, other, key=abs)
