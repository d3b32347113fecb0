"""Which indices of the one side correspond to which of the other, for people.

Owns the sentence. Two weights that cancelled speak of the same addresses: a binder of the right is a polynomial in the
addresses, and these are what the left reads. Must not decide anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from rewright.equality.sums.addresses import Fibre
from rewright.equality.sums.linear_forms import has_unknown, unknowns
from rewright.terms import variable
from rewright.terms.binding import substitute
from rewright.terms.node import Coefficient, Monomial, Term, Variable
from rewright.terms.polynomial import expand, order

LETTERS = "klmnpqrstuvwxyz"

SENTENCES = 3
"""So many sentences are shown."""


def sentences(pairs: Iterable[tuple[Fibre, Fibre]]) -> tuple[str, ...]:
    """What corresponds to what in fibres of the left and the right that cancelled, at most three sentences."""
    found = (sentence for left, right in pairs if (sentence := _sentence(left, right)))
    return tuple(dict.fromkeys(found))[:SENTENCES]


def _sentence(left: Fibre, right: Fibre) -> str:
    names = _names(left)
    values: dict[Term, Term] = {address.unknown: address.index for address in left.addresses}
    images: dict[str, list[str]] = {}
    used: set[Variable] = set()
    for binder in right.binders:
        group, value = _group(right, binder), right.pinned.get(binder)
        if group is None or value is None:
            continue
        image = substitute(value, values)
        mine = {unknown for unknown in unknowns(image) if unknown in names}
        if mine and not any(unknown.name[0] in "#@%" and unknown not in names for unknown in unknowns(image)):
            used |= mine
            images.setdefault(group, []).append(_written(substitute(image, _as_names(names))))
    sources: dict[str, list[str]] = {}
    for unknown, name in names.items():
        if unknown in used:
            sources.setdefault(_group(left, unknown) or "", []).append(name)
    if not images:
        return ""
    verb = "corresponds" if len(used) == 1 else "correspond"
    return f"{_listed(sources)} on the left {verb} to {_listed(images)} on the right"


def _listed(indices: dict[str, list[str]]) -> str:
    """Indices by the group along which they read."""
    return " and ".join(f"{', '.join(parts)} of {group}" for group, parts in indices.items())


def _names(fibre: Fibre) -> dict[Variable, str]:
    """A letter for each binder that is read at, none of them a name that is in use."""
    terms = (address.index for address in fibre.addresses)
    taken = {unknown.name for term in terms for unknown in unknowns(term)}
    free = (letter for letter in LETTERS if letter not in taken)
    named = (binder for binder in fibre.binders if _group(fibre, binder) is not None)
    return dict(zip(named, free, strict=False))


def _as_names(names: dict[Variable, str]) -> dict[Term, Term]:
    return {unknown: variable(name, unknown.rank_class) for unknown, name in names.items()}


def _group(fibre: Fibre, binder: Variable) -> str | None:
    """The group along which a binder is read at first, alone if possible."""
    reading = [address for address in fibre.addresses if address.group and has_unknown(address.index, binder)]
    alone = [address for address in reading if address.index is binder]
    return next((address.group for address in [*alone, *reading]), None)


def _written(term: Term) -> str:
    """A polynomial as people write it."""
    parts = sorted(expand(term).items(), key=lambda item: (not item[0], _plain(item[0])))
    text = "".join(_signed(monomial, factor) for monomial, factor in parts)
    return text.removeprefix(" + ").replace(" − ", "−", 1) if text.startswith(" − ") else text.removeprefix(" + ")


def _plain(monomial: Monomial) -> tuple[int, list[str]]:
    return order(monomial)[0], [repr(atom) for atom, _ in monomial]


def _signed(monomial: Monomial, factor: Coefficient) -> str:
    atoms = [repr(atom) for atom, power in monomial for _ in range(power)]
    size = [str(abs(factor))] if abs(factor) != 1 or not atoms else []
    return (" − " if factor < 0 else " + ") + "·".join([*size, *atoms])
