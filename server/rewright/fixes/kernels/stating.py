"""Changes that state a condition under which a kernel is right: in a comment above it, or in its declaration.

Must not know whether the kernel is right then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from rewright.fixes.kernels.candidates import Candidate
from rewright.fixes.kernels.question import OWN, DeclaredKernel, DocumentKernel, KernelText, OwnText
from rewright.fixes.kernels.texts import insertion_of
from rewright.verdict import Condition, Edit, Finding, InSource
from rewright.verdict.diagnostics.kernels import WrongUnless


def stated(finding: Finding, kernel: KernelText) -> Iterator[Candidate]:
    """The change that states the conditions of a finding, if the kernel's text is one that can say so."""
    match finding.diagnosis:
        case WrongUnless(conditions=(_, *_) as conditions):
            yield from _stating(conditions, kernel)
        case _:
            return


def _stating(conditions: tuple[Condition, ...], kernel: KernelText) -> Iterator[Candidate]:
    requires = [f"requires {each.requires}" for each in conditions]
    match kernel:
        case OwnText(text) | DeclaredKernel(text=text):
            edit = _stating_in(text, requires)
        case DocumentKernel(document):
            found = insertion_of(kernel)
            if found is None:
                return
            at, lead = found
            arrays = dict.fromkeys(f"{array}: {type}" for each in conditions for array, type in each.declares)
            edit = Edit(InSource(document.path, at, at), f"{lead}// rewright: {'; '.join([*arrays, *requires])}\n")
        case _:
            assert_never(kernel)
    said = " and ".join(f"`{each.short}`" for each in conditions)
    yield Candidate("state", f"Require {said}", (edit,))


def _stating_in(text: str, requires: Sequence[str]) -> Edit:
    """The change that puts requirements first in a declaration, on lines of their own if its items stand on such."""
    at = text.index("{") + 1
    beside, _, below = text[at:].partition("\n")
    first = below.lstrip("\n")
    lead = first[: len(first) - len(first.lstrip(" \t"))] or "  "
    is_on_one_line = bool(beside.strip()) and not beside.lstrip().startswith("//")
    written = (f" {each};" if is_on_one_line else f"\n{lead}{each}" for each in requires)
    place = len(text[:at].encode())
    return Edit(InSource(OWN, place, place), "".join(written))
