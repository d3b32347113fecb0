"""The grammar that the page of syntax prints has the parser's words and derives what the parser takes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "syntax.md").read_text(encoding="utf-8")
(PRINTED,) = re.findall(r"^```ebnf\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
RULES = dict(re.findall(r"^(\w+) += (.*?) ;$", PRINTED, re.DOTALL | re.MULTILINE))
LEXEME = re.compile(r'"[^"]*"|\w+|[][{}()|]')
TOKEN = re.compile(
    r"//[^\n]*|[ \t]+|(?P<newline>\n)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\")"
    r"|(?P<number>0x[\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign><<=|>>=|<=>|<<|>>|=>|->|\.\.\.?|::|[-+*/%&|^<>=!]=|[-+*/%@&|^~<>=(){}\[\],:;.?])"
)
RESERVED = {"rule", "lemma", "kernel", "equivalent", "graph", "refine", "loops", "transform", "lift", "import"}
GOES_ON_AFTER = {*"+-*/%@|^&<>=,([", "<<", ">>", "<=", ">=", "==", "!=", "=>", "<=>", "and", "or", "not"}
FILES = sorted((ROOT / "rules").rglob("*.rw"))
DOCUMENTED = [
    block
    for page in sorted((ROOT / "docs").rglob("*.md"))
    if page.parent.name != "codes"
    for block in re.findall(r"^```rw[^\n]*\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
]
Tokens = list[tuple[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """A lexeme, or a bracket with its alternatives, and what stands after it. Compared by identity, which is quick."""

    first: str
    inner: Choices
    rest: Sequence | None


Choices = tuple[Sequence | None, ...]


def tokens(text: str) -> Tokens:
    """Kind and text of each token; comments and blanks are none."""
    found, place = [], 0
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            return [("error", text[place])]
        place = match.end()
        if match.lastgroup:
            found.append((match.lastgroup, match[0]))
    return found


def accepts(text: str) -> bool:
    """Whether the printed grammar derives a text."""
    stream = [*tokens(text), ("end", "")]
    inside = [0]
    for _, written in stream:
        inside.append(inside[-1] + (written in ("(", "[")) - (written in (")", "]")))

    def goes_on(place: int, before: str) -> bool:
        """Whether the newline at a place does not end an item, if this stands after it."""
        last = stream[place - 1][1] if place else ""
        return inside[place] > 0 or last in GOES_ON_AFTER or before in ("=>", "<=>")

    @cache
    def ends(sequence: Sequence | None, place: int) -> frozenset[int]:
        """Where a sequence that starts at a place can end."""
        if sequence is None:
            return frozenset((place,))
        match sequence.first:
            case "{":
                after = repeated(sequence.inner, place)
            case "[":
                after = any_of(sequence.inner, place) | {place}
            case "(":
                after = any_of(sequence.inner, place)
            case lexeme:
                after = one(lexeme, place)
        return frozenset[int]().union(*(ends(sequence.rest, each) for each in after)) if sequence.rest else after

    def any_of(choices: Choices, place: int) -> frozenset[int]:
        if stream[place][0] != "newline":
            choices = fitting(choices, *stream[place])
        return frozenset[int]().union(*(ends(choice, place) for choice in choices))

    def repeated(inner: Choices, place: int) -> frozenset[int]:
        reached, waiting = {place}, [place]
        while waiting:
            new = any_of(inner, waiting.pop()) - reached
            reached |= new
            waiting += new
        return frozenset(reached)

    @cache
    def one(lexeme: str, place: int) -> frozenset[int]:
        """Where one lexeme that starts at a place can end."""
        kind, written = stream[place]
        if lexeme in RULES:
            return any_of(choices(lexeme), place)
        expected = lexeme.strip('"')
        if kind == "newline" and lexeme != "newline" and goes_on(place, expected):
            return one(lexeme, place + 1)
        fits = written == expected if lexeme.startswith('"') else kind == lexeme
        allowed = not (lexeme == "name" and written in RESERVED)
        return frozenset((place + 1,)) if fits and allowed else frozenset()

    return len(stream) - 1 in one("file", 0)


@cache
def fitting(choices: Choices, kind: str, written: str) -> Choices:
    """The choices that can begin with a token."""
    begun = {kind, f'"{written}"', ""}
    return tuple(choice for choice in choices if not begun.isdisjoint(beginnings(choice)))


@cache
def choices(name: str) -> Choices:
    return alternatives(tuple(LEXEME.findall(RULES[name])))


def alternatives(lexemes: tuple[str, ...]) -> Choices:
    """What stands between the bars that stand in no bracket."""
    found: list[list[str]] = [[]]
    depth = 0
    for lexeme in lexemes:
        depth += (lexeme in ("(", "[", "{")) - (lexeme in (")", "]", "}"))
        if lexeme == "|" and depth == 0:
            found.append([])
        else:
            found[-1].append(lexeme)
    return tuple(sequence(tuple(each)) for each in found)


def sequence(lexemes: tuple[str, ...]) -> Sequence | None:
    """Lexemes without a bar outside of brackets, None for none."""
    if not lexemes:
        return None
    if lexemes[0] not in ("(", "[", "{"):
        return Sequence(lexemes[0], (), sequence(lexemes[1:]))
    depth = 0
    for place, lexeme in enumerate(lexemes):
        depth += (lexeme in ("(", "[", "{")) - (lexeme in (")", "]", "}"))
        if depth == 0:
            return Sequence(lexemes[0], alternatives(lexemes[1:place]), sequence(lexemes[place + 1 :]))
    raise ValueError("a bracket of the grammar is not closed")


@cache
def beginnings(sequence: Sequence | None) -> frozenset[str]:
    """What can be the first token of a sequence, an empty text if there may be none: the others need not be tried."""
    if sequence is None:
        return frozenset(("",))
    inner = choices(sequence.first) if sequence.first in RULES else sequence.inner
    found = frozenset[str]().union(*map(beginnings, inner)) if inner else frozenset((sequence.first,))
    if sequence.first in ("[", "{"):
        found |= {""}
    return found - {""} | beginnings(sequence.rest) if "" in found else found


def literals(part: Any) -> set[str]:
    """Every text that the parser's grammar knows by itself."""
    match part:
        case {"type": "STRING", "value": value}:
            return {value}
        case {"type": "TOKEN" | "PATTERN"}:
            return set()
        case dict():
            return set().union(*map(literals, part.values()))
        case list():
            return set().union(*map(literals, part))
    return set()


def test_the_page_has_the_words_and_signs_of_the_parser() -> None:
    grammar = json.loads((ROOT / "grammar" / "src" / "grammar.json").read_text(encoding="utf-8"))
    printed = set(re.findall(r'"([^"]+)"', PRINTED))
    assert printed == literals(grammar["rules"]) - {"\u0001"}


def test_every_name_in_the_grammar_is_defined_and_used() -> None:
    used = {each for text in RULES.values() for each in LEXEME.findall(text) if re.fullmatch(r"\w+", each)}
    assert used - {"name", "number", "string", "newline"} == set(RULES) - {"file"}


@pytest.mark.parametrize("text", DOCUMENTED)
def test_it_derives_the_examples_of_the_documents(text: str) -> None:
    assert accepts(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_derives_the_library(path: Path) -> None:
    assert accepts(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        "rule r {\n  axes A,\n}\n",
        "rule r {\n  map n A\n}\n",
        "rule r {\n  X => \n}\n",
        "rule r {\n  where a <= b <= c\n}\n",
        "rule r {\n  X = Y\n}\n",
        "rule rule {\n}\n",
        "kernel k(x) {\n  launch\n}\n",
        "kernel k {\n  for i 0..N { }\n}\n",
        "refine a {\n}\n",
        "import other\n",
        "let a = b\n",
        "@expect(refuted) rule r {\n}\n",
    ],
)
def test_neither_takes_what_is_wrong(text: str) -> None:
    assert not accepts(text)
    read = parse(Text.of("a.rw", text))
    assert read.problems or any(each.problems for each in read.file.declarations)
