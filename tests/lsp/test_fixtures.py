"""Fixtures that say in comments what an editor shows of the line they stand on.

* `//@hint("…")`: the hint behind this line
* `//@hover("name", "text")`: what is shown at the first `name` of this line holds `text`
* `//@declared("name", "text")`: the first `name` of this line is declared on the line that holds `text`
* `//@token("name", "parameter")`: the type of the semantic token there
* `//@problem(RW101, "place")`, `//@finds(RW201, "place")`: a pulled or a pushed error at the first `place` here
* `//@expected(RW201, "place")`: a pushed diagnostic there that is no error, since `@expect` says so
* `//@greyed(RW206, "place")`: a pushed hint there that greys the text, as it could be left out

Hints, problems and findings that no marker states fail, and so do markers that nothing fits. The file stem of a
fixture is the name of its test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from lsp_editor import Document, Editor
from lsprotocol import types

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.rw"))
ERROR = types.DiagnosticSeverity.Error
ARGUMENT = re.compile(r"\"([^\"]*)\"|(\w+)")
MARKER = re.compile(r"//@(\w+)\(((?:\"[^\"]*\"|\w+)(?:, \"[^\"]*\")?)\)")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker with the line that it stands on and the offset of that line."""

    verb: str
    arguments: tuple[str, ...]
    line: int
    offset: int


def markers(text: str) -> Iterator[Marker]:
    """All markers of a text."""
    assert text.count("//@") == len(MARKER.findall(text)), "a marker is misspelled"
    offset = 0
    for number, line in enumerate(text.splitlines(keepends=True)):
        for verb, arguments in MARKER.findall(line):
            yield Marker(verb, tuple(quoted or word for quoted, word in ARGUMENT.findall(arguments)), number, offset)
        offset += len(line)


def place(document: Document, marker: Marker, text: str) -> types.Range:
    """The range of a text on the line of its marker."""
    start = document.text.index(text, marker.offset)
    found = types.Range(document.position(start), document.position(start + len(text)))
    assert found.start.line == marker.line, f"`{text}` is not on line {marker.line + 1}"
    return found


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
async def test_an_editor_shows_what_the_markers_say(shared: Editor, folder: Path, fixture: Path) -> None:
    path = folder / fixture.name
    path.write_text(fixture.read_text())
    document = await shared.open(path)
    hints = await shared.settled(document)
    stated = list(markers(document.text))
    assert stated
    assert hints == {m.line: m.arguments[0] for m in stated if m.verb == "hint"}
    assert shown(await shared.problems(document)) == stated_at(document, stated, "problem")
    assert shown(shared.pushed(path)) == stated_at(document, stated, "finds", "expected", "greyed")
    for marker in stated:
        await look(shared, document, marker)


Shown = tuple[int, int, int, str, str, bool]
"""A diagnostic as a comparable value: line, first and last column, code, severity, whether the text is greyed."""


def shown(found: list[types.Diagnostic]) -> list[Shown]:
    """Diagnostics as comparable values."""
    greyed = (types.DiagnosticTag.Unnecessary,)
    return sorted(_shown(each.range, str(each.code), each.severity, each.tags == greyed) for each in found)


def stated_at(document: Document, stated: list[Marker], *verbs: str) -> list[Shown]:
    """The diagnostics that the markers with these verbs state."""
    severities = {"expected": types.DiagnosticSeverity.Information, "greyed": types.DiagnosticSeverity.Hint}
    return sorted(
        _shown(place(document, m, m.arguments[1]), m.arguments[0], severities.get(m.verb, ERROR), m.verb == "greyed")
        for m in stated
        if m.verb in verbs
    )


def _shown(at: types.Range, code: str, severity: types.DiagnosticSeverity | None, greyed: bool) -> Shown:
    return at.start.line, at.start.character, at.end.character, code, str(severity), greyed


async def look(editor: Editor, document: Document, marker: Marker) -> None:
    """Asks what one marker speaks of."""
    match marker.verb, marker.arguments:
        case "hover", (name, text):
            at = place(document, marker, name).start
            hover = await editor.client.text_document_hover_async(types.HoverParams(document.identifier, at))
            assert hover is not None and isinstance(hover.contents, types.MarkupContent)
            assert text in hover.contents.value
        case "declared", (name, text):
            at = place(document, marker, name).end
            params = types.DefinitionParams(document.identifier, at)
            found = await editor.client.text_document_definition_async(params)
            assert isinstance(found, types.Location)
            assert text in document.text.splitlines()[found.range.start.line]
        case "token", (name, kind):
            at = place(document, marker, name).start
            assert (await tokens(editor, document))[at.line, at.character] == kind
        case (("hint" | "problem" | "finds" | "expected" | "greyed"), _):
            pass
        case unknown, _:
            pytest.fail(f"no such marker: {unknown}")


async def tokens(editor: Editor, document: Document) -> dict[tuple[int, int], str]:
    """The types of the semantic tokens of a document by position."""
    params = types.SemanticTokensParams(document.identifier)
    sent = await editor.client.text_document_semantic_tokens_full_async(params)
    assert sent is not None and editor.capabilities is not None
    provider = editor.capabilities.semantic_tokens_provider
    assert provider is not None
    found: dict[tuple[int, int], str] = {}
    line = character = 0
    for start in range(0, len(sent.data), 5):
        down, right, _, kind, _ = sent.data[start : start + 5]
        line, character = line + down, right if down else character + right
        found[line, character] = provider.legend.token_types[kind]
    return found
