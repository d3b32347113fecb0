"""The report as JUnit's XML, which CI systems count and list: a suite for each file, a case for each declaration.

A case fails whose verdict is not the expected one; it is an error if the declaration could not be checked. Errors
outside of all declarations are a case of their own. Characters that XML 1.0 cannot hold are spelled out.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rewright.report.complaints import of_file, of_result
from rewright.report.document import FileReport, Report, Result
from rewright.report.faults import showing
from rewright.report.places import Places
from rewright.report.summary import counted
from rewright.report.text_view import declaration
from rewright.verdict import Severity, Verdict

WHOLE_FILE = "the file"
"""The name of the case that stands for what is outside of all declarations."""

ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Report, milliseconds: float, directory: str) -> str:
    """The report of a run that took so many milliseconds, with paths relative to `directory`. Raises `Unshown`."""
    places = Places(report.texts, directory)
    root = Element("testsuites", name="rewright")
    for file in report.files:
        _suite(root, report, file, places)
    _count(root, milliseconds)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode")


def _suite(root: Element, report: Report, file: FileReport, places: Places) -> None:
    results = [result for result in file.results if counted(result)]
    wrong = [each for each in of_file(file) if each.severity is Severity.ERROR]
    if not results and not wrong:
        return
    name = _legal(places.file(file.path))
    suite = SubElement(root, "testsuite", name=name)
    if wrong:
        case = SubElement(suite, "testcase", name=WHOLE_FILE, classname=name, time="0")
        said = [f"{each.code} line {places.ends(each.at)[0].line + 1}: {each.message}" for each in wrong]
        SubElement(case, "error", type=wrong[0].code, message=_legal(wrong[0].message)).text = _legal("\n".join(said))
    for result in results:
        with showing(result):
            _case(suite, report, (file, result), places)
    _count(suite, sum(question.milliseconds for result in results for question in result.questions))


def _case(suite: Element, report: Report, shown: tuple[FileReport, Result], places: Places) -> None:
    file, result = shown
    seconds = sum(question.milliseconds for question in result.questions) / 1000
    attributes = {"name": _legal(result.name), "classname": suite.get("name", ""), "time": f"{seconds:.3f}"}
    case = SubElement(suite, "testcase", attributes)
    if result.as_expected:
        return
    first = next(each for each in of_result(result) if each.severity is Severity.ERROR)
    kind = "error" if result.verdict in {None, Verdict.INVALID, Verdict.ERROR} else "failure"
    said = SubElement(case, kind, type=first.code, message=_legal(first.message))
    lines = declaration(report, (file, result), places.directory)
    said.text = _legal("\n".join("".join(text for text, _ in line).rstrip() for line in lines))


def _count(element: Element, milliseconds: float) -> None:
    tests, failures, errors = (len(list(element.iter(tag))) for tag in ("testcase", "failure", "error"))
    element.attrib |= {"tests": str(tests), "failures": str(failures), "errors": str(errors)}
    element.set("time", f"{milliseconds / 1000:.3f}")


def _legal(text: str) -> str:
    return ILLEGAL.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)
