"""What is wrong with a text: RW001 to RW010."""

from __future__ import annotations

from rewright.verdict.diagnosis import Diagnosis


class UnexpectedText(Diagnosis, code="RW001"):
    """Text that the grammar has no place for."""

    text: str


class SomethingMissing(Diagnosis, code="RW002"):
    """The grammar needs something, as in "a name" or "`)`"."""

    what: str


class UnclosedBrace(Diagnosis, code="RW003"):
    """The brace of something is not closed, as in "rule `a`" or "block"."""

    of: str


class MisplacedAttribute(Diagnosis, code="RW004"):
    """An attribute that does not stand on its own line above a declaration."""

    text: str


class WordAsName(Diagnosis, code="RW005"):
    """A word that starts a declaration stands where a name does."""

    word: str


class ChainedComparison(Diagnosis, code="RW006"):
    """`a < b < c`; `links` are the comparisons to write."""

    links: tuple[str, ...]


class NumberEndsInDot(Diagnosis, code="RW007"):
    """A number that ends in a dot; `text` is what stands before it."""

    text: str


class UnclosedString(Diagnosis, code="RW008"):
    """A string without its closing quote."""


class NestedTooDeeply(Diagnosis, code="RW009"):
    """Nesting deeper than is read."""

    limit: int


class TextTooLong(Diagnosis, code="RW010"):
    """More text than is read: of "the text" or "the declaration"; `reason` is what it has and what the limit is."""

    what: str
    reason: str
