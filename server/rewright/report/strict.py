"""The report where everything that is assumed has to be stated: a conditional verdict is expected only by `@expect`.

Must not know who asks for it.
"""

from __future__ import annotations

from msgspec.structs import replace

from rewright.model.declared import STRICT, USUAL
from rewright.report.document import Report, Result
from rewright.verdict import Verdict

_BEFORE, _AFTER = (tuple(map(Verdict, words)) for words in (USUAL, STRICT))


def strictly(report: Report) -> Report:
    """The report in which a result that nothing else is said of is not as expected if it is conditional.

    Who writes `@expect(conditional)` has looked at it.
    """
    files = tuple(replace(file, results=tuple(map(_strictly, file.results))) for file in report.files)
    return replace(report, files=files)


def _strictly(result: Result) -> Result:
    if result.expected != _BEFORE:
        return result
    as_expected = result.as_expected and result.verdict is not Verdict.CONDITIONAL
    questions = tuple(replace(each, expected=_AFTER) for each in result.questions)
    return replace(result, expected=_AFTER, as_expected=as_expected, questions=questions)
