"""What is wrong with loop nests: transforms that are no legal reordering, RW501 to RW504, or were not all run, RW508;
nests, RW505 to RW507.
"""

from __future__ import annotations

from rewright.verdict.diagnosis import Diagnosis

# ---------------------------------------------------------------------------------------------------------- transforms


class ReadOrWrittenTooSoon(Diagnosis, code="RW501"):
    """An operation that reads an element of another writer than in the specification; instances and sizes as text.

    `allowing` is the item with which the order is allowed, empty if there is none.
    """

    operation: str
    element: str
    expected: str
    found: str
    sizes: str
    allowing: str


class NeverExecuted(Diagnosis, code="RW502"):
    """An instance of the specification that the transform does not execute; `more` others are missing, too."""

    operation: str
    more: int
    sizes: str


class ExecutedTooOften(Diagnosis, code="RW503"):
    """An operation that writes an element to which nothing is to be written any more."""

    operation: str
    element: str
    sizes: str


class AnotherOperation(Diagnosis, code="RW504"):
    """An operation at whose turn the specification has another statement, or reads another element.

    `allowing` is the item with which the order is allowed, empty if there is none.
    """

    operation: str
    due: str
    reads: str
    should_read: str
    sizes: str
    allowing: str


# --------------------------------------------------------------------------------------------------------------- nests


class OutsideArray(Diagnosis, code="RW505"):
    """A subscript that is outside its array; `dimension` counts from 0."""

    operation: str
    element: str
    dimension: int
    size: int
    sizes: str


class IterationsInterfere(Diagnosis, code="RW506"):
    """Two operations of different iterations of a parallel loop that access one element, one of them writing it.

    `write`: whether the first one does, and the second. `remedy` is the item that would keep them apart, empty if none
    does.
    """

    first: str
    second: str
    write: tuple[bool, bool]
    element: str
    iterator: str
    sizes: str
    remedy: str


class PrivateValuePasses(Diagnosis, code="RW506"):
    """An operation that reads an element which is private to each iteration of a parallel loop.

    Its value was written by `writer`, in another iteration or outside the loop; empty if nothing wrote it.
    """

    reader: str
    writer: str
    element: str
    iterator: str
    sizes: str


class NothingToExecute(Diagnosis, code="RW507"):
    """A nest that executes nothing at any size."""


class NeverRan(Diagnosis, code="RW508"):
    """An operation or a branch of a program that was executed at none of the sizes at which it was run."""


class SubscriptCount(Diagnosis, code="RW510"):
    """Another number of subscripts than the array has sizes."""

    array: str
    expected: int
    given: int
