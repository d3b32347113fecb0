"""The report as Markdown for a pull request or the summary of a CI job: what is wrong first, then every verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewright.report import label
from rewright.report.complaints import Complaint, complaints
from rewright.report.document import Report, Result
from rewright.report.faults import showing
from rewright.report.places import Places
from rewright.report.summary import counted, summarise
from rewright.report.tables import code, fenced, table
from rewright.report.text_view import declaration, total
from rewright.verdict import Severity, Verdict


def to_markdown(report: Report, milliseconds: float, directory: str) -> str:
    """The report of a run that took so many milliseconds, with paths relative to `directory`. Raises `Unshown`."""
    places = Places(report.texts, directory)
    mark = "✅" if summarise(report).passed else "❌"
    return "\n\n".join([f"## {mark} Rewright: {_plain(total(report, milliseconds))}", *_parts(report, places)])


def _parts(report: Report, places: Places) -> Iterator[str]:
    found = tuple(complaints(report))
    for title, severity in (("Errors", Severity.ERROR), ("Warnings", Severity.WARNING)):
        listed = [_item(each, places) for each in found if each.severity is severity]
        if listed:
            yield f"### {title}"
            yield "\n".join(listed)
    for file in report.files:
        for result in file.results:
            if counted(result) and not result.as_expected:
                with showing(result):
                    lines = declaration(report, (file, result), places.directory)
                    said = "\n".join("".join(text for text, _ in line).rstrip() for line in lines)
                yield _folded(f"{_html(result.name)}, {result.verdict or Verdict.ERROR}", fenced(said))
    rows = [_row(result, places) for result in report.results() if counted(result)]
    if rows:
        yield _folded(
            f"All {len(rows)} verdicts", table(("declaration", "verdict", "what it covers", "file, time"), rows)
        )


def _item(complaint: Complaint, places: Places) -> str:
    place = f"{places.file(complaint.at.path)}:{places.ends(complaint.at)[0].line + 1}"
    name = f" in {code(complaint.result.name)}" if complaint.result else ""
    return f"- **{complaint.code}**{name}, {code(place)}: {_plain(complaint.message)}"


def _row(result: Result, places: Places) -> tuple[str, ...]:
    verdict = result.verdict or Verdict.ERROR
    with showing(result):
        words = label.wording(result, verdict)
    time = f"{sum(question.milliseconds for question in result.questions):.0f} ms"
    return (
        code(result.name),
        f"{label.mark(verdict)} {verdict}",
        _plain(words),
        f"{code(places.file(result.path))}, {time}",
    )


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str) -> str:
    """Text on one line in which nothing is Markdown, a mention or a link, except code in single backticks."""
    parts = re.split(r"(`[^`\n]+`)", " ".join(text.split()))
    return "".join(part if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]#|~!@])", r"\\\1", _html(text))
