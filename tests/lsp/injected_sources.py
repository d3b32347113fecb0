"""A declaration for each step into which a fault is put, and others that no fault is put into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Flag, auto
from pathlib import Path

FIRST_NUMBER = 424201

RULE = """rule m{n}<T: any> {{
  axes A
  map n{n} on A
  tensor X: T[A: n{n}]
  {left} => X
  where n{n} <= {n}
}}
"""
TWICE, ONCE = "reverse(reverse(X, A), A)", "reverse(X, A)"
OWN = "kernel m{n}(y: out s32[32]) {{\n  launch block(32)\n  y[{at}] = {n} + thread.x\n}}\n"
CUDA = """// rewright: launch block(32); y{n}: out s32[32]
__global__ void m{n}(int *y{n}) {{
  y{n}[{at}] = {n} + threadIdx.x;
}}
"""


class View(Flag):
    """Where a fault is told."""

    JSON = auto()
    TEXT = auto()
    EDITOR = auto()
    NOWHERE = 0
    ALL = JSON | TEXT | EDITOR


@dataclass(frozen=True, slots=True)
class Kind:
    """What kind of declaration a step works on: its text, in which file, and its verdict."""

    file: str
    text: str
    verdict: str


PROVED = Kind("rules.rw", RULE.replace("{left}", TWICE), "proved")
REFUTED = Kind("rules.rw", RULE.replace("{left}", ONCE), "refuted")
RIGHT = Kind("own.rw", OWN.replace("{at}", "thread.x"), "checked")
SOUND = Kind("kernels.cu", CUDA.replace("{at}", "threadIdx.x"), "checked")
RACY = Kind("kernels.cu", CUDA.replace("{at}", "0"), "refuted")

UNTOUCHED = {
    "rules.rw": RULE.format(n=1, left=TWICE) + RULE.format(n=2, left=ONCE),
    "own.rw": OWN.format(n=3, at="thread.x"),
    "kernels.cu": CUDA.format(n=4, at="threadIdx.x") + CUDA.format(n=5, at="0"),
}
VERDICTS = {"m1": "proved", "m2": "refuted", "m3": "checked", "m4": "checked", "m5": "refuted"}
"""What no fault is put into, and its verdicts."""


@dataclass(frozen=True, slots=True)
class Step:
    """A function into which a fault is put, which declaration it works on then, and in which views that is told."""

    function: str
    kind: Kind
    views: View = View.ALL
    is_outside: bool = False

    @property
    def number(self) -> int:
        return FIRST_NUMBER + STEPS.index(self)

    @property
    def is_shown_by_hovers(self) -> bool:
        """Whether an editor meets the fault in what it shows of a verdict, which stays."""
        return self.function.startswith(("rewright.report.label", "rewright.report.markdown", "rewright.report.kernel"))

    @property
    def name(self) -> str:
        return f"m{self.number}"


ASKING = (
    Step("rewright.syntax.parsed:_piece", PROVED, is_outside=True),
    Step("rewright.model.check_declaration:_checked", PROVED),
    Step("rewright.checks.table:questions", PROVED),
    Step("rewright.checks.table:questions", RIGHT),
    Step("rewright.frontends.cuda.launches.commented:commented", SOUND, is_outside=True),
    Step("rewright.frontends.preprocessor.literals:number", SOUND),
    Step("rewright.checks.lowering:_asking", SOUND),
    Step("rewright.checks.table:lowered", SOUND),
    Step("rewright.rules.decide:decide", PROVED),
)
"""From the text to what is asked, and the first thing that a worker does."""

WORKING = (
    Step("rewright.checks.counterexample:counterexample", REFUTED),
    Step("rewright.replay.rule:replay", REFUTED),
    Step("rewright.rules.unneeded:unneeded", PROVED),
    Step("rewright.checks.rule:proof_coverage", PROVED),
    Step("rewright.frontends.own.lower:lower_own", RIGHT),
    Step("rewright.kernels.launches.search:search", SOUND),
    Step("rewright.replay.kernel.replayed:replay", RACY),
    Step("rewright.checks.kernel_coverage:coverage", SOUND),
    Step("rewright.checks.needless:needless", SOUND),
    Step("rewright.checks.kernel_findings:finding", RACY),
    Step("rewright.checks.kernel_findings:witness", RACY),
)
"""What else workers do, for the command line and for an editor alike."""

SHOWING = (
    Step("rewright.checks.table:restore", PROVED),
    Step("rewright.workspace.fold:_states", RIGHT),
    Step("rewright.report.codes:sentence", REFUTED),
    Step("rewright.report.codes:sentence", RACY),
    Step("rewright.report.json_view:counterexample", REFUTED, View.JSON),
    Step("rewright.report.label:wording", RIGHT, View.TEXT | View.EDITOR, is_outside=True),
    Step("rewright.report.text_view:_headline", PROVED, View.TEXT, is_outside=True),
    Step("rewright.report.text_view:_worth_a_line", RACY, View.TEXT, is_outside=True),
    Step("rewright.report.markdown:_sentences", REFUTED, View.EDITOR),
    Step("rewright.report.kernel_markdown:kernel_witness", RACY, View.EDITOR),
    Step("rewright.lsp.diagnostics:_severity", RACY, View.EDITOR),
    Step("rewright.fixes.offering:needs_fix", REFUTED, View.NOWHERE),
    Step("rewright.fixes.preconditions.rule_fixes:rule_fixes", REFUTED, View.NOWHERE),
    Step("rewright.fixes.kernels.search:kernel_fixes", RACY, View.NOWHERE),
)
"""From answers to what is shown, and what is searched for then."""

STEPS = (*ASKING, *WORKING, *SHOWING)


def steps(chosen: Sequence[Step]) -> str:
    """Steps as `injected.py` takes them."""
    return ",".join(f"{step.number}={step.function}" for step in chosen)


def given(folder: Path, chosen: Sequence[Step]) -> None:
    """Writes the files, what no fault is put into in their midst."""
    for file, untouched in UNTOUCHED.items():
        texts = [step.kind.text.format(n=step.number) for step in chosen if step.kind.file == file]
        half = len(texts) // 2
        (folder / file).write_text("".join([*texts[:half], untouched, *texts[half:]]))
