"""The report as SARIF 2.1.0 (OASIS), which code scanning and many editors read.

Only complaints are results: what is as expected raises no alert, but for its warnings.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from rewright import __version__
from rewright.report import codes
from rewright.report.complaints import UNEXPECTED, Complaint, complaints
from rewright.report.document import Located, Report
from rewright.report.places import Places
from rewright.report.summary import summarise
from rewright.verdict import Severity

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/rewright/rewright"
LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def to_sarif(report: Report, directory: str, finished: bool) -> dict[str, Any]:
    """The report with paths relative to `directory`; `finished`: all could be checked. Raises `Unshown`."""
    places = Places(report.texts, directory)
    found = tuple(complaints(report))
    rules = sorted({each.code for each in found})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "rewright",
                        "version": __version__,
                        "informationUri": HOME,
                        "rules": [_rule(code) for code in rules],
                    }
                },
                "columnKind": "utf16CodeUnits",
                "invocations": [{"executionSuccessful": finished and not summarise(report).faulty}],
                "results": [_result(each, rules.index(each.code), places) for each in found],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    entry = codes.lookup(code)
    if entry is None:
        return {"id": code, "shortDescription": {"text": "the verdict is not the expected one"}}
    return {
        "id": code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.title},
        "help": {"text": entry.page.strip(), "markdown": codes.page(entry)},
        "helpUri": codes.page_url(code),
    }


def _result(complaint: Complaint, rule: int, places: Places) -> dict[str, Any]:
    related = complaint.diagnostic.related if complaint.diagnostic else ()
    made: dict[str, Any] = {
        "ruleId": complaint.code,
        "ruleIndex": rule,
        "level": LEVELS[complaint.severity],
        "message": {"text": complaint.message},
        "locations": [_location(complaint.at, places) | _logical(complaint)],
        "partialFingerprints": {"rewright/v1": _fingerprint(complaint, places)},
    }
    if related:
        numbered = enumerate(related, 1)
        made["relatedLocations"] = [
            _location(note.at, places) | {"id": number, "message": {"text": note.message}} for number, note in numbered
        ]
    if complaint.result is not None and complaint.result.verdict is not None:
        made["properties"] = {"declaration": complaint.result.name, "verdict": complaint.result.verdict}
    return made


def _location(at: Located, places: Places) -> dict[str, Any]:
    """Lines and columns count from 1."""
    start, end = places.ends(at)
    region = {
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": places.uri(at.path)}, "region": region}}


def _logical(complaint: Complaint) -> dict[str, Any]:
    return {"logicalLocations": [{"name": complaint.result.name}]} if complaint.result else {}


def _fingerprint(complaint: Complaint, places: Places) -> str:
    """The same for the same complaint when lines move: made of file, declaration and code."""
    name = complaint.result.name if complaint.result else ""
    what = "" if complaint.code == UNEXPECTED else complaint.message
    parts = (places.file(complaint.at.path), name, complaint.code, what)
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
