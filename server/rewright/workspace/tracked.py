"""A file of declarations as it stands: text, tree, model, and what each declaration asks.

Invariant: a `Tracked` is a function of the texts it was made from; making one from the last re-does only the
declarations that changed, or whose sources did. Must not know answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from rewright.engine.jobs import Question
from rewright.frontends.table import kind_of
from rewright.model.declared import Declared
from rewright.model.file import FileModel, check_file
from rewright.model.imports import NoDeclarations
from rewright.model.kernel import Foreign, Kernel
from rewright.model.source_kind import SourceKind
from rewright.syntax.nodes import File
from rewright.syntax.parsed import Parsed, parse
from rewright.syntax.text import Text
from rewright.verdict import InSource, Site, fault
from rewright.workspace.jobs import How, Planned, plan
from rewright.workspace.lowering import Gathered, build_of, gather
from rewright.workspace.sources import Reads, Unreadable


class Tracked(Struct, frozen=True):
    """One version of a file.

    `planned` is parallel to the declarations of `parsed.file` and of `model`. `imports` are the files that it reaches
    through imports, None for one that cannot be read.
    """

    path: str
    parsed: Parsed
    model: FileModel
    planned: tuple[Planned, ...]
    imports: Mapping[str, Parsed | None]

    @property
    def kind(self) -> SourceKind:
        """What it holds."""
        return SourceKind.DECLARATIONS

    @property
    def text(self) -> Text:
        """The text that the tree was made from."""
        return self.parsed.text

    @property
    def awaited(self) -> tuple[Question, ...]:
        """What is to be lowered before all declarations ask what they ask in the texts as they stand."""
        return tuple(planned.awaited for planned in self.planned if planned.awaited is not None)

    def lowered_by(self) -> Iterator[str]:
        """The keys of the lowerings that declarations rest on."""
        return (key for planned in self.planned if planned.lowering is not None for key in planned.lowering.keys)

    def entries(self) -> Iterator[tuple[str, str, Planned]]:
        """The kernels that are written in sources: the file, the name that it has there, and what it asks here."""
        for planned in self.planned:
            match planned.declared.value:
                case Kernel(body=Foreign(path=path, entry=entry)) if path in dict(planned.sources):
                    yield dict(planned.sources)[path], entry, planned
                case _:
                    continue

    def named(self) -> frozenset[str]:
        """The sources that declarations of this file are written in."""
        return frozenset(path for planned in self.planned for _, path in planned.sources)

    def spoken_of(self) -> frozenset[str]:
        """The imported files with declarations that a diagnostic may point into."""
        return frozenset(each.uri for each in self.model.spoken_of.values()) - {self.path}

    def looked(self) -> frozenset[str]:
        """The files in which builds may say how these sources are compiled, there or not."""
        return frozenset(path for planned in self.planned for path, _ in planned.looked)


def track(path: str, sources: Reads, how: How, previous: Tracked | None = None) -> Tracked | Unreadable:
    """The file at `path` as it stands now, made from the last version as far as that is still true."""
    text = sources.read(path)
    if isinstance(text, Unreadable):
        return text
    try:
        return _tracked(text, sources, how, previous)
    except Exception as error:
        finding = fault(error, InSource(path, 0, 0))
        return Tracked(path, Parsed(text, (), File(()), (), ()), FileModel((), (finding,)), (), {})


def _tracked(text: Text, sources: Reads, how: How, previous: Tracked | None) -> Tracked:
    path = text.uri
    parsed = parse(text, previous.parsed if previous else None)
    importer = _Importer(path, sources, previous.imports if previous else {})
    model = check_file(parsed, importer, previous.model if previous else None)
    reusable = {id(planned.declared): planned for planned in previous.planned} if previous else {}
    planned = tuple(_plan(declared, path, sources, (how, reusable)) for declared in model.declarations)
    return Tracked(path, parsed, model, planned, importer.reached)


def _plan(declared: Declared, path: str, sources: Reads, memory: tuple[How, dict[int, Planned]]) -> Planned:
    how, reusable = memory
    known = reusable.get(id(declared))
    return plan(declared, path, (sources, how)) if known is None else replanned(known, path, sources, how)


def relowered(tracked: Tracked, keys: Collection[str], sources: Reads, how: How) -> tuple[Tracked, tuple[Planned, ...]]:
    """The file once these lowerings are known, and what the declarations ask now that waited for one of them."""
    planned = list(tracked.planned)
    waited = [at for at, each in enumerate(planned) if each.awaited is not None and each.awaited.key in keys]
    for at in waited:
        planned[at] = replanned(planned[at], tracked.path, sources, how)
    return replace(tracked, planned=tuple(planned)), tuple(planned[at] for at in waited)


def replanned(known: Planned, path: str, sources: Reads, how: How) -> Planned:
    """What a declaration asks that did not change itself.

    While a changed source is lowered, the declaration keeps what it had, and the texts that this speaks of.
    """
    if known.lowering is None and not known.findings:
        return known
    try:
        return _replanned(known, path, sources, how)
    except Exception as error:
        return Planned(known.declared, (), (), known.sources, (fault(error, Site(0)),))


def _replanned(known: Planned, path: str, sources: Reads, how: How) -> Planned:
    names = [name for name, _ in known.sources]
    if _stands(known, gather(names, path, sources)) and known.looked == _looked(known, path, sources):
        return known
    made = plan(known.declared, path, (sources, how), names)
    if made == known:
        return known
    if made.awaited is not None and known.lowering is not None:
        return replace(known, sources=made.sources, lowering=replace(known.lowering, question=made.awaited))
    return made


def _looked(known: Planned, path: str, sources: Reads) -> tuple[tuple[str, str], ...]:
    """Where what the build says of a kernel's source is looked for now, with digests."""
    match known.declared.value:
        case Kernel(body=Foreign(path=name)):
            return build_of((name, path), sources).looked
        case _:
            return ()


def _stands(known: Planned, now: Gathered) -> bool:
    """Whether what a declaration asks rests on the sources as they are now, and waits for nothing."""
    if known.awaited is not None or known.lowering is None or tuple(now.files.items()) != known.sources:
        return False
    return [text.digest for text in now.texts.values()] == [text.digest for text in known.lowering.texts]


class _Importer:
    """Reads the files that one file reaches through imports, and keeps them; parses only those that changed."""

    def __init__(self, path: str, sources: Reads, before: Mapping[str, Parsed | None]) -> None:
        self._path = path
        self._sources = sources
        self._before = before
        self._known: dict[str, Parsed | NoDeclarations | None] = {}
        self.reached: dict[str, Parsed | None] = {}

    def __call__(self, name: str) -> Parsed | NoDeclarations | None:
        if name not in self._known:
            is_ours = kind_of(name) is SourceKind.DECLARATIONS
            self._known[name] = self._read(name) if is_ours else NoDeclarations()
        return self._known[name]

    def _read(self, name: str) -> Parsed | None:
        target = self._sources.resolve(name, self._path)
        if isinstance(target, Unreadable):
            return None
        text, before = self._sources.read(target), self._before.get(target)
        if isinstance(text, Unreadable):
            self.reached[target] = None
        else:
            self.reached[target] = before if before is not None and before.text is text else parse(text, before)
        return self.reached[target]
