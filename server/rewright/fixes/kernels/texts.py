"""Kernels as texts that can be changed, and what the changed ones say.

Must not know why a text is changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_question import LoweringPayload, OutlinePayload, SourceText
from rewright.fixes.edited import edited
from rewright.fixes.kernels.question import OWN, DeclaredKernel, DocumentKernel, KernelText, OwnText
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.preset import NO_PRESET, Preset
from rewright.frontends.programs import lower
from rewright.kernels.launches.several import ProgramLaunch
from rewright.model.declared import Declared
from rewright.model.file import check_file
from rewright.model.kernel import Kernel
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Edit, InSource, Place, Site


def texts_of(kernel: KernelText) -> dict[str, str]:
    """The texts that a kernel is made of, by path."""
    match kernel:
        case OwnText(text):
            return {OWN: text}
        case DeclaredKernel(text, LoweringPayload(sources=sources)):
            return {OWN: text, **{source.path: source.text for source in sources}}
        case DocumentKernel(document):
            return {source.path: source.text for source in document.sources}
        case _:
            assert_never(kernel)


def parameter_names(kernel: KernelText) -> tuple[str, ...]:
    """What a declaration calls the parameters of a function that it names; empty if they have one name."""
    match kernel:
        case DeclaredKernel(lowering=LoweringPayload(kernel=declared)):
            return tuple(str(parameter.name) for parameter in declared.parameters)
        case OwnText() | DocumentKernel():
            return ()
        case _:
            assert_never(kernel)


def changed(kernel: KernelText, edits: Iterable[Edit]) -> KernelText:
    """The kernel after edits of its texts that do not overlap."""
    texts = edited(texts_of(kernel), edits)
    sources = tuple(SourceText(path, text) for path, text in texts.items() if path != OWN)
    match kernel:
        case OwnText():
            return OwnText(texts[OWN])
        case DeclaredKernel(lowering=lowering):
            return DeclaredKernel(texts[OWN], replace(lowering, sources=sources))
        case DocumentKernel(document):
            return replace(kernel, document=replace(document, sources=sources))
        case _:
            assert_never(kernel)


def insertion_of(kernel: DocumentKernel) -> tuple[int, str] | None:
    """The byte at which a comment above a kernel of a source goes, and what stands before it there; None if nowhere."""
    path = kernel.document.path
    texts = texts_of(kernel)
    for each in outline(path, texts, kernel.document.preset).kernels:
        if each.name == kernel.name:
            line = texts[path].encode()[each.insert :].split(b"\n", 1)[0].decode(errors="replace")
            return each.insert, line[: len(line) - len(line.lstrip())]
    return None


class ReadKernel(Struct, frozen=True):
    """A kernel as its texts stand, at all of its launches; `sites` are the spans of a declaration in our own syntax."""

    launches: tuple[ProgramLaunch, ...]
    sites: tuple[Span, ...]

    def located(self, place: Place) -> Place:
        """A place as a range of the texts, if it is in one of them."""
        match place:
            case Site(number) if number < len(self.sites):
                return InSource(OWN, self.sites[number].start, self.sites[number].end)
            case _:
                return place


def read(kernel: KernelText) -> ReadKernel | None:
    """The kernel as its texts stand; None if there is something wrong in them."""
    declared, sites = _declared(kernel)
    lowered = [(each, lower(each, texts_of(kernel), _preset(kernel)).program) for each in declared]
    launches = tuple(ProgramLaunch(each, program) for each, program in lowered if program is not None)
    return ReadKernel(launches, sites) if launches and len(launches) == len(lowered) else None


def _declared(kernel: KernelText) -> tuple[tuple[Kernel, ...], tuple[Span, ...]]:
    match kernel:
        case OwnText(text) | DeclaredKernel(text=text):
            return _own(text)
        case DocumentKernel(document, name):
            found = outline(document.path, texts_of(kernel), document.preset).kernels
            return tuple(said.kernel for each in found if each.name == name for said in each.launches), ()
        case _:
            assert_never(kernel)


def _preset(kernel: KernelText) -> Preset:
    match kernel:
        case OwnText():
            return NO_PRESET
        case DeclaredKernel(lowering=LoweringPayload(preset=preset)) | DocumentKernel(OutlinePayload(preset=preset)):
            return preset
        case _:
            assert_never(kernel)


def _own(text: str) -> tuple[tuple[Kernel, ...], tuple[Span, ...]]:
    model = check_file(parse(Text.of(OWN, text), None), lambda _: None)
    match model.declarations:
        case [Declared(value=Kernel() as kernel, has_errors=False, unsupported=()) as declared]:
            return (kernel,), declared.sites
        case _:
            return (), ()
