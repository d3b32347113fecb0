"""Kernels from text for tests: checked, asked, and their findings with the text that they point at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from rewright.checks.kernel import answer
from rewright.checks.kernel_question import refused
from rewright.frontends.programs import lower
from rewright.model.check_declaration import check_declaration
from rewright.model.declared import Declared
from rewright.model.kernel import Kernel
from rewright.model.surroundings import Surroundings
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import NOTHING, Answer, Diagnosis, Finding, InDeclaration, InSource, Place, Site, Verdict

D = TypeVar("D", bound=Diagnosis)


class Reported(NamedTuple):
    """A finding: its code, the text it points at, the texts of its related places, what it says."""

    code: str
    at: str
    related: tuple[str, ...]
    diagnosis: Diagnosis

    def says(self, kind: type[D]) -> D:
        """What it says, which is of this kind."""
        assert isinstance(self.diagnosis, kind)
        return self.diagnosis


@dataclass(frozen=True)
class Asked:
    """A kernel that was asked about, with the texts it is made of."""

    text: str
    declared: Declared
    sources: dict[str, str]
    answer: Answer

    @property
    def verdict(self) -> Verdict:
        return self.answer.verdict

    @property
    def reported(self) -> list[Reported]:
        return [self.of(finding) for finding in self.answer.findings]

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.answer.findings]

    def of(self, finding: Finding) -> Reported:
        related = tuple(self.at(each.place) for each in finding.related)
        return Reported(finding.code, self.at(finding.place), related, finding.diagnosis)

    def at(self, place: Place) -> str:
        match place:
            case Site(number):
                span = self.declared.sites[number]
                return self.text.encode()[span.start : span.end].decode()
            case InSource(path, start, end):
                return self.sources[path].encode()[start:end].decode()
            case InDeclaration():
                raise AssertionError("a kernel asks of no other declaration")


def declared(text: str) -> Declared:
    """What the model says of the one declaration in a text."""
    (placed,) = parse(Text.of("kernel.rw", text)).file.declarations
    assert placed.start == 0
    return check_declaration(placed.node, placed.problems, Surroundings())


def ask(text: str, budget: Budget | None = None, **sources: str) -> Asked:
    """The answer for the kernel declared in a text; a source `a_cu` stands for the path `a.cu`."""
    model = declared(text)
    assert not model.findings, model.findings
    assert not model.unsupported, model.unsupported
    assert isinstance(model.value, Kernel)
    named = {".".join(name.rsplit("_", 1)): source for name, source in sources.items()}
    return Asked(text, model, named, _answer(model.value, named, budget or Budget()))


def _answer(kernel: Kernel, sources: dict[str, str], budget: Budget) -> Answer:
    """Both questions of a kernel, one after the other."""
    lowered = lower(kernel, sources)
    if lowered.program is None:
        findings = tuple(refused(each.reason, each.place) for each in lowered.problems)
        return Answer(Verdict.UNKNOWN, NOTHING, reason=lowered.problems[0].reason, findings=findings)
    return answer(kernel, lowered.program, budget)


def body(statements: str, launch: str = "block(4)", budget: Budget | None = None) -> Asked:
    """The answer for statements in our own syntax, over inputs x (floats) and k (integers) and outputs y and m."""
    header = "kernel tested<N = 8>(x: in f32[N], k: in s32[N], y: out f32[N], m: out s32[N], n: s32 = 5) {\n"
    return ask(f"{header}  launch {launch}\n  shared s: f32[N]\n  shared c: s32[N]\n  {statements}\n}}\n", budget)


def cuda(statements: str, launch: str = "block(4)", before: str = "", budget: Budget | None = None) -> Asked:
    """The same for the statements of a CUDA kernel."""
    text = (
        'kernel tested<N = 8>(x: in f32[N], k: in s32[N], y: out f32[N], m: out s32[N], n: s32 = 5) from "a.cu"::entry '
        f"{{ launch {launch} }}\n"
    )
    source = (
        f"{before}__global__ void entry(const float *x, const int *k, float *y, int *m, int n) {{\n"
        f"  __shared__ float s[8];\n  __shared__ int c[8];\n  {statements}\n}}\n"
    )
    return ask(text, budget, a_cu=source)
