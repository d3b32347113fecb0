"""What a source is by its path, and the source languages that are read, each with its front end.

The only place that knows endings: a new language is a room and a row here.

Cheap to load: a front end is imported when a text of its language is first read. Must not know what is done with what
it gives.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from rewright.model.source_kind import SourceKind

if TYPE_CHECKING:
    from rewright.frontends.lowered import Lowered
    from rewright.frontends.nests import NestFrontEnd
    from rewright.frontends.outlined import Outline
    from rewright.frontends.preset import Preset
    from rewright.frontends.tensor_programs.program import TensorProgram
    from rewright.model.kernel import Foreign, Kernel


class FrontEnd(Struct, frozen=True):
    """How texts of a language are read; the texts are given by path, with those that they include.

    `lower` gives the program of a kernel that a declaration names, `outline` the kernels of a text that speaks for
    itself. Neither raises on bad text: what cannot be taken is a problem at its place. `reads` gives the paths of the
    texts that one looks for, with macros that are given; it does no more than that takes.
    """

    lower: Callable[[Kernel, Foreign, Mapping[str, str], Preset], Lowered]
    outline: Callable[[str, Mapping[str, str], Preset], Outline]
    reads: Callable[[str, Mapping[str, str], Mapping[str, int], Preset], tuple[str, ...]]


class Language(Struct, frozen=True):
    """A language: its name, the endings of its texts and of texts that only they include, and its front end."""

    name: str
    endings: tuple[str, ...]
    included: tuple[str, ...]
    front_end: Callable[[], FrontEnd]


def _cuda() -> FrontEnd:
    from rewright.frontends.cuda.launches.outline import outline
    from rewright.frontends.cuda.lower.kernel import lower_cuda
    from rewright.frontends.cuda.reading.texts import reads

    return FrontEnd(lower_cuda, outline, reads)


LANGUAGES = (Language("CUDA C++", (".cu", ".cuh"), (".h", ".hpp", ".inl"), _cuda),)


class GraphLanguage(Struct, frozen=True):
    """A language of graphs: its name, the endings of its texts, and what reads one; it does not raise on bad text."""

    name: str
    endings: tuple[str, ...]
    front_end: Callable[[], Callable[[str], TensorProgram]]


def _stablehlo() -> Callable[[str], TensorProgram]:
    from rewright.frontends.stablehlo.reading import read_program

    return read_program


def _hlo() -> Callable[[str], TensorProgram]:
    from rewright.frontends.hlo.reading import read_program

    return read_program


def _fx() -> Callable[[str], TensorProgram]:
    from rewright.frontends.fx.reading import read_program

    return read_program


GRAPH_LANGUAGES = (
    GraphLanguage("StableHLO", (".mlir",), _stablehlo),
    GraphLanguage("HLO", (".hlo.txt", ".hlo"), _hlo),
    GraphLanguage("torch.fx", (".fx.py", ".fx.txt", "fx_graph_readable.py"), _fx),
)


class NestLanguage(Struct, frozen=True):
    """A language of loop nests: its name, the endings of its texts, and its front end."""

    name: str
    endings: tuple[str, ...]
    front_end: Callable[[], NestFrontEnd]


def _c() -> NestFrontEnd:
    from rewright.frontends.c.frames import frame
    from rewright.frontends.c.reading import outline, read, read_program, reads
    from rewright.frontends.nests import NestFrontEnd

    return NestFrontEnd(outline, read, read_program, reads, frame)


NEST_LANGUAGES = (NestLanguage("C", (".c",), _c),)

DECLARATIONS = ".rw"
"""The ending of files of declarations, our own language."""

_OF_GRAPHS = tuple(ending for each in GRAPH_LANGUAGES for ending in each.endings)
_OF_NESTS = tuple(ending for each in NEST_LANGUAGES for ending in each.endings)
_OF_KERNELS = tuple(ending for each in LANGUAGES for ending in (*each.endings, *each.included))

ENDINGS = (DECLARATIONS, *_OF_KERNELS, *_OF_GRAPHS, *_OF_NESTS)
"""The endings of all sources that are read."""

SETTINGS = "rewright.toml"
"""The name of the file that says how a folder is checked."""


COMMANDS = "compile_commands.json"
"""The name of the file in which a build says how it compiles sources."""


def kind_of(path: str) -> SourceKind:
    """What the source at a path is."""
    if path.endswith(DECLARATIONS):
        return SourceKind.DECLARATIONS
    if os.path.basename(path) == SETTINGS:
        return SourceKind.SETTINGS
    if language_of(path) is not None:
        return SourceKind.KERNELS
    if path.endswith(_OF_GRAPHS):
        return SourceKind.GRAPHS
    if path.endswith(_OF_NESTS):
        return SourceKind.LOOPS
    is_included = any(path.endswith(language.included) for language in LANGUAGES)
    return SourceKind.INCLUDED if is_included else SourceKind.OTHER


def language_of(path: str) -> Language | None:
    """The language of a text that has kernels of its own, None if no front end reads it."""
    return next((language for language in LANGUAGES if path.endswith(language.endings)), None)


def nest_language_of(path: str) -> NestLanguage | None:
    """The language of a text that has loop nests, None if no front end reads it."""
    return next((language for language in NEST_LANGUAGES if path.endswith(language.endings)), None)


def graph_language_of(path: str) -> GraphLanguage | None:
    """The language of a text that has graphs, None if no front end reads it."""
    return next((language for language in GRAPH_LANGUAGES if path.endswith(language.endings)), None)
