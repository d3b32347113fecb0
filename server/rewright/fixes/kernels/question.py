"""What is asked of a worker about a kernel that is wrong: which changes of its text fix it.

Plain data, cheap to load. Places are in texts: that of the declaration itself has the empty path. Must not know how a
change is found or checked.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.checks.kernel_question import LoweringPayload, OutlinePayload
from rewright.verdict import Edit, Finding

OWN = ""
"""The path of the text of a declaration in our own syntax."""


class OwnText(Struct, frozen=True):
    """A kernel in our own syntax, by the text of its declaration."""

    text: str


class DocumentKernel(Struct, frozen=True):
    """A kernel of a source that says its launch itself."""

    document: OutlinePayload
    name: str


class DeclaredKernel(Struct, frozen=True):
    """A kernel of a source whose launch is stated by a declaration in our own syntax, with that declaration's text."""

    text: str
    lowering: LoweringPayload


KernelText = OwnText | DeclaredKernel | DocumentKernel


class KernelSearch(Struct, frozen=True):
    """A kernel, and what was found wrong with it."""

    kernel: KernelText
    findings: tuple[Finding, ...]


class KernelFix(Struct, frozen=True):
    """A change that fixes what the finding with this number says; it was checked."""

    finding: int
    title: str
    edits: tuple[Edit, ...]


class KernelFixes(Struct, frozen=True):
    """The changes found, those to prefer first; `complete` unless the budget ended the search."""

    found: tuple[KernelFix, ...]
    complete: bool
