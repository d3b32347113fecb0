"""Changes that state a condition under which a kernel is right: in a comment above it, or in its declaration.

Must not know whether the kernel is right then.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.fixes.kernels.candidates import Candidate
from rewright.fixes.kernels.question import OWN, DocumentKernel, KernelText, OwnText
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
        case OwnText(text):
            at, lead = _first_item(text)
            written = "".join(f"\n{lead}{each}" for each in requires)
            edit = Edit(InSource(OWN, at, at), written)
        case DocumentKernel(document):
            found = insertion_of(kernel)
            if found is None:
                return
            at, lead = found
            arrays = dict.fromkeys(f"{array}: {type}" for each in conditions for array, type in each.declares)
            edit = Edit(InSource(document.path, at, at), f"{lead}// rewright: {'; '.join([*arrays, *requires])}\n")
        case _:
            return
    said = " and ".join(f"`{each.short}`" for each in conditions)
    yield Candidate("state", f"Require {said}", (edit,))


def _first_item(text: str) -> tuple[int, str]:
    """The byte behind the brace that opens a declaration, and how what follows is indented."""
    at = text.index("{")
    line = text[at + 1 :].lstrip("\n").split("\n", 1)[0]
    return len(text[: at + 1].encode()), line[: len(line) - len(line.lstrip())] or "  "
