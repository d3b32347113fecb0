"""The regions of a text that are loop nests, and what they are: a specification, or a transform of one.

A region stands between `#pragma scop` and `#pragma endscop`, or is the statement or the function after a
`#pragma rewright spec NAME` or `#pragma rewright transform NAME of SPECIFICATION`. A region that has no name of its own
has that of its function. Must not know what a statement means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.frontends.c.pragmas import FORMS, SaidOfRegion, said
from rewright.frontends.c.tree import field, text
from rewright.frontends.preprocessor import Expanded, Pragma
from rewright.verdict import Finding, InSource, Severity
from rewright.verdict.diagnostics.names import NameTaken, TakenBy
from rewright.verdict.diagnostics.rules import NotDecided


class NestRegion(Struct, frozen=True, eq=False):
    """A loop nest in a text: what is said of it and where, its statements, and the function around it.

    `is_function` if it is the body of one.
    """

    said: SaidOfRegion
    statements: tuple[Node, ...]
    function: Node | None
    place: InSource
    is_function: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return self.said.name


class FoundRegions(Struct, frozen=True):
    """The regions of a text in order, and what is wrong with its pragmas."""

    regions: tuple[NestRegion, ...]
    findings: tuple[Finding, ...]


def regions(root: Node, expanded: Expanded, path: str) -> FoundRegions:
    """The regions of the text at `path`; pragmas of included files are none of it."""
    finding = _Finding(root, expanded)
    finding.read([each for each in expanded.pragmas if each.place.path == path])
    return FoundRegions(tuple(finding.found), tuple(finding.findings))


def whole_function(root: Node, expanded: Expanded, name: str) -> NestRegion | None:
    """The body of a function as a region; None if the text defines none of that name."""
    for each in functions(root):
        named = function_name(each)
        if named is not None and text(named) == name:
            return _body(each, _Mark(SaidOfRegion(name), _place(expanded, named)))
    return None


def node_after(root: Node, offset: int) -> Node | None:
    """The statement or function that begins next after an offset."""
    node = root
    while True:
        children = (each for each in node.named_children if each.type != "comment")
        inside = next((each for each in children if each.end_byte > offset), None)
        if inside is None or inside.start_byte >= offset:
            return inside
        node = inside


def functions(root: Node) -> Iterator[Node]:
    """The definitions of functions of a text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "function_definition":
            yield node
        else:
            waiting.extend(reversed(node.named_children))


def function_name(function: Node) -> Node | None:
    """Where the name of a function stands in its definition."""
    node: Node | None = function.child_by_field_name("declarator")
    while node is not None and node.type != "identifier":
        node = node.child_by_field_name("declarator")
    return node


def _body(function: Node, mark: _Mark) -> NestRegion:
    return replace(_region(mark, field(function, "body").named_children, function), is_function=True)


def _region(mark: _Mark, nodes: Sequence[Node], function: Node | None) -> NestRegion:
    return NestRegion(mark.said, tuple(nodes), function, mark.place)


def _place(expanded: Expanded, node: Node) -> InSource:
    return expanded.place(node.start_byte, node.end_byte)


class _Mark(Struct, frozen=True):
    """What a `#pragma rewright` says of what comes after it; `offset` is where it ends."""

    said: SaidOfRegion
    place: InSource
    offset: int = 0


class _Finding:
    """The search for regions; mutable."""

    def __init__(self, root: Node, expanded: Expanded) -> None:
        self._root = root
        self._expanded = expanded
        self.found: list[NestRegion] = []
        self.findings: list[Finding] = []

    def read(self, pragmas: Sequence[Pragma]) -> None:
        """Goes through the pragmas in order."""
        opened: tuple[Pragma, _Mark | None] | None = None
        mark: _Mark | None = None
        for each in pragmas:
            words = each.words.split()
            if mark is not None and self._comes_before(mark, each):
                self._marked(mark)
                mark = None
            match words:
                case ["scop", *_] if opened is not None:
                    self._refuse("this region is not closed", opened[0].place)
                    opened, mark = (each, mark), None
                case ["scop", *_]:
                    opened, mark = (each, mark), None
                case ["endscop", *_] if opened is None:
                    self._refuse("no `#pragma scop` is before this", each.place)
                case ["endscop", *_]:
                    assert opened is not None
                    self._between(*opened, each)
                    opened = None
                case ["rewright", *_]:
                    if mark is not None:
                        self._marked(mark)
                    mark = self._said(each)
                case _:
                    pass
        if opened is not None:
            self._refuse("this region is not closed", opened[0].place)
        if mark is not None:
            self._marked(mark)

    def _said(self, pragma: Pragma) -> _Mark | None:
        found = said(pragma.words.removeprefix("rewright").strip())
        if found is None:
            self._refuse(f"after `#pragma rewright` {FORMS}, is expected", pragma.place)
            return None
        return _Mark(found, pragma.place, pragma.offset)

    def _comes_before(self, mark: _Mark, pragma: Pragma) -> bool:
        """Whether what a mark speaks of begins before another pragma; a function ends before it, too.

        So a `scop` inside of a function that is marked is what the mark speaks of.
        """
        nodes = self._next(mark.offset)
        if not nodes or nodes[-1].start_byte >= pragma.offset:
            return False
        return nodes[-1].type != "function_definition" or nodes[-1].end_byte <= pragma.offset

    def _next(self, offset: int) -> tuple[Node, ...]:
        """What begins next after an offset: a statement or a function, with the declarations before it."""
        found: list[Node] = []
        node = node_after(self._root, offset)
        while node is not None:
            if node.type != "comment":
                found.append(node)
            if node.type not in ("comment", "declaration"):
                break
            node = node.next_named_sibling
        return tuple(found)

    def _marked(self, mark: _Mark) -> None:
        nodes = self._next(mark.offset)
        if not nodes:
            self._refuse("no statement or function comes after this", mark.place)
        elif nodes[-1].type == "function_definition":
            self._add(_body(nodes[-1], mark))
        else:
            self._add(_region(mark, nodes, self._around(nodes[-1])))

    def _between(self, opened: Pragma, mark: _Mark | None, closed: Pragma) -> None:
        block = self._root.descendant_for_byte_range(opened.offset, max(closed.offset - 1, opened.offset))
        while block is not None and block.type not in ("compound_statement", "translation_unit"):
            block = block.parent
        inside = block.named_children if block is not None else []
        nodes = [each for each in inside if opened.offset <= each.start_byte < closed.offset]
        if any(each.end_byte > closed.offset for each in nodes) or any(
            each.start_byte < opened.offset < each.end_byte for each in inside
        ):
            self._refuse("this region ends in another block than it begins in", opened.place)
            return
        function = self._around(block) if block is not None else None
        named = function_name(function) if function is not None else None
        if mark is None and named is not None:
            mark = _Mark(SaidOfRegion(text(named)), _place(self._expanded, named))
        if mark is not None:
            self._add(_region(mark, nodes, function))
        else:
            self._refuse("this region is in no function and has no name", opened.place)

    def _around(self, node: Node) -> Node | None:
        """The function that a node is in."""
        current: Node | None = node
        while current is not None and current.type != "function_definition":
            current = current.parent
        return current

    def _add(self, region: NestRegion) -> None:
        if any(each.name == region.name for each in self.found):
            self.findings.append(Finding(NameTaken(region.name, TakenBy.DECLARATION), Severity.ERROR, region.place))
        else:
            self.found.append(region)

    def _refuse(self, reason: str, place: InSource) -> None:
        self.findings.append(Finding(NotDecided(reason), Severity.WARNING, place))
