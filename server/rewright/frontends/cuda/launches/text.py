"""The launch of a kernel as the text of a declaration in our own syntax, read by the model as any other is.

So expressions in a comment of a `.cu` file mean what they mean in a `.rw` file. Names of the source that our syntax
reserves (`from`) are spelled otherwise in the text, and only there. Invariant: each byte that was copied from the
source is known by its place there. Must not know C.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rewright.emit.problem import Problem
from rewright.model.check_declaration import check_declaration
from rewright.model.kernel import Kernel
from rewright.model.surroundings import Surroundings
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, InSource, Place, Related, Severity, Site, has_errors

S = TypeVar("S")
T = TypeVar("T")

_RESERVED = frozenset(
    ("equivalent", "from", "graph", "import", "kernel", "lemma", "lift", "loops", "on", "refine", "rule", "transform")
)
"""The words of our syntax that are no names in it, and may be names in C++."""

WORD = re.compile(r"[A-Za-z_]\w*")
"""A name in a text of our own syntax, or a word of it."""

NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[[0-9]+\])*")
"""A name in a launch comment: a word, or the path to a field (`p.n`, `p.size[2]`)."""


def names_in(text: str) -> set[str]:
    """The names that a text uses, of a path also those that it begins with: of `p.x[3]` also `p.x`."""
    found: set[str] = set()
    for match in NAME.finditer(text):
        ends = [end.start() for end in re.finditer(r"[.\[]", match[0])]
        found |= {match[0], *(match[0][:end] for end in ends)}
    return found


class Declaration(Struct, frozen=True):
    """What a text declares: a kernel, unless something is wrong with it or not supported."""

    kernel: Kernel | None
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()


class LaunchText:
    """The text of a declaration while it is put together from parts of ours and parts of the source.

    `names` are those of the source that the parts may use.
    """

    def __init__(self, path: str, fallback: InSource, names: Iterable[str]) -> None:
        self.path = path
        self.fallback = fallback
        self._spelled = _spellings(tuple(names))
        longest = sorted(map(re.escape, self._spelled), key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(longest)})(?!\w)")
        self._data = bytearray()
        self._copies: list[tuple[int, int, int]] = []

    def own(self, text: str) -> None:
        """Appends a text of ours."""
        self._data += text.encode()

    def names(self, text: str) -> None:
        """Appends a text of ours that uses names of the source."""
        self.own(self._respelled(text))

    def copy(self, text: str, start: int) -> None:
        """Appends a text that stands in the source from a byte on."""
        encoded = self._respelled(text).encode()
        self._copies.append((len(self._data), len(self._data) + len(encoded), start))
        self._data += encoded

    def declared(self) -> Declaration:
        """What the text declares, all its sites 0, and what is wrong with it, at places of the source."""
        parsed = parse(Text.of("", self._data.decode()))
        if len(parsed.file.declarations) != 1:
            return Declaration(None, (), (Problem("this is not a launch of a kernel", self.fallback),))
        placed = parsed.file.declarations[0]
        declared = check_declaration(placed.node, placed.problems, Surroundings())
        spans = tuple(span.shifted(placed.start) for span in declared.sites)
        findings = [self._finding(finding, spans) for finding in declared.findings]
        findings += [Finding(p.diagnosis, Severity.ERROR, self._place(p.span)) for p in parsed.outside]
        problems = tuple(Problem(each.reason, self._place(spans[each.site])) for each in declared.unsupported)
        is_right = not has_errors(findings) and not problems and isinstance(declared.value, Kernel)
        kernel = without_sites(declared.value) if is_right and isinstance(declared.value, Kernel) else None
        return self._as_in_source(Declaration(kernel, tuple(findings), problems))

    def _respelled(self, text: str) -> str:
        return self._pattern.sub(lambda name: self._spelled[name[0]], text) if self._spelled else text

    def _as_in_source(self, declaration: Declaration) -> Declaration:
        """With all names as the source has them."""
        back = {spelled: name for name, spelled in self._spelled.items()}

        def spelled(text: str) -> str:
            return WORD.sub(lambda word: back.get(word[0], word[0]), text)

        return _mapped(declaration, str, spelled) if back else declaration

    def _finding(self, finding: Finding, spans: tuple[Span, ...]) -> Finding:
        related = tuple(Related(each.role, self._placed(each.place, spans)) for each in finding.related)
        return replace(finding, place=self._placed(finding.place, spans), related=related)

    def _placed(self, place: Place, spans: tuple[Span, ...]) -> Place:
        return self._place(spans[place.number]) if isinstance(place, Site) else place

    def _place(self, span: Span) -> InSource:
        """The place in the source of a span of the text; where nothing of it was copied, the fallback."""
        touched = [
            (start + max(span.start, low) - low, start + min(span.end, high) - low)
            for low, high, start in self._copies
            if span.start <= high and span.end >= low
        ]
        inside = [(low, high) for low, high in touched if high > low] or touched
        return InSource(self.path, inside[0][0], inside[-1][1]) if inside else self.fallback


def _spellings(names: tuple[str, ...]) -> dict[str, str]:
    """How names are spelled that are none in our syntax: as long, so that places stay what they are."""
    made: dict[str, str] = {}
    for name in dict.fromkeys(names):
        plain = WORD.fullmatch(name) is not None
        if plain and name not in _RESERVED:
            continue
        written = name[0] + name[1:].upper() if plain else re.sub(r"\W", "_", name)
        others = (letter + written[1:] for letter in "pqrstuvwxyzabcdefghijklmno")
        taken = {*names, *made.values()}
        made[name] = next(each for each in (written, *others) if each not in taken)
    return made


def without_sites(value: T) -> T:
    """The value with 0 for every site."""
    return _mapped(value, Site, lambda site: Site(0))


def _mapped(value: T, kind: type[S], change: Callable[[S], S]) -> T:
    """A value with every part of a type changed; numbers of sites are 0."""
    mapped: T = _rewritten(value, kind, change)
    return mapped


def _rewritten(value: Any, kind: type[Any], change: Callable[[Any], Any]) -> Any:
    if type(value) is kind:
        return change(value)
    if isinstance(value, tuple):
        items = [_rewritten(item, kind, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if not isinstance(value, Struct):
        return value
    cls: Any = type(value)
    parts = (
        0 if name == "site" else _rewritten(getattr(value, name), kind, change) for name in value.__struct_fields__
    )
    return cls(*parts)
