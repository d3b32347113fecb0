"""A text in C with its regions, and a region as a value of `model.nest`.

What is read once of a text is kept. Never raises on bad text: what is not taken is a finding at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import takewhile

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.c.agreement import disagreements, element_type
from rewright.frontends.c.body import body
from rewright.frontends.c.declared import below, declarations, parameters_of, typedefs
from rewright.frontends.c.effects import effects
from rewright.frontends.c.known import Known
from rewright.frontends.c.names import RegionNames, names_of
from rewright.frontends.c.openmp import ParallelLoop, parallel_loops, spoken_of
from rewright.frontends.c.program import program
from rewright.frontends.c.program_scope import ProgramScope
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.regions import (
    FoundRegions,
    NestRegion,
    function_name,
    functions,
    regions,
    whole_function,
)
from rewright.frontends.c.scope import RegionScope
from rewright.frontends.c.signs import keeps_integers
from rewright.frontends.c.sums import Sum, expression, number, variable
from rewright.frontends.c.tree import field, first_error, parse, parts, text, walk
from rewright.frontends.nests import NestOutline, NestRequest, NestSource, OutlinedNest, ReadNest, ReadProgram
from rewright.frontends.preprocessor import Expanded, preprocess
from rewright.frontends.preset import Preset
from rewright.model.index import Name
from rewright.model.nest import AffineExpression, AffineNumber, Nest, NestArray, NestItem, statements
from rewright.verdict import Finding, InSource, Severity
from rewright.verdict.diagnostics.names import NameTaken, TakenBy
from rewright.verdict.diagnostics.rules import NotDecided

IN_ORDER = "whether this may run in parallel, and it is taken in order: {}"
"""What is said of a pragma of OpenMP that is not understood."""

_OF_OTHERS = (b"__cplusplus", b"__CUDACC__", b"__CUDA_ARCH__", b"__NVCC__")
"""Macros of other languages that are not there in C."""


class CText(Struct, frozen=True, eq=False):
    """A text in C: with its macros expanded, its tree, its regions."""

    path: str
    expanded: Expanded
    root: Node
    found: FoundRegions
    texts: Mapping[str, bytes]

    def written(self, node: Node) -> str:
        """The text of a node as it is written, macros not expanded."""
        place = self.expanded.place(node.start_byte, node.end_byte)
        return self.texts.get(place.path, b"")[place.start : place.end].decode(errors="replace")

    def region(self, entry: str) -> NestRegion | None:
        """The region of a name, or the function of that name: the only region in it, else its whole body."""
        named = next((each for each in self.found.regions if each.name == entry), None)
        if named is not None:
            return named
        function = whole_function(self.root, self.expanded, entry)
        if function is None:
            return None
        inside = [each for each in self.found.regions if each.function == function.function]
        return inside[0] if len(inside) == 1 else function

    @property
    def sought(self) -> tuple[str, ...]:
        """The paths of the texts that it was made from, and of those that were not there."""
        return (*self.expanded.read, *self.expanded.sought)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its regions and functions."""
        named = (function_name(each) for each in functions(self.root))
        found = (*(each.name for each in self.found.regions), *(text(each) for each in named if each is not None))
        return tuple(dict.fromkeys(found))


def reads(source: NestSource) -> tuple[str, ...]:
    """The paths of the texts that a source looks for, there or not."""
    expanded = _expanded(source.path, tuple(sorted(source.texts.items())), source.preset)
    return (*expanded.read, *expanded.sought)


def read_text(source: NestSource) -> CText:
    """A source with what it includes."""
    return _read(source.path, tuple(sorted(source.texts.items())), source.preset)


def outline(source: NestSource) -> NestOutline:
    """The regions of a source."""
    read = read_text(source)
    nests = tuple(
        OutlinedNest(
            each.name, each.said.of, each.place, each.said.expected, each.said.tiles, each.said.at, each.said.relaxed
        )
        for each in read.found.regions
    )
    findings = tuple(Finding(NotDecided(each.reason), Severity.WARNING, each.place) for each in read.expanded.notes)
    return NestOutline(nests, (*findings, *read.found.findings), read.sought, read.names)


def read(source: NestSource, entry: str, asked: NestRequest, sited: Callable[[InSource], int]) -> ReadNest | None:
    """The nest of a name, None if the source has none."""
    text = read_text(source)
    region = text.region(entry)
    return None if region is None else read_nest(text, region, asked, sited)


def read_program(source: NestSource, entry: str, asked: NestRequest, sited: Callable[[InSource], int]) -> ReadProgram:
    """The region of a name as a program that is run; the source has one of that name."""
    read = read_text(source)
    region = read.region(entry)
    assert region is not None and asked.specification is not None, entry

    def place(node: Node) -> InSource:
        return read.expanded.place(node.start_byte, node.end_byte)

    named = ((function_name(each), each) for each in functions(read.root))
    defined = {text(name): each for name, each in named if name is not None}
    named_types = typedefs(read.root)
    scope = ProgramScope(
        defined,
        lambda node: sited(place(node)),
        effects(read.root, region.statements),
        lambda written: element_type(written, named_types),
    )
    names = names_of(region, read.root)
    inner = {id(each.node) for statement in region.statements for each in below(statement)}
    around = [each for each in names.declared.values() if id(each.node) not in inner]
    declaring = _scope(read, (names, {}, {}), asked, sited)
    try:
        _check_agreement(declaring, asked.specification, named_types)
        made = program(scope, asked, region.statements, around, asked.specification)
    except NotAffine as refused:
        return ReadProgram(None, (Finding(NotDecided(refused.reason), Severity.WARNING, place(refused.node)),))
    executed = (*region.statements, *(defined[each] for each in scope.called))
    reason = IN_ORDER.format("this program is run, one operation after another")
    return ReadProgram(
        made,
        tuple(
            Finding(NotDecided(reason), Severity.INFORMATION, each.place)
            for each in spoken_of(executed, read.root, read.expanded)
        ),
    )


def _check_agreement(scope: RegionScope, specification: Nest, named: Mapping[str, str]) -> None:
    """Raises `NotAffine` if something is declared otherwise than in the specification."""
    for refused in disagreements(scope, specification, named):
        raise refused


@lru_cache(maxsize=8)
def _read(path: str, texts: tuple[tuple[str, str], ...], preset: Preset) -> CText:
    expanded = _expanded(path, texts, preset)
    root = parse(expanded.text)
    found = regions(root, expanded, path)
    return CText(path, expanded, root, found, {name: each.encode() for name, each in texts})


@lru_cache(maxsize=8)
def _expanded(path: str, texts: tuple[tuple[str, str], ...], preset: Preset) -> Expanded:
    return preprocess(path, dict(texts), {}, preset, _OF_OTHERS)


def read_nest(read: CText, region: NestRegion, asked: NestRequest, sited: Callable[[InSource], int]) -> ReadNest:
    """The nest that a region of a text is; `sited` numbers its places."""
    broken = next((error for each in region.statements if (error := first_error(each)) is not None), None)
    if broken is not None and asked.specification is None:
        place = read.expanded.place(broken.start_byte, max(broken.end_byte, broken.start_byte + 1))
        return ReadNest(None, (Finding(NotDecided("this cannot be read"), Severity.WARNING, place),))
    names = names_of(region, read.root)
    marked = parallel_loops(region.statements, read.root, read.expanded)
    share = effects(read.root, region.statements).share
    scope = _scope(read, (names, marked.loops, share), asked, sited)
    for each in names.twice:
        scope.refuse(NotAffine(f"`{each.name}` is declared twice, and means two things here", each.node))
    for each in names.unset:
        scope.refuse(NotAffine(f"`{each.name}` has no value here, and may be read before it has one", each.node))
    if asked.specification is not None:
        for refused in disagreements(scope, asked.specification, typedefs(read.root)):
            scope.refuse(refused)
    for each in names.uncounted:
        scope.refuse(NotAffine(f"`{each.name}` is counted or holds a bound, and is a `{each.type}`", each.node))
    if broken is not None:
        scope.refuse(NotAffine("this cannot be read", broken))
    items = body(scope, _without_settings(region, asked.specification))
    if asked.specification is None:
        for label in _repeated(region):
            scope.refuse(NotAffine("a label that recurs", label, NameTaken(text(label), TakenBy.DECLARATION)))
    if scope.findings:
        return ReadNest(None, tuple(scope.findings))
    undecided = (*marked.undecided, *_unread_pragmas(read))
    remarks = (Finding(NotDecided(IN_ORDER.format(reason)), Severity.INFORMATION, place) for reason, place in undecided)
    return ReadNest(_nest(scope, asked, items), tuple(remarks))


_PRAGMA = re.compile(rb'_Pragma\s*\(\s*"\s*omp\b')


def _unread_pragmas(read: CText) -> Iterator[tuple[str, InSource]]:
    """Pragmas of OpenMP that are written as an operator, which is not read."""
    for path in read.expanded.read:
        for found in _PRAGMA.finditer(read.texts.get(path, b"")):
            yield "`_Pragma` is not understood", InSource(path, *found.span())


def _scope(
    read: CText,
    found: tuple[RegionNames, Mapping[int, ParallelLoop], Mapping[str, str]],
    asked: NestRequest,
    sited: Callable[[InSource], int],
) -> RegionScope:
    names, parallel, share = found
    values = {name: number(value) for name, value in asked.values}
    specification = asked.specification
    if specification is None:
        named = [name for name in names.parameters if name not in values]
        positive = frozenset(Name(name) for name in named if name not in asked.spoken)
        arrays: dict[str, NestArray] = {}
    else:
        named = list(specification.parameters)
        positive = frozenset(name for name in specification.at_least_one if name not in asked.spoken)
        arrays = {str(each.name): each for each in specification.arrays}
    parameters = {name: variable(Name(name)) for name in named} | values
    natural = names.unsigned if specification is None else frozenset[str]()
    known = Known(positive, natural=frozenset(map(Name, natural)))
    for each in (*asked.requires, *(specification.requires if specification is not None else ())):
        known = known.where(each)
    scope = RegionScope(
        names,
        dict(_functions(read.root)),
        lambda node: read.expanded.place(node.start_byte, node.end_byte),
        read.written,
        sited,
        None if specification is None else specification.name,
        known,
        dict(parameters),
        parameters,
        arrays,
        parallel,
        share,
    )
    if specification is None:
        scope.arrays.update(_arrays(scope, named))
    return scope


def _functions(root: Node) -> Iterator[tuple[str, tuple[tuple[str, ...], Node] | None]]:
    """The functions of a text: of one that only returns a whole number, its parameters and the expression."""
    for each in functions(root):
        named, inside = function_name(each), each.child_by_field_name("body")
        if named is None:
            continue
        held = parts(inside) if inside is not None else []
        given = list(parameters_of(each))
        is_taken = len(held) == 1 and held[0].type == "return_statement" and bool(parts(held[0]))
        is_taken = is_taken and keeps_integers(field(each, "type"))
        is_taken = is_taken and all(parameter.is_integer and not parameter.is_unsigned for parameter in given)
        yield text(named), (tuple(each.name for each in given), parts(held[0])[0]) if is_taken else None


def _arrays(scope: RegionScope, parameters: list[str]) -> Iterator[tuple[str, NestArray]]:
    """The arrays that are declared around a region."""
    for name, declared in scope.names.declared.items():
        if name in scope.names.iterators or name in scope.names.bounds or name in scope.parameters:
            continue
        sizes = tuple(_size(scope, each, bool(parameters)) for each in declared.sizes)
        yield name, NestArray(Name(name), declared.type, sizes, declared.written if None in sizes else ())


def _size(scope: RegionScope, written: Node | None, has_parameters: bool) -> AffineExpression | None:
    """A size as it is declared; None where it says nothing of the parameters that the region speaks of."""
    if written is None:
        return None
    try:
        found: Sum = scope.reading().affine(written)
    except NotAffine:
        return None
    made = expression(found)
    return None if isinstance(made, AffineNumber) and has_parameters else made


def _without_settings(region: NestRegion, specification: Nest | None) -> tuple[Node, ...]:
    """The statements of a region.

    A function may begin with first values of variables that the specification reads and never writes, which has them
    before its region.
    """
    if specification is None or not region.is_function:
        return region.statements
    written = {each.write.array for each in statements(specification.body)}
    read = {str(each.name) for each in specification.arrays if each.name not in written}

    leading = takewhile(lambda node: node.type in ("declaration", "comment"), region.statements)
    settings = [node for node in leading if all(each.name in read for each in declarations(node))]
    return tuple(node for node in region.statements if node not in settings)


def _repeated(region: NestRegion) -> Iterator[Node]:
    """The labels of a region that stand at another statement already."""
    seen: set[str] = set()
    for statement in region.statements:
        for node in walk(statement):
            if node.type == "labeled_statement":
                label = field(node, "label")
                if text(label) in seen:
                    yield label
                seen.add(text(label))


def _nest(scope: RegionScope, asked: NestRequest, items: tuple[NestItem, ...]) -> Nest:
    specification = asked.specification
    if specification is not None:
        relaxed = specification.relaxed.also(asked.relaxed)
        return Nest(asked.name, specification.parameters, (), specification.arrays, asked.requires, items, relaxed)
    parameters = tuple(Name(name) for name, value in scope.parameters.items() if value.number is None)
    silent = tuple(name for name in parameters if name not in asked.spoken)
    used = {access.array for each in statements(items) for access in (each.write, *each.reads)}
    arrays = tuple(each for each in scope.arrays.values() if each.name in used)
    return Nest(asked.name, parameters, silent, arrays, asked.requires, items, asked.relaxed)
