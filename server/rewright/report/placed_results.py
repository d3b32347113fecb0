"""Results of a file at their places, each moved there only when it is looked at.

Each key moves all that follows it, of which most is not asked for before the next one.
Invariant: as a sequence it is that of the moved results; one that was looked at is the same object from then on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from msgspec.structs import replace

from rewright.report.document import Diagnostic, Located, Result, Sites


class PlacedResults(Sequence[Result]):
    """Results that were made when their declarations stood elsewhere, at the starts of these now."""

    __slots__ = ("_made", "_moved", "_starts")

    def __init__(self, made: Sequence[Result], starts: Sequence[int]) -> None:
        self._made = made
        self._starts = starts
        self._moved: dict[int, Result] = {}

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Result, ...]: ...
    def __getitem__(self, index: int | slice) -> Result | tuple[Result, ...]:
        """The result of a declaration, or those of several. Raises `IndexError` if there is none."""
        if isinstance(index, slice):
            return tuple(self._result(number) for number in range(*index.indices(len(self))))
        return self._result(range(len(self))[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def static(self) -> Iterator[Diagnostic]:
        """The findings of names and shapes, in order; nothing else is moved for them."""
        for number, made in enumerate(self._made):
            if made.static:
                yield from self._result(number).static

    def _result(self, number: int) -> Result:
        found = self._moved.get(number)
        if found is None:
            made = self._made[number]
            by = self._starts[number] - made.sites.start
            self._moved[number] = found = _at(made, by) if by else made
        return found


def _at(result: Result, by: int) -> Result:
    """The result of a declaration of which nothing changed but its place, by so many bytes."""
    return Result(
        path=result.path,
        name=result.name,
        kind=result.kind,
        span=result.span.shifted(by),
        name_span=result.name_span.shifted(by),
        verdict=result.verdict,
        expected=result.expected,
        as_expected=result.as_expected,
        reason=result.reason,
        questions=result.questions,
        sites=Sites(result.sites.start + by, result.sites.spans),
        static=result.static and tuple([_moved(diagnostic, result.path, by) for diagnostic in result.static]),
        found=result.found and tuple([_moved(diagnostic, result.path, by) for diagnostic in result.found]),
        moments=result.moments and tuple([_shifted(at, result.path, by) for at in result.moments]),
        opened=_shifted(result.opened, result.path, by) if result.opened else None,
    )


def _moved(diagnostic: Diagnostic, path: str, by: int) -> Diagnostic:
    related = tuple(replace(note, at=_shifted(note.at, path, by)) for note in diagnostic.related)
    return replace(diagnostic, at=_shifted(diagnostic.at, path, by), related=related)


def _shifted(at: Located, path: str, by: int) -> Located:
    return Located(path, at.span.shifted(by)) if at.path == path else at
