"""The kernels of a `.cu` document by themselves: where each stands, and the declaration that its launch makes of it.

A launch comes from a comment above the kernel, else from a call in the document; where there is neither, it says where
a comment would go. Must not know what a kernel does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tree_sitter import Node

from rewright.kernels.cuda.comments import EntryKind, LaunchComment, comment_above
from rewright.kernels.cuda.constants import Document, Question, constants
from rewright.kernels.cuda.launch_parts import LaunchParts, Part, kernel_of, merged
from rewright.kernels.cuda.launch_sites import LaunchSite, launch_sites, parts_of_site
from rewright.kernels.cuda.launch_text import Declaration
from rewright.kernels.cuda.lowering import Problem
from rewright.kernels.cuda.preprocessor import Expanded
from rewright.kernels.cuda.reading import read_text, remarks
from rewright.kernels.cuda.signatures import Parameter, Signature, scalar_of, signatures, unfinished, unread
from rewright.kernels.cuda.syntax import text
from rewright.kernels.preset import NO_PRESET, Preset
from rewright.model.kernel import Kernel
from rewright.model.written import integer_of
from rewright.verdict import Finding, InSource, Severity

_DEFINE = re.compile(r"define\s+([A-Za-z_]\w*)\s*=\s*(\w+)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_UNKNOWN_NAME = "RW101"


@dataclass(frozen=True, slots=True)
class OutlinedKernel:
    """A kernel of a document: its name and where that stands, and the declaration if its launch is known.

    `insert` is the byte at which a comment with a launch would go, `suggestion` such a comment, with its line's end;
    empty where it would not help.
    """

    name: str
    place: InSource
    kernel: Kernel | None
    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    insert: int
    suggestion: str


@dataclass(frozen=True, slots=True)
class Outline:
    """The kernels of a document in order, what is wrong outside of them, and the sources looked for, there or not."""

    kernels: tuple[OutlinedKernel, ...]
    problems: tuple[Problem, ...]
    read: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """A kernel of the document, the calls of it, the comment above it, and the byte where one goes."""

    signature: Signature
    sites: list[LaunchSite]
    comment: LaunchComment | None
    insert: int


def outline(path: str, texts: Mapping[str, str], preset: Preset = NO_PRESET) -> Outline:
    """The outline of the document at `path`; `texts` has it and what it includes, by path."""
    read = read_text(path, texts, {}, preset)
    expanded, trees = read.expanded, list(read.trees)
    sites = launch_sites(trees, read.spelled)
    data = texts[path].encode("utf-8", "surrogatepass")
    found: dict[str, _Found] = {}
    for signature in signatures(trees):
        place = expanded.place(signature.name_node.start_byte, signature.name_node.end_byte)
        if place.path == path and signature.name not in found:
            called = [site for site in sites if site.kernel == signature.name]
            found[signature.name] = _seen(expanded, data, signature, called)
    kernels = {name: _outlined(expanded, data, each) for name, each in found.items()}
    for completed, comment in _completed(Document(path, texts, preset), data, found, kernels):
        kernels[completed] = _outlined(expanded, data, replace(found[completed], comment=comment))
    for name, inside in unfinished(trees):
        made = _broken(expanded, name, (f"the definition of `{text(name)}` has no end that could be found", inside))
        if made.place.path == path:
            kernels.setdefault(made.name, made)
    for name, inside in unread(trees):
        made = _broken(expanded, name, (f"the definition of `{text(name)}` cannot be read", inside))
        if made.place.path == path:
            kernels.setdefault(made.name, made)
    in_order = sorted(kernels.values(), key=lambda kernel: kernel.place.start)
    return Outline(tuple(in_order), remarks(expanded), (*expanded.read, *expanded.sought))


def _seen(expanded: Expanded, data: bytes, signature: Signature, sites: list[LaunchSite]) -> _Found:
    place = expanded.place(signature.name_node.start_byte, signature.name_node.end_byte)
    begin = expanded.place(signature.outer.start_byte, signature.outer.end_byte)
    insert = data.rfind(b"\n", 0, begin.start) + 1 if begin.path == place.path else place.start
    return _Found(signature, sites, comment_above(data, insert), insert)


def _outlined(expanded: Expanded, data: bytes, found: _Found) -> OutlinedKernel:
    signature, insert = found.signature, found.insert
    place = expanded.place(signature.name_node.start_byte, signature.name_node.end_byte)
    declaration, wrong = _declaration(expanded, signature, found.comment, found.sites)
    indent = re.match(rb"[ \t]*", data[insert:])
    lead = indent[0].decode() if indent else ""
    suggestion = "" if found.comment is not None else f"{lead}// rewright: {_suggested(signature)}\n"
    return OutlinedKernel(
        signature.name,
        place,
        declaration.kernel if declaration is not None and not wrong else None,
        (*wrong, *(declaration.findings if declaration is not None else ())),
        declaration.problems if declaration is not None else (),
        insert,
        suggestion,
    )


def _broken(expanded: Expanded, name: Node, wrong: tuple[str, list[Node]]) -> OutlinedKernel:
    """A kernel whose definition is broken, for a reason and inside of it."""
    reason, inside = wrong
    place = expanded.place(name.start_byte, name.end_byte)
    broken = [expanded.place(node.start_byte, node.end_byte) for node in inside]
    problems = (
        Problem(reason, place),
        *(Problem("syntax error", each) for each in broken),
    )
    return OutlinedKernel(text(name), place, None, (), problems, place.start, "")


def _declaration(
    expanded: Expanded, signature: Signature, comment: LaunchComment | None, sites: list[LaunchSite]
) -> tuple[Declaration | None, tuple[Finding, ...]]:
    """The declaration by the comment, completed by the first call that can be evaluated; what is odd in the comment."""
    path = expanded.sources[0].path

    def place(node: Node) -> InSource:
        return expanded.place(node.start_byte, node.end_byte)

    said, wrong = _of_comment(path, signature, comment) if comment is not None else (LaunchParts(), ())
    for site in sites:
        called = parts_of_site(site, signature)
        if called is None:
            continue
        declaration = kernel_of(path, signature, merged(said, called), place)
        if declaration.kernel is not None:
            return declaration, wrong
    if comment is None:
        return None, wrong
    return kernel_of(path, signature, said, place), wrong


def _of_comment(path: str, signature: Signature, comment: LaunchComment) -> tuple[LaunchParts, tuple[Finding, ...]]:
    items: list[Part] = []
    values = {name: Part(str(value)) for name, value in comment.constants.items()}
    arrays: dict[str, Part] = {}
    template: dict[str, str] = {}
    wrong: list[Finding] = []
    generic = {each.name for each in signature.template}
    pointers = {each.name for each in signature.parameters if each.depth}
    for entry in comment.entries:
        part = Part(entry.text, entry.start)
        match entry.kind:
            case EntryKind.VALUE if entry.name in generic:
                template[entry.name] = str(comment.constants.get(entry.text, entry.text))
            case EntryKind.VALUE:
                values[entry.name] = part
            case EntryKind.ARRAY if entry.name in pointers:
                arrays[entry.name] = part
            case EntryKind.LAUNCH | EntryKind.REQUIRES | EntryKind.DEFINE:
                items.append(part)
            case _:
                wrong.append(_unfit(InSource(path, entry.name_start, entry.end), entry.name or entry.text, signature))
    used = {word for part in (*items, *values.values(), *arrays.values()) for word in _NAME.findall(part.text)}
    sizes = {name: Part(said) for name, said in template.items() if name in used and integer_of(said) is not None}
    return LaunchParts(tuple(items), {**sizes, **values}, arrays, template), tuple(wrong)


def _unfit(place: InSource, said: str, signature: Signature) -> Finding:
    pointer = next((each.name for each in signature.parameters if each.depth), "x")
    wanted = f"`launch …`, `n = 1024`, `{pointer}: in f32[n]`, `requires …` or `define …`"
    return Finding("RW117", Severity.ERROR, place, (("what", f"`{said}`"), ("wanted", wanted)))


# ----------------------------------------------------------------------------------------------------------- constants


def _completed(
    document: Document, data: bytes, found: Mapping[str, _Found], kernels: Mapping[str, OutlinedKernel]
) -> Iterator[tuple[str, LaunchComment]]:
    """The comments that use names of the document's constants, with these, by kernel."""
    asking = {name: _unknown(data, each, kernels[name]) for name, each in found.items()}
    names = [name for name, unknown in asking.items() if unknown]
    questions = [Question(data.rfind(b"\n", 0, found[name].insert) + 1, asking[name]) for name in names]
    answers: dict[tuple[tuple[str, int], ...], tuple[dict[str, int], ...]] = {}
    for number, name in enumerate(names):
        comment = found[name].comment
        if comment is None:
            continue
        defines = _defines(comment)
        key = tuple(defines.items())
        if key not in answers:
            answers[key] = constants(document, defines, questions)
        if answers[key][number]:
            yield name, replace(comment, constants=answers[key][number])


def _unknown(data: bytes, found: _Found, kernel: OutlinedKernel) -> tuple[str, ...]:
    """The names in a comment that are neither its own nor parameters of the kernel or its template."""
    comment = found.comment
    if comment is None:
        return ()
    places = [each.place for each in kernel.findings if each.code == _UNKNOWN_NAME]
    inside = [at for at in places if isinstance(at, InSource) and comment.start <= at.start < at.end <= comment.end]
    generic = {each.name for each in found.signature.template}
    integers = {each.name for each in found.signature.template if not each.is_type}
    used = [name for at in inside if (name := data[at.start : at.end].decode()) not in generic]
    given = [each.text for each in comment.entries if each.kind is EntryKind.VALUE and each.name in integers]
    return tuple(dict.fromkeys([*used, *(name for name in given if _NAME.fullmatch(name))]))


def _defines(comment: LaunchComment) -> dict[str, int]:
    """The macros that a comment gives; what is no integer is told elsewhere."""
    matches = (_DEFINE.fullmatch(each.text) for each in comment.entries if each.kind is EntryKind.DEFINE)
    read = ((match[1], integer_of(match[2])) for match in matches if match is not None)
    return {name: value for name, value in read if value is not None}


# --------------------------------------------------------------------------------------------------------- suggestions


def _suggested(signature: Signature) -> str:
    """A launch that fits the kernel's text: as many axes as it speaks of, a value for each size."""
    body = signature.node.child_by_field_name("body")
    written = text(body) if body is not None else ""
    axes = max(
        (axis for axis in (1, 2, 3) if re.search(rf"\bthreadIdx\s*\.\s*{'xyz'[axis - 1]}\b", written)), default=1
    )
    blocks = max(
        (axis for axis in (1, 2, 3) if re.search(rf"\bblockIdx\s*\.\s*{'xyz'[axis - 1]}\b", written)), default=0
    )
    grid = f"grid({', '.join(['4', '2', '2'][:blocks])}), " if blocks else ""
    shared = ", shared(4096)" if re.search(r"\bextern\b[^;]*\b__shared__\b", written) else ""
    template = [f"{each.name} = {'float' if each.is_type else '32'}" for each in signature.template if not each.default]
    arguments = {each.name: "float" for each in signature.template if each.is_type}
    scalars = [each for each in signature.parameters if not each.depth]
    integers = [each.name for each in scalars if _is_integer(each, signature, arguments)]
    sizes = [f"{name} = {1024 if number == 0 else 64}" for number, name in enumerate(integers)]
    block = ("256", "16, 16", "8, 8, 4")[axes - 1]
    return "; ".join([f"launch {grid}block({block}){shared}", *template, *sizes])


def _is_integer(parameter: Parameter, signature: Signature, arguments: Mapping[str, str]) -> bool:
    scalar = scalar_of(parameter, signature, arguments)
    return scalar is not None and scalar.is_integer
