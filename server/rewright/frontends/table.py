"""The source languages that are read, each with its endings and its front end: a new one is a room and a row here.

Cheap to load: a front end is imported when a text of its language is first read. Must not know what is done with what
it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rewright.frontends.lowered import Lowered
    from rewright.frontends.outlined import Outline
    from rewright.frontends.preset import Preset
    from rewright.model.kernel import Foreign, Kernel


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """How texts of a language are read; the texts are given by path, with those that they include.

    `lower` gives the program of a kernel that a declaration names, `outline` the kernels of a text that speaks for
    itself. Neither raises on bad text: what cannot be taken is a problem at its place.
    """

    lower: Callable[[Kernel, Foreign, Mapping[str, str], Preset], Lowered]
    outline: Callable[[str, Mapping[str, str], Preset], Outline]


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its name, the endings of its texts and of texts that only they include, and its front end."""

    name: str
    endings: tuple[str, ...]
    included: tuple[str, ...]
    front_end: Callable[[], FrontEnd]


def _cuda() -> FrontEnd:
    from rewright.frontends.cuda.launches.outline import outline
    from rewright.frontends.cuda.lower.kernel import lower_cuda

    return FrontEnd(lower_cuda, outline)


LANGUAGES = (Language("CUDA C++", (".cu", ".cuh"), (".h", ".hpp", ".inl"), _cuda),)


def language_of(path: str) -> Language | None:
    """The language of a text that has kernels of its own, None if no front end reads it."""
    return next((language for language in LANGUAGES if path.endswith(language.endings)), None)
