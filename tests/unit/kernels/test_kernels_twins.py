"""Small kernels in the manner of real code, mostly in pairs: one named `…_wrong` has a fault, one `…_right` has none.
One named `…_given` is right under the conditions that `CONDITIONS` lists.

A comment `expect RW301` on a line of a wrong kernel says that an error with this code points there, or has its other
end there. No other errors are found in it; in a right kernel there are none.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rewright.checks.kernel import answer
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Finding, InSource, Severity, Verdict
from rewright.verdict.diagnostics.kernels import WrongUnless

TWINS = {path.stem: path.read_text(encoding="utf-8") for path in (Path(__file__).parent / "twins").glob("*.cu")}
KERNEL = re.compile(r"^__global__ void(?: __launch_bounds__\(\d+\))? (\w+)\(.*?^}", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"// expect (RW\d+(?:, RW\d+)*)$", re.MULTILINE)
NAMES = [(document, found[1]) for document in sorted(TWINS) for found in KERNEL.finditer(TWINS[document])]

VERDICTS = {"wrong": Verdict.REFUTED, "unknown": Verdict.UNKNOWN, "given": Verdict.CONDITIONAL}
"""By the last word of a kernel's name; any other is to be checked."""

UNKNOWN_MARKED = (
    "taint_votenone_unknown",
    "taint_syncor_unknown",
    "taint_index_unknown",
    "taint_vote_unknown",
    "warp_agg_unknown",
    "div_data_unknown",
)
"""What goes wrong with some contents, of which nothing says that they occur."""

CONDITIONS = {
    "free_n_given": ["n % 64 == 0"],
    "free_n_mult_given": ["n % 2 == 0"],
    "mod7_given": ["n % 2 == 0"],
    "assert_given": ["forall i in 0..1: 0 <= x[i]"],
    "same_data_given": ["forall i in 0..64: 0 <= x[i] and x[i] < 900"],
    "gather_scatter_given": ["forall i in 0..64: forall j in 0..i: x[i] != x[j]"],
    "u8_oob_given": ["forall i in 0..64: x[i] < 255"],
    "hist_mod_given": ["forall i in 0..128: 0 <= x[i]"],
}


def marked(document: str, name: str) -> set[tuple[int, str]]:
    """The lines of a kernel that are marked, counted from 1, each with a code."""
    (around,) = (found for found in KERNEL.finditer(TWINS[document]) if found[1] == name)
    marks = [found for found in MARK.finditer(TWINS[document]) if around.start() <= found.start() < around.end()]
    return {(line(TWINS[document], found.start()), code) for found in marks for code in found[1].split(", ")}


def line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def answered(document: str, name: str) -> Answer:
    """The answer for a kernel of a document, whose launch a comment says."""
    sources = {"k.cu": TWINS[document]}
    (outlined,) = (each for each in outline("k.cu", sources).kernels if each.name == name)
    assert outlined.kernel is not None, (outlined.findings, outlined.problems)
    lowered = lower(outlined.kernel, sources)
    assert lowered.program is not None, [each.reason for each in lowered.problems]
    return answer(outlined.kernel, lowered.program, Budget())


def erroneous(document: str, found: Answer) -> set[tuple[int, str]]:
    """The lines that errors point at, with their codes; also those that rest on what was chosen."""
    errors = [each for each in found.findings if each.severity is Severity.ERROR or _assumed(each)]
    places = [(place, _code(each)) for each in errors for place in (each.place, *(r.place for r in each.related))]
    return {(line(TWINS[document], place.start), code) for place, code in places if isinstance(place, InSource)}


def _assumed(finding: Finding) -> bool:
    return isinstance(finding.diagnosis, WrongUnless)


def _code(finding: Finding) -> str:
    """The code of what happens."""
    return finding.diagnosis.found.code if isinstance(finding.diagnosis, WrongUnless) else finding.code


@pytest.mark.parametrize(("document", "name"), NAMES, ids=[name for _, name in NAMES])
def test_twin(document: str, name: str) -> None:
    found, marks = answered(document, name), marked(document, name)
    assert found.verdict is VERDICTS.get(name.rpartition("_")[2], Verdict.CHECKED), found.reason
    assert erroneous(document, found) == marks
    assert bool(marks) == name.endswith(("_wrong", "_given", *UNKNOWN_MARKED))
    assert [each.requires for each in found.coverage.conditions] == CONDITIONS.get(name, [])
