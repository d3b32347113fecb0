"""What is asked of a worker about kernels: first what one in a foreign source comes to, then whether it is right.

Plain data, cheap to load. Must not know how a source is read, nor how a kernel is checked.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from rewright.frontends.preset import NO_PRESET, Preset
from rewright.kernels.reasons import Cause, Reason
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.found_launch import FoundLaunch
from rewright.model.kernel import Kernel
from rewright.model.simt.wire import WiredProgram
from rewright.verdict import Diagnosis, Finding, InSource, Place, Severity, Site
from rewright.verdict.diagnostics.kernels import BudgetUsedUp, DependsOnFloats, HandOver, NotChecked


class FurtherLaunch(Struct, frozen=True):
    """A further launch of a kernel in a source, as it is `written` there.

    Its program is None if it is that of the first launch. A verdict can do without one that is not needed.
    """

    kernel: Kernel
    program: WiredProgram | None
    written: str
    is_needed: bool


class LaunchLeftOut(Struct, frozen=True):
    """A launch of a kernel that is not run, as it is written, and why not."""

    written: str
    reason: str


class KernelPayload(Struct, frozen=True):
    """What is asked of a kernel: all of it, and its program if it was written in a source (the body is empty then).

    `written` is how its launch stands in a source that says it, `further` are other launches that the source says.
    """

    kernel: Kernel
    program: WiredProgram | None = None
    written: str = ""
    further: tuple[FurtherLaunch, ...] = ()
    left_out: tuple[LaunchLeftOut, ...] = ()


class SourceText(Struct, frozen=True):
    """A foreign source by value, under the path by which the declaration, or another source, means it."""

    path: str
    text: str


class LoweringPayload(Struct, frozen=True):
    """What is to be lowered: a kernel whose declaration has so many `sites`, with the sources that are there.

    `sought` are the paths under which sources were looked for: with further ones to look for, nothing is lowered yet.
    None if no others will be given.
    """

    kernel: Kernel
    sites: int
    sources: tuple[SourceText, ...]
    preset: Preset = NO_PRESET
    sought: tuple[str, ...] | None = None


class OutlinePayload(Struct, frozen=True):
    """A source of kernels or loop nests that is to be looked through by itself, with the sources that it includes.

    `sought` is as for a kernel that is to be lowered.
    """

    path: str
    sources: tuple[SourceText, ...]
    preset: Preset = NO_PRESET
    sought: tuple[str, ...] | None = None


class WrittenLine(Struct, frozen=True):
    """Where the source that a text was made from says what stands at a site of it: a file as it is named, and a line.

    `path` is that under which the file was looked for and found, empty if it was not; then `start` and `end` are 0.
    """

    site: int
    file: str
    line: int
    path: str
    start: int
    end: int


class NumberedQuestion(Struct, frozen=True):
    """The question of a declaration whose sources were read, with what the numbers in it stand for.

    `names` are those of its symbols. Sites from that of the declaration's last on are places in sources: `spans` has
    three numbers for each, the path among `paths`, start and end, as text, since they are many and few are asked for.
    `lines` are those that the sources were made from. `among` are other declarations that were read with this one: the
    numbers of their places are among those of this one.
    """

    payload: str
    names: tuple[str, ...]
    paths: tuple[str, ...]
    spans: str
    lines: tuple[WrittenLine, ...] = ()
    among: tuple[str, ...] = ()

    def places(self) -> tuple[InSource, ...]:
        """The places in sources, in the order of their sites."""
        numbers = list(map(int, self.spans.split()))
        triples = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
        return tuple(InSource(self.paths[path], start, end) for path, start, end in triples)


class LoweredKernel(Struct, frozen=True):
    """What a kernel or a loop nest asks, with what is said of its text: without a question, what keeps it from that.

    `read` are the sources looked for, there or not.
    """

    asking: NumberedQuestion | None
    problems: tuple[Finding, ...]
    read: tuple[str, ...]


class SourceEntry(Struct, frozen=True):
    """A kernel of a source, or a loop nest: its name at bytes `start` to `end`, and where a comment with its launch
    would go.

    `launch` is such a comment that could stand there, `lowered` None where no launch is known, and `unlaunched` says
    then why not. `budget` is the factor of the steps that it may take, `launches` those that are asked about,
    `expected` the verdicts that the source expects, none if it does not say.
    """

    name: str
    start: int
    end: int
    insert: int
    launch: str
    lowered: LoweredKernel | None
    budget: int = 1
    unlaunched: str = ""
    launches: tuple[FoundLaunch, ...] = ()
    kind: DeclarationKind = DeclarationKind.KERNEL
    expected: tuple[str, ...] = ()


class OutlinedSource(Struct, frozen=True):
    """The kernels or loop nests of a source in order, what is wrong outside of them, and the sources looked for.

    Sources are named whether they are there or not.
    """

    kernels: tuple[SourceEntry, ...]
    problems: tuple[Finding, ...]
    read: tuple[str, ...]


def refused(reason: str, place: Place) -> Finding:
    """Why the kernel was not checked, at its place."""
    return undecided(Reason(reason, place))


def undecided(reason: Reason) -> Finding:
    """Why the kernel was not decided, at its place or at the kernel."""
    return Finding(_diagnosis(reason), Severity.WARNING, reason.place or Site(0))


def _diagnosis(reason: Reason) -> Diagnosis:
    match reason.cause:
        case Cause.CONSTRUCT | Cause.INPUTS:
            return NotChecked(reason.text)
        case Cause.STEPS | Cause.SIZE:
            return BudgetUsedUp(reason.text, can_be_raised=reason.cause is Cause.STEPS)
        case Cause.ATOMICS:
            return HandOver(reason.text)
        case Cause.FLOATS:
            return DependsOnFloats(reason.text)
        case _:
            assert_never(reason.cause)
