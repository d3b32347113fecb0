"""The kernels of a `.cu` document by themselves: where each stands, and the declaration that its launch makes of it.

Launches come from comments above the kernel and from calls in the document; where there are neither, it says where a
comment would go. Kernels of included files that the document calls are among them, at their first call. Must not know
what a kernel does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.problem import Problem
from rewright.frontends.cuda.launches.comments import EntryKind, LaunchComment, comment_above
from rewright.frontends.cuda.launches.constants import DocumentTexts, NameQuestion, constants
from rewright.frontends.cuda.launches.declared import declared_launches
from rewright.frontends.cuda.launches.global_variables import global_variables
from rewright.frontends.cuda.launches.launch_bounds import bounds_in
from rewright.frontends.cuda.launches.parameter_types import ParameterTypes
from rewright.frontends.cuda.launches.signatures import Parameter, Signature, scalar_of, signatures, unfinished, unread
from rewright.frontends.cuda.launches.sites import LaunchSite, launch_sites
from rewright.frontends.cuda.launches.text import WORD
from rewright.frontends.cuda.reading.texts import ReadText, read_text, remarks, sought
from rewright.frontends.cuda.reading.tree import text
from rewright.frontends.outlined import Outline, OutlinedKernel
from rewright.frontends.preprocessor import Expanded
from rewright.frontends.preset import NO_PRESET, Preset
from rewright.model.written import integer_of
from rewright.verdict import InSource, fault
from rewright.verdict.diagnostics.names import UnknownName

_DEFINE = re.compile(r"define\s+([A-Za-z_]\w*)\s*=\s*(\w+)")
_TRUTHS = ("true", "false")
_SHARED_ARRAY = re.compile(r"\b__shared__\b[^;\[\]]*\[\s*([0-9]{1,4})\s*\]\s*;")
BLOCKS = range(32, 1025, 32)
"""Threads of a block that a text may mean by a constant of its own."""

_OF_LAUNCHES = frozenset({"launch", "grid", "block", "shared", "requires", "define", "forall", "in", "out", "inout"})
"""Words of our own syntax that a launch is written with; a variable of such a name cannot be spoken of."""


class _Found(Struct, frozen=True):
    """A kernel of the document, its calls, the comment above it, the byte where one goes, what is in front there."""

    signature: Signature
    sites: list[LaunchSite]
    comment: LaunchComment | None
    insert: int
    lead: str
    called_at: Node | None = None
    """Where the document calls it, of a kernel of an included file."""


def outline(path: str, texts: Mapping[str, str], preset: Preset = NO_PRESET) -> Outline:
    """The outline of the document at `path`; `texts` has it and what it includes, by path."""
    read = read_text(path, texts, {}, preset)
    expanded, trees = read.expanded, list(read.trees)
    data = texts[path].encode("utf-8", "surrogatepass")
    found: dict[str, _Found] = {}
    types = ParameterTypes(read)
    known = signatures(trees, types)
    sites = [
        replace(site, alike=tuple(each for each in known if each.name == site.kernel))
        for site in launch_sites(trees, read.spelled)
    ]
    for signature in known:
        place = expanded.place(signature.name_node.start_byte, signature.name_node.end_byte)
        called = [site for site in sites if site.kernel == signature.name and site.may_launch(signature)]
        if place.path == path:
            found[signature.shown] = _seen(expanded, data, signature, called)
        elif own := [each for each in called if _place(expanded, each.function).path == path]:
            found.setdefault(signature.shown, _Found(signature, own, None, 0, "", own[0].function))
    found = _with_variables(read, found)
    kernels = {name: _outlined(expanded, texts, each) for name, each in found.items()}
    # a kernel of an included file of which nothing is known is told where it stands
    kernels = {name: each for name, each in kernels.items() if found[name].called_at is None or each.launches}
    for completed, comment in _completed(DocumentTexts(path, texts, preset), data, found, kernels):
        kernels[completed] = _outlined(expanded, texts, replace(found[completed], comment=comment))
    for name, inside in unfinished(trees):
        made = _broken(expanded, name, (f"the definition of `{text(name)}` has no end that could be found", inside))
        if made.place.path == path:
            kernels.setdefault(made.name, made)
    for name, inside in unread(trees):
        made = _broken(expanded, name, (f"the definition of `{text(name)}` cannot be read", inside))
        if made.place.path == path:
            kernels.setdefault(made.name, made)
    in_order = sorted(kernels.values(), key=lambda kernel: kernel.place.start)
    return Outline(tuple(in_order), remarks(expanded), sought(expanded))


def _place(expanded: Expanded, node: Node) -> InSource:
    return expanded.place(node.start_byte, node.end_byte)


def _seen(expanded: Expanded, data: bytes, signature: Signature, sites: list[LaunchSite]) -> _Found:
    place = expanded.place(signature.name_node.start_byte, signature.name_node.end_byte)
    begin = expanded.place(signature.outer.start_byte, signature.outer.end_byte)
    insert = data.rfind(b"\n", 0, begin.start) + 1 if begin.path == place.path else place.start
    lead = data[insert : begin.start].decode(errors="replace")
    return _Found(signature, sites, comment_above(data, insert), insert, lead if lead.isspace() else "")


def _with_variables(read: ReadText, found: dict[str, _Found]) -> dict[str, _Found]:
    """The kernels with the variables in device memory that their comments speak of."""
    words = {name: _words(each.comment) for name, each in found.items()}
    known = global_variables(read, frozenset[str]().union(*words.values()))
    return {
        name: replace(each, signature=replace(each.signature, variables=variables)) if variables else each
        for name, each in found.items()
        for variables in [tuple(variable for variable in known if variable.name in words[name])]
    }


def _words(comment: LaunchComment | None) -> set[str]:
    """The names that the entries of a comment use."""
    entries = () if comment is None else comment.entries
    return {word for entry in entries for word in (entry.name, *WORD.findall(entry.text)) if word} - _OF_LAUNCHES


def _outlined(expanded: Expanded, texts: Mapping[str, str], found: _Found) -> OutlinedKernel:
    """A kernel with its launch; a fault of ours in reading it is a finding of it, and takes nothing from the others."""
    try:
        return _launched(expanded, texts, found)
    except MemoryError:
        raise  # that is no fault, but the limit of the worker
    except Exception as error:
        place = _place(expanded, found.called_at or found.signature.name_node)
        faults = (fault(error, place),)
        return OutlinedKernel(found.signature.shown, place, (), (), faults, (), found.insert, "")


def _launched(expanded: Expanded, texts: Mapping[str, str], found: _Found) -> OutlinedKernel:
    signature, insert = found.signature, found.insert
    place = _place(expanded, found.called_at or signature.name_node)

    def at(node: Node) -> InSource:
        return expanded.place(node.start_byte, node.end_byte)

    header = texts[place.path].encode("utf-8", "surrogatepass")[insert : place.start].decode(errors="replace")
    if found.called_at is None:
        signature = replace(signature, bounds=bounds_in(header, texts.values()))
    known = declared_launches((expanded.sources[0].path, texts), (signature, at), found.comment, found.sites)
    comment = "" if found.comment is not None else f"{found.lead}// rewright: {_fitting(signature)}\n"
    return OutlinedKernel(
        signature.shown,
        place,
        known.launches,
        known.left_out,
        known.findings,
        known.problems,
        insert,
        comment,
        known.budget,
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
    return OutlinedKernel(text(name), place, (), (), (), problems, place.start, "")


# ----------------------------------------------------------------------------------------------------------- constants


def _completed(
    document: DocumentTexts, data: bytes, found: Mapping[str, _Found], kernels: Mapping[str, OutlinedKernel]
) -> Iterator[tuple[str, LaunchComment]]:
    """The comments that use names of the document's constants, with these, by kernel."""
    asking = {name: _unknown(data, each, kernels[name]) for name, each in found.items() if name in kernels}
    names = [name for name, unknown in asking.items() if unknown]
    questions = [NameQuestion(data.rfind(b"\n", 0, found[name].insert) + 1, asking[name]) for name in names]
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
    places = [each.place for each in kernel.findings if isinstance(each.diagnosis, UnknownName)]
    inside = [at for at in places if isinstance(at, InSource) and comment.start <= at.start < at.end <= comment.end]
    generic = {each.name for each in found.signature.template}
    integers = {each.name for each in found.signature.template if not each.is_type}
    used = [name for at in inside if (name := data[at.start : at.end].decode()) not in generic]
    given = [each.text for each in comment.entries if each.kind is EntryKind.VALUE and each.name in integers]
    return tuple(dict.fromkeys([*used, *(name for name in given if WORD.fullmatch(name) and name not in _TRUTHS)]))


def _defines(comment: LaunchComment) -> dict[str, int]:
    """The macros that a comment gives; what is no integer is reported elsewhere."""
    matches = (_DEFINE.fullmatch(each.text) for each in comment.entries if each.kind is EntryKind.DEFINE)
    read = ((match[1], integer_of(match[2])) for match in matches if match is not None)
    return {name: value for name, value in read if value is not None}


# ------------------------------------------------------------------------------------------------------------- comments


def _fitting(signature: Signature) -> str:
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
    open_ = [each for each in signature.template if not each.default and not each.is_pack]
    template = [f"{each.name} = {'float' if each.is_type else '32'}" for each in open_]
    arguments = {each.name: "float" for each in signature.template if each.is_type}
    scalars = [each for each in signature.parameters if not each.depth]
    integers = [each.name for each in scalars if _is_integer(each, signature, arguments)]
    sizes = [f"{name} = {1024 if number == 0 else 64}" for number, name in enumerate(integers)]
    block = _threads(signature.bounds, written) if axes == 1 else ("16, 16", "8, 8, 4")[axes - 2]
    return "; ".join([f"launch {grid}block({block}){shared}", *template, *sizes])


def _threads(bounds: str, body: str) -> str:
    """The threads of a block along one axis: `__launch_bounds__`, else what one shared array has elements for."""
    stated = [bounds] if bounds.isdigit() else []
    arrays = [each[1] for each in _SHARED_ARRAY.finditer(body) if each[1] != "1"]
    fitting = [each for each in stated or arrays[:1] if int(each) in BLOCKS]
    return fitting[0] if fitting else "256"


def _is_integer(parameter: Parameter, signature: Signature, arguments: Mapping[str, str]) -> bool:
    scalar = scalar_of(parameter, signature, arguments)
    return scalar is not None and scalar.is_integer
