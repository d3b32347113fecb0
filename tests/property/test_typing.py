"""Typing: what a file comes to, made from its last version, is what it comes to by itself, whatever was typed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewright.engine.jobs import Outcome, Reply
from rewright.report.document import FileReport
from rewright.rules.decision import Mode
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import Span, Text
from rewright.verdict import NOTHING, Answer, Verdict
from rewright.verdict.codec import encode
from rewright.workspace.fold import KnownAnswers
from rewright.workspace.jobs import How
from rewright.workspace.lowering import Lowerings
from rewright.workspace.sources import Sources
from rewright.workspace.tracked import Tracked, track
from rewright.workspace.views import Folder

SPEC = Path(__file__).parents[1] / "spec"
PAGES = ("declarations.md", "names.md", "graphs.md", "rules.md", "kernel_syntax.md")
BLOCKS = [block for page in PAGES for block in re.findall(r"^```rw\n(.*?)^```", (SPEC / page).read_text(), re.S | re.M)]
OTHER = "rule brought { X => X }\n" + next(block for block in BLOCKS if block.startswith("graph"))
SCRAPS = [
    "rule q {",
    "\nrule q { X => X }\n",
    "lemma brought { X => X }\n",
    'import "other.rw"\n',
    "equivalent a ~ brought\n",
    "\n@b kernel k",
    "@a(\n",
    "@a\n",
    "/// d\n",
    "// c\n",
    "graph",
    "rul",
    "e ",
    "}",
    "{",
    ")\n",
    '"',
    "q",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "é",
    "𝔸",
    "\0",
]

files = st.lists(st.sampled_from(BLOCKS), max_size=4).map("".join)
inserted = st.lists(st.sampled_from(SCRAPS) | st.text(max_size=3), max_size=3).map("".join)
removed = st.sampled_from([0, 0, 1, 2]) | st.integers(0, 400)
edits = st.lists(st.tuples(st.floats(0, 1), st.booleans(), removed, inserted), min_size=1, max_size=5)


@settings(max_examples=30)
@given(files, st.sampled_from(["\n", "\r\n", "\r"]), edits)
def test_what_is_typed_into_a_file(source: str, line_end: str, changes: list[tuple[float, bool, int, str]]) -> None:
    compare(source.replace("\n", line_end), changes)


@pytest.mark.soak
@settings(max_examples=2000)
@given(files, st.sampled_from(["\n", "\r\n", "\r"]), edits)
def test_much_is_typed_into_files(source: str, line_end: str, changes: list[tuple[float, bool, int, str]]) -> None:
    compare(source.replace("\n", line_end), changes)


def compare(source: str, changes: list[tuple[float, bool, int, str]]) -> None:
    """Each version of a file made from the one before and by itself; some of its questions are answered."""
    text, folder, outcomes = Text.of("/w/a.rw", source), Folder(), dict[str, Outcome]()
    last = read(text, None)
    folder.file(last, KnownAnswers(outcomes, ()))
    for at, line, count, new in changes:
        text = changed(text, at, line, count, new)
        fresh, last = read(Text.of(text.uri, text.text), None), read(text, last)
        assert said(last) == said(fresh)
        outcomes = outcomes if len(new) % 2 else {**outcomes, **answers(last)}
        known = KnownAnswers(outcomes, ())
        assert shown(folder.file(last, known)) == shown(Folder().file(fresh, known))


def changed(text: Text, at: float, line: bool, count: int, new: str) -> Text:
    """The text with so many characters replaced, which is what the same text by itself is, lines and all."""
    start = int(at * len(text.text))
    start = text.text.rfind("\n", 0, start) + 1 if line else start
    end = min(start + count, len(text.text))
    before, after = len(text.text[:start].encode()), len(text.text[:end].encode())
    made = text.edited(Span(before, after), new)
    assert made == Text.of(text.uri, text.text[:start] + new + text.text[end:])
    return made


def read(text: Text, before: Tracked | None) -> Tracked:
    sources = Sources(Path("/w"))
    sources.open("/w/other.rw", OTHER)
    sources.open(text.uri, text)
    made = track(text.uri, sources, How(Mode.NORMAL_FORMS, Lowerings()), before)
    assert isinstance(made, Tracked)
    return made


def said(file: Tracked) -> object:
    """All that a file comes to."""
    model = file.model
    return read_in(file.parsed), model.declarations, model.findings, model.spoken_of, file.planned


def read_in(parsed: Parsed) -> object:
    pieces = [(start, piece.source, piece.digest, piece.declaration) for start, piece in parsed.pieces]
    return parsed.text, pieces, parsed.file, parsed.problems, parsed.outside, parsed.heads


def answers(file: Tracked) -> dict[str, Outcome]:
    """Of every other question, that it is unknown."""
    asked = [key for planned in file.planned for key in planned.keys][::2]
    unknown = encode(Answer(Verdict.UNKNOWN, NOTHING, reason="it was not tried"))
    return {key: Reply(key, unknown, definite=False, milliseconds=1.0, cached=False) for key in asked}


def shown(report: FileReport) -> object:
    return report.text, tuple(report.results), report.diagnostics
