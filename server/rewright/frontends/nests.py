"""Loop nests of a source, as every front end gives them. Plain data. Must not know any language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from rewright.frontends.preset import Preset
from rewright.model.index import Name
from rewright.model.nest import UNRELAXED, Condition, Nest, Relaxations
from rewright.model.nest_program import NestProgram
from rewright.verdict import Finding, InSource


class NestRequest(Struct, frozen=True):
    """What is to be read of a source: a nest of a name, with values that its declaration gives to names of the text.

    A transform has the parameters and arrays of its `specification`. The declaration says something of the parameters
    in `spoken`, so they may be less than 1; `relaxed` is what it allows.
    """

    name: Name
    specification: Nest | None = None
    values: tuple[tuple[str, int], ...] = ()
    spoken: frozenset[str] = frozenset()
    requires: tuple[Condition, ...] = ()
    relaxed: Relaxations = UNRELAXED


class ReadNest(Struct, frozen=True):
    """A nest, None if it is not taken; and why not, or what is to be said of it besides."""

    nest: Nest | None
    findings: tuple[Finding, ...]


class ReadProgram(Struct, frozen=True):
    """A transform that is to be run since it is no nest, None if it is not taken; and why not."""

    program: NestProgram | None
    findings: tuple[Finding, ...]


class OutlinedNest(Struct, frozen=True):
    """A nest of a source by itself: its name and where that stands; `of` is what it is a transform of, if of any.

    `expected` are the verdicts that the source expects, none if it does not say. A transform may have `tiles`, names of
    the text that are its tile sizes; `at` are the values that these, and parameters, have.
    """

    name: str
    of: str | None
    place: InSource
    expected: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()
    at: tuple[tuple[str, tuple[int, ...]], ...] = ()
    relaxed: Relaxations = UNRELAXED


class NestOutline(Struct, frozen=True):
    """The nests of a source in order, what is wrong outside of them, and the sources looked for, there or not.

    `names` are what declarations can name.
    """

    nests: tuple[OutlinedNest, ...]
    findings: tuple[Finding, ...]
    read: tuple[str, ...]
    names: tuple[str, ...]


class NestSource(Struct, frozen=True):
    """A source of nests: its path, texts by path, its own and those that it includes, and what holds before them."""

    path: str
    texts: Mapping[str, str]
    preset: Preset


class NestFrame(Struct, frozen=True):
    """What stands around a nest in its source, for who writes another one like it.

    The head of its function has its name between `before_name` and `after_name`; the function ends at byte `at`. The
    statements of the nest stand at bytes `start` to `end`.
    `variables` are those of the function with their declarations; `indent` is that of a level, `is_braced` if a body of
    one statement has braces. `defined` are macros and functions, `taken` the names of nests and functions.
    """

    before_name: str
    after_name: str
    at: int
    start: int
    end: int
    variables: tuple[tuple[str, str], ...]
    indent: str
    is_braced: bool
    defined: frozenset[str]
    taken: tuple[str, ...]


class NestFrontEnd(Struct, frozen=True):
    """How texts of a language are read; none of it raises on bad text.

    `read` gives the nest of a name, None if the text has none; it numbers places. `program` gives it as a program that
    is run: the transform of a nest. `reads` gives the paths of the texts that one looks for, and does no more than that
    takes. `frame` gives what stands around the nest of a name.
    """

    outline: Callable[[NestSource], NestOutline]
    read: Callable[[NestSource, str, NestRequest, Callable[[InSource], int]], ReadNest | None]
    program: Callable[[NestSource, str, NestRequest, Callable[[InSource], int]], ReadProgram]
    reads: Callable[[NestSource], tuple[str, ...]]
    frame: Callable[[NestSource, str], NestFrame | None]
