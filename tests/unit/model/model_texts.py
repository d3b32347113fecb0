"""Texts for the model's tests: an error is stated by marking its place with « and » in the text."""

from __future__ import annotations

import re

from msgspec.structs import asdict

from rewright.model.declared import Declared
from rewright.model.file import FileModel, check_file
from rewright.model.rule import Rule
from rewright.syntax.parsed import Parsed, parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Diagnosis, Finding, Site

Found = tuple[str, dict[str, str]]


def parsed(text: str, uri: str = "test.rw") -> Parsed:
    """The text, read."""
    return parse(Text.of(uri, text))


def model(text: str) -> FileModel:
    """The model of a file without imports."""
    return check_file(parsed(text), lambda path: None)


def rule_text(body: str, *, parameters: str = "<T: num>") -> str:
    """A rule over two groups, a linked pair and an axis, with the lines of `body` added."""
    return f"""rule r{parameters} {{
  axes A, B
  axes I ~ J
  axis d
  map n, s, e, p on A
  map m on B
  map k on d
  map h, w on I
  int c
  scalar z: T
  tensor X, Y: T[A: n]
  tensor D: T[A: n, d: k]
  tensor M: T[I: h, J: w]
  tensor P: pred[A: n]
  {body}
}}
"""


def rule(body: str, **options: str) -> Rule:
    """The value of such a rule, which must have no finding and be supported."""
    declared = declared_rule(body, **options)
    assert declared.findings == ()
    assert declared.unsupported == ()
    assert isinstance(declared.value, Rule)
    return declared.value


def declared_rule(body: str, **options: str) -> Declared:
    """What the model says of such a rule."""
    (declared,) = model(rule_text(body, **options)).declarations
    return declared


def unmarked(text: str) -> tuple[str, list[Span]]:
    """The text without its marks, and the marked spans in bytes, in order of their starts."""
    spans: list[tuple[int, int]] = []
    open_: list[int] = []
    plain = ""
    for part in re.split("([«»])", text):
        match part:
            case "«":
                open_.append(len(plain.encode()))
            case "»":
                spans.append((open_.pop(), len(plain.encode())))
            case _:
                plain += part
    return plain, [Span(*span) for span in sorted(spans)]


def findings_at_marks(text: str) -> list[Found]:
    """The code and the facts of each finding of a file of one declaration, in the order of their places."""
    return [(diagnosis.code, facts(diagnosis)) for diagnosis in said(text)]


def said(text: str) -> list[Diagnosis]:
    """What is said of a file of one declaration; each must stand exactly at a mark, and each mark have one."""
    plain, marks = unmarked(text)
    file = parsed(plain)
    (placed,) = file.file.declarations
    (declared,) = check_file(file, lambda path: None).declarations
    ordered = sorted(declared.findings, key=lambda finding: placed.absolute(span_of(declared, finding)))
    assert [placed.absolute(span_of(declared, finding)) for finding in ordered] == marks, [
        (finding.code, plain.encode()[slice(*_ends(placed.absolute(span_of(declared, finding))))])
        for finding in ordered
    ]
    assert declared.value is None
    return [finding.diagnosis for finding in ordered]


def facts(diagnosis: Diagnosis) -> dict[str, str]:
    """What a diagnosis is made of, as text: a list of groups as `A, B`, nothing where there is none."""
    return {name: _shown(value) for name, value in asdict(diagnosis).items()}


def _shown(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def span_of(declared: Declared, finding: Finding) -> Span:
    """The span of a finding's place, from the declaration's start."""
    assert isinstance(finding.place, Site)
    return declared.sites[finding.place.number]


def errors(body: str, **options: str) -> list[Found]:
    """The findings of a rule whose body marks them."""
    return findings_at_marks(rule_text(body, **options))


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end
