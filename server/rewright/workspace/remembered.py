"""The report of a file, remembered between runs: what is known to stand as it was needs no parsing and no planning.

What is said of a file is computed by a deterministic program from its path and text, from how rules are decided, from
what `Sources` answers when it is asked what a name means and what a path says, and from the answers to its questions. A
record is found by a key made of the first and of the signature of the program itself; it holds everything that the
sources were asked, each with its answer, and is believed only if every answer is the same now: the program would then
ask the same again, one after the other, and say the same. It is made only where every question has a definite answer;
these stand for good, so budgets and other settings are in no key, and what is unknown is asked again.
Must not know how a declaration is understood, nor how anything is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.engine.cache import Cache, KeptAnswer
from rewright.engine.keys import digest
from rewright.engine.signature import signature
from rewright.frontends.table import kind_of
from rewright.report.document import Diagnostic, FileReport, Result
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.verdict.codec import CodecError, decode, encode
from rewright.workspace.settings import KernelSettings
from rewright.workspace.sources import Sources, Unreadable

PROGRAM = ("rewright", "tree_sitter_rewright")
"""The packages whose programs make a report; the solvers and other libraries are signed, too."""


class Look(Struct, frozen=True):
    """What the sources were asked, and what they answered.

    Asked is a path, a name with the file that names it, or of these the folders nearby or the files that end so.
    """

    asked: tuple[str, ...]
    answer: str


class Recorded(Struct):
    """Sources that note what they are asked and what they answer."""

    sources: Sources
    _answers: dict[tuple[str, ...], str] = field(default_factory=dict)

    @property
    def looks(self) -> tuple[Look, ...]:
        """All that was asked, each with the last answer: of a file that is read again, what is still true is kept."""
        return tuple(Look(asked, answer) for asked, answer in self._answers.items())

    def read(self, path: str) -> Text | Unreadable:
        """The current text of `path`."""
        text = self.sources.read(path)
        self._answers[(path,)] = _said(text)
        return text

    def resolve(self, named: str, by: str) -> str | Unreadable:
        """The path that the file `by` means when it names `named`."""
        target = self.sources.resolve(named, by)
        self._answers[(named, by)] = _said(target)
        return target

    def nearby(self, named: str, by: str) -> tuple[str, ...]:
        """The folders in which what the source `named` includes may be."""
        folders = self.sources.nearby(named, by)
        self._answers[(named, by, _NEARBY)] = _listed(folders)
        return folders

    def ending(self, named: str, by: str) -> tuple[str, ...]:
        """The files of the workspace that are meant by a name of `anywhere`."""
        files = self.sources.ending(named, by)
        self._answers[(named, by, _ENDING)] = _listed(files)
        return files


class Remembered(Struct, frozen=True):
    """What was said of a file, and all that the sources were asked for it, the file's own text among it.

    `named` are the sources that a diagnostic may point into.
    """

    looks: tuple[Look, ...]
    named: tuple[str, ...]
    results: tuple[Result, ...]
    diagnostics: tuple[Diagnostic, ...]


class Made(Struct, frozen=True):
    """A report that was just made, with what the sources were asked for it and the sources that it names."""

    report: FileReport
    looks: tuple[Look, ...]
    named: tuple[str, ...]


class Recalled(Struct, frozen=True):
    """A file of which everything is known: its report and the texts that its diagnostics may point into."""

    report: FileReport
    texts: dict[str, Text]


def decided_by(mode: Mode, kernels: KernelSettings) -> str:
    """All that decides what is said of a file, beside the program and the texts."""
    return repr((mode, kernels))


class ReportMemory:
    """The records of reports; `how` gives for a path the text that names all that decides beside the program."""

    def __init__(self, how: Callable[[str], str]) -> None:
        self._how = how
        self._program = signature(PROGRAM)

    def recall(self, paths: Iterable[str], sources: Sources, cache: Cache) -> dict[str, Recalled]:
        """What is remembered of these files and still true of them, by path."""
        keys = dict(self._keys(paths, sources))
        found = cache.get(keys)
        recalled = ((keys[key], _recalled(keys[key], entry, sources)) for key, entry in found.items())
        return {text.uri: each for text, each in recalled if each is not None}

    def remember(self, made: Iterable[Made], cache: Cache) -> None:
        """Keeps these reports, in which every question has an answer that no other may replace."""
        if self._program is not None and self._program == signature(PROGRAM):
            cache.put(self._entry(each) for each in made)

    def _keys(self, paths: Iterable[str], sources: Sources) -> Iterator[tuple[str, Text]]:
        for path in paths if self._program is not None else ():
            text = sources.read(path)
            if isinstance(text, Text):
                yield self._key(text), text

    def _key(self, text: Text) -> str:
        return digest("report of a file", self._program or "", self._how(text.uri), text.uri, text.digest)

    def _entry(self, made: Made) -> KeptAnswer:
        results = tuple(_from_memory(result) for result in made.report.results)
        value = Remembered(made.looks, made.named, results, made.report.diagnostics)
        return KeptAnswer(self._key(made.report.text), encode(value))


def _recalled(text: Text, entry: KeptAnswer, sources: Sources) -> Recalled | None:
    try:
        record: Remembered = decode(Remembered, entry.text)
    except CodecError:
        return None
    if any(look.answer != _answer(look, sources) for look in record.looks):
        return None
    report = FileReport(text.uri, kind_of(text.uri), text, record.results, record.diagnostics)
    named = {path: sources.read(path) for path in record.named}
    return Recalled(report, {text.uri: text} | {path: each for path, each in named.items() if isinstance(each, Text)})


def _answer(look: Look, sources: Sources) -> str:
    match look.asked:
        case (path,):
            return _said(sources.read(path))
        case (named, by):
            return _said(sources.resolve(named, by))
        case (named, by, what) if what == _NEARBY:
            return _listed(sources.nearby(named, by))
        case (named, by, what) if what == _ENDING:
            return _listed(sources.ending(named, by))
        case _:
            return ""


def _said(answer: Text | str | Unreadable) -> str:
    match answer:
        case Unreadable(reason):
            return f"unreadable: {reason}"
        case Text(digest=known):
            return known
        case _:
            return answer


_NEARBY, _ENDING = "nearby", "ending"
"""What is asked of a name besides the path that it means."""


def _listed(paths: tuple[str, ...]) -> str:
    return "\n".join(paths)


def _from_memory(result: Result) -> Result:
    return replace(result, questions=tuple(replace(question, cached=True) for question in result.questions))
