"""What stands around a place where somebody writes, and the offers that come from it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from rewright.model.declared import Declared, Symbol
from rewright.writing.offer import Offer, Sort, escaped
from rewright.writing.scope import RuleNames
from rewright.writing.words import TYPES, Keyword


class Around(Struct, frozen=True):
    """What stands around a place: the names of its declaration, those of the file, and files that may be named.

    `files` gives the files and folders that continue what is typed of a path, with these endings: those of files of
    declarations, or of sources.
    """

    scope: RuleNames
    symbols: Sequence[Symbol] = ()
    top: Sequence[Declared] = ()
    files: Callable[[str, Sequence[str]], Iterable[str]] = lambda typed, endings: ()
    declared_in: Sequence[str] = ()
    sources: Sequence[str] = ()


def words(known: Iterable[Keyword]) -> Iterator[Offer]:
    """Words of the language, with what they mean."""
    for word in known:
        yield Offer(word.text, Sort.WORD, "", word.snippet, "", word.meaning)


def names(known: Iterable[str], around: Around, after: str = "") -> Iterator[Offer]:
    """Names that are declared, each written with what comes after it."""
    for name in known:
        yield Offer(name, Sort.NAME, around.scope.details.get(name, ""), escaped(name + after))


def element_types(known: Iterable[str], around: Around) -> Iterator[Offer]:
    """Element types: the parameters of the declaration, and these."""
    for name in around.scope.types:
        yield Offer(name, Sort.NAME, f"{name}: {around.scope.types[name]}", name)
    for name in known:
        yield Offer(name, Sort.TYPE, TYPES.get(name, "a machine type"), name)
