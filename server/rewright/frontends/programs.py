"""From a checked kernel to the program that each thread runs, whatever language its body is in.

Never raises on bad text: what cannot be taken is said, at its place. Must not know files or how a program is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rewright.emit.problem import Problem
from rewright.frontends.lowered import Lowered
from rewright.frontends.own.lower import lower_own
from rewright.frontends.preset import NO_PRESET, Preset
from rewright.frontends.table import LANGUAGES, language_of
from rewright.model.body import Body
from rewright.model.kernel import Foreign, Kernel
from rewright.verdict import Site


def lower(kernel: Kernel, sources: Mapping[str, str], preset: Preset = NO_PRESET) -> Lowered:
    """What a kernel comes to, given the texts of the sources that it may need, by path."""
    match kernel.body:
        case Body() as body:
            return Lowered(lower_own(body), (), ())
        case Foreign() as foreign:
            return _lower_foreign(kernel, foreign, sources, preset)
        case _:
            assert_never(kernel.body)


def reads(path: str, sources: Mapping[str, str], defines: Mapping[str, int], preset: Preset) -> tuple[str, ...]:
    """The sources that the one at `path` looks for with macros that are given, there or not; nothing is lowered."""
    language = language_of(path)
    return () if language is None or path not in sources else language.front_end().reads(path, sources, defines, preset)


def _lower_foreign(kernel: Kernel, foreign: Foreign, sources: Mapping[str, str], preset: Preset) -> Lowered:
    site, read = Site(foreign.site), (foreign.path,)
    if foreign.path not in sources:
        return Lowered(None, (Problem(f"`{foreign.path}` cannot be read", site),), read)
    language = language_of(foreign.path)
    if language is None:
        return Lowered(None, (Problem(f"`{foreign.path}`: {ONLY}", site),), read)
    lowered = language.front_end().lower(kernel, foreign, sources, preset)
    return Lowered(lowered.program, lowered.problems, tuple(dict.fromkeys((*read, *lowered.read))))


ONLY = f"only {' and '.join(f'{each.name} (`{each.endings[0]}`)' for each in LANGUAGES)} is read in this version"
"""What is said of a source in any other language."""
