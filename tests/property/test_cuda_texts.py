"""Broken texts: an edit inside one kernel of a source is told there, and the other kernels are read as before.

The sources are those of the library. Edits cut the rest of a kernel away, delete a line or a few characters, or insert
what unbalances a text; comments and directives that are not closed are left out, as they do reach into what follows.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.outlined import Outline
from rewright.frontends.programs import lower

LIBRARY = Path(__file__).parents[2] / "rules" / "kernels"
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted(LIBRARY.glob("*.cu"))}
KERNEL = re.compile(
    r"^__global__ void(?:\s+__launch_bounds__\(.*?\)+)?\s+(\w+)\s*\([^;{}]*\)\s*\{.*?^\}", re.MULTILINE | re.DOTALL
)
LAUNCH = "// rewright: launch block(32)\n"
INSERTED: list[str] = [
    *"{}()\"'#;@?<\0é\r",
    "<<<",
    "::",
    "[[",
    "asm(",
    "__global__",
    "struct {",
    "for(",
    "if(",
    "do {",
    "return",
]
INSERTED += [
    "\nvoid f(",
    "\n#else\n",
    '\n#include "x\n',
    "template<",
    "__shared__ float s[",
    "\n\n}\n",
    "*/",
    "\\",
    "case 1:",
]
EDITS = 150
SEEDS = range(3 if os.environ.get("REWRIGHT_SOAK") else 1)


def _named(outlined: Outline) -> set[str]:
    return {kernel.name for kernel in outlined.kernels}


def _read(text: str) -> set[str]:
    """The kernels of a text that are read without a syntax error; what types they want does not matter here."""
    outlined = outline("k.cu", {"k.cu": text})
    return {kernel.name for kernel in outlined.kernels if not kernel.problems and _lowers(text, outlined, kernel.name)}


def _lowers(text: str, outlined: Outline, name: str) -> bool:
    (kernel,) = (each.kernel for each in outlined.kernels if each.name == name)
    if kernel is None:
        return True
    lowered = lower(kernel, {"k.cu": text})
    assert lowered.program is not None or lowered.problems
    return lowered.program is not None


@cache
def _launched(source: str) -> str:
    """A source with a launch above each kernel that is no template."""
    return re.sub(r"^(?=__global__)", LAUNCH, SOURCES[source], flags=re.MULTILINE)


@cache
def _whole(source: str) -> frozenset[str]:
    return frozenset(_read(_launched(source)))


def _edited(random: Random, text: str, around: re.Match[str]) -> str:
    start, end = text.index("{", around.start()) + 1, around.end()
    at = random.randrange(start, end)
    match random.randrange(4):
        case 0:
            return text[:at] + text[end:]
        case 1:
            line = text.rindex("\n", 0, at) + 1
            return text[:line] + text[text.find("\n", at) % len(text) + 1 :]
        case 2:
            return text[:at] + text[min(end, at + random.randrange(1, 30)) :]
        case _:
            return text[:at] + random.choice(INSERTED) + text[at:]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_edit_inside_a_kernel_does_not_reach_the_others(seed: int) -> None:
    random = Random(seed)
    reached = []
    for _ in range(EDITS):
        source = random.choice(sorted(SOURCES))
        text = _launched(source)
        kernel = random.choice(list(KERNEL.finditer(text)))
        edited = _edited(random, text, kernel)
        lost = _whole(source) - {kernel[1]} - _read(edited)
        if lost or kernel[1] not in _named(outline("k.cu", {"k.cu": edited})):
            reached.append((source, kernel[1], lost, edited))
    assert not reached, reached[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_cut_is_too_much(seed: int) -> None:
    random = Random(seed)
    for _ in range(EDITS):
        text = _launched(random.choice(sorted(SOURCES)))
        at = random.randrange(len(text))
        stray = random.choice(
            [*INSERTED, "\n#if\n", "\n#if 1\n", "/*", "//", '\n#define float "\n', "\n#define f(\n", 'R"(']
        )
        _read(random.choice([text[:at], text[at:], text[:at] + stray + text[at:]]))
