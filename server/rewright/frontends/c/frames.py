"""What stands around a region, for who writes another function like its own: the head, variables, habits.

Owns how the text was written, not what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewright.frontends.c.declared import DeclaredName, parameters_of
from rewright.frontends.c.names import names_of
from rewright.frontends.c.reading import CText, read_text
from rewright.frontends.c.regions import NestRegion, function_name, functions
from rewright.frontends.c.tree import field, parts, text, walk
from rewright.frontends.nests import NestFrame, NestSource

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_INDENTED = re.compile(r"^([ \t]+)\S", re.MULTILINE)


def frame(source: NestSource, entry: str) -> NestFrame | None:
    """What stands around the region of a name; None if there is none, or it is in no function of the source itself."""
    read = read_text(source)
    region = read.region(entry)
    if region is None or region.function is None:
        return None
    function = region.function
    body, named = field(function, "body"), function_name(function)
    if named is None:
        return None
    whole = read.expanded.place(function.start_byte, function.end_byte)
    head = read.expanded.place(function.start_byte, body.start_byte)
    name = read.expanded.place(named.start_byte, named.end_byte)
    if not region.statements:
        return None
    inner = read.expanded.place(region.statements[0].start_byte, region.statements[-1].end_byte)
    if not whole.path == head.path == name.path == inner.path == source.path:
        return None
    own = source.texts[source.path].encode()
    inside = own[whole.start : whole.end].decode(errors="replace")
    return NestFrame(
        before_name=own[whole.start : name.start].decode(errors="replace"),
        after_name=own[name.end : head.end].decode(errors="replace").rstrip().removesuffix("{").rstrip(),
        at=whole.end,
        start=inner.start,
        end=inner.end,
        variables=tuple(_variables(read, region)),
        indent=_indent(inside),
        is_braced=_is_braced(region),
        defined=frozenset(_defined(read, source)),
        taken=read.names,
    )


def _indent(inside: str) -> str:
    """The indentation of a level: the shortest that there is."""
    return min(_INDENTED.findall(inside), key=len, default="  ")


def _is_braced(region: NestRegion) -> bool:
    """Whether a body of one statement stands in braces: as soon as one does."""
    loops = (node for each in region.statements for node in walk(each) if node.type == "for_statement")
    bodies = (field(each, "body") for each in loops)
    return any(each.type == "compound_statement" and len(parts(each)) == 1 for each in bodies)


def _variables(read: CText, region: NestRegion) -> Iterator[tuple[str, str]]:
    """The variables of the function, none of them a parameter of it: the name of each and how it is declared."""
    assert region.function is not None
    body = field(region.function, "body")
    given = {each.name for each in parameters_of(region.function)}
    names = names_of(region, read.root)
    for name, declared in names.declared.items():
        inside = body.start_byte <= declared.node.start_byte < body.end_byte
        if inside and name not in given and name not in names.iterators and name not in names.bounds:
            yield name, _declaration(declared)


def _declaration(declared: DeclaredName) -> str:
    sizes = "".join(f"[{text(each) if each is not None else ''}]" for each in declared.sizes)
    return f"{declared.type} {declared.name}{sizes}"


def _defined(read: CText, source: NestSource) -> Iterator[str]:
    """The macros and functions that the source can use."""
    for path in read.expanded.read:
        yield from _MACRO.findall(source.texts.get(path, ""))
    for each in functions(read.root):
        named = function_name(each)
        if named is not None:
            yield text(named)
