"""What is asked of a worker about loop nests: first what those in a source come to, then what holds of them.

Plain data, cheap to load. Must not know how a source is read, nor how a nest is decided.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.checks.kernel_question import SourceText
from rewright.frontends.preset import NO_PRESET, Preset
from rewright.model.foreign_nest import SpeaksOfSources
from rewright.model.index import Name
from rewright.model.nest import Nest, TiledTransformation, Transformation
from rewright.model.nest_program import ProgramTransformation


class NestPayload(Struct, frozen=True):
    """What is asked of a loop nest."""

    nest: Nest


class TransformationPayload(Struct, frozen=True):
    """What is asked of a transform."""

    transformation: Transformation


class TiledPayload(Struct, frozen=True):
    """What is asked of a transform with tile sizes."""

    transformation: TiledTransformation


class ProgramPayload(Struct, frozen=True):
    """What is asked of a transform that is run."""

    transformation: ProgramTransformation


class NestReadingPayload(Struct, frozen=True):
    """A nest or a transform that is to be read from sources; its declaration has so many `sites`.

    `sought` are the paths under which sources were looked for, None if no others will be given.
    """

    asked: SpeaksOfSources
    sites: int
    sources: tuple[SourceText, ...]
    preset: Preset = NO_PRESET
    sought: tuple[str, ...] | None = None


class NestFactsPayload(Struct, frozen=True):
    """A nest of which facts are asked for; it fails at sizes with an iteration, unless these are empty."""

    nest: Nest
    failing: tuple[tuple[Name, int], ...] = ()
    wrong: tuple[tuple[Name, int], ...] = ()
