"""The launches of one kernel that a document says, each as a declaration: those of comments first, then those of calls.

Invariant: launches that come to one declaration are one; what is left out has its reason. Must not know what
a kernel does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct, field
from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.problem import Problem
from rewright.frontends.cuda.launches.commented import Commented, commented
from rewright.frontends.cuda.launches.comments import LaunchComment
from rewright.frontends.cuda.launches.parts import LaunchParts, kernel_of, merged, unsupported
from rewright.frontends.cuda.launches.signatures import Signature
from rewright.frontends.cuda.launches.sites import LaunchSite, overflowing, parts_of_site
from rewright.frontends.cuda.launches.text import Declaration, names_in
from rewright.frontends.outlined import KnownLaunch, SkippedLaunch
from rewright.model.kernel import Fact, Kernel
from rewright.model.scalars import number
from rewright.model.simt.constants import NoValue
from rewright.verdict import Finding, InSource, Severity, has_errors
from rewright.verdict.diagnostics.names import CannotStandHere

MOST_LAUNCHES = 16
"""Launches of one kernel that are looked at; a table of instances may have hundreds."""

UNKNOWN_SIZES = "its sizes are not known"
TOO_MANY = f"more than {MOST_LAUNCHES} launches"


class DeclaredLaunches(Struct, frozen=True):
    """The launches of a kernel, those that its comments state first, and what is wrong with these.

    `budget` is the factor of the steps that they may take.
    """

    launches: tuple[KnownLaunch, ...] = ()
    left_out: tuple[SkippedLaunch, ...] = ()
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    budget: int = 1


ReadKernel = tuple[Signature, Callable[[Node], InSource]]
"""A kernel as it was read, and where the nodes of its tree stand."""

SourceTexts = tuple[str, Mapping[str, str]]
"""A source by its path, with its text and those that it includes, by path."""


def declared_launches(
    source: SourceTexts, read: ReadKernel, comment: LaunchComment | None, sites: Sequence[LaunchSite]
) -> DeclaredLaunches:
    """The launches of a kernel in a source; none, without a word, where nothing says one."""
    path, texts = source
    said = Commented() if comment is None else commented(path, read[0], comment, texts)
    called = [(site, parts) for site in sites for parts in parts_of_site(site, read[0])]
    stated = _stated(path, read, said, [parts for _, parts in called if not isinstance(parts, str)])
    if said.wrong or has_errors(stated.findings) or stated.problems:
        return DeclaredLaunches(findings=(*said.wrong, *stated.findings), problems=stated.problems)
    misfits = () if stated.launches else tuple(_misfits(read, sites))
    if misfits:
        return DeclaredLaunches(findings=misfits)
    made = _Made({each.kernel: each for each in stated.launches}, are_needed=not stated.launches)
    for site, parts in called:
        if isinstance(parts, str):
            made.leave_out(site.written, parts)
        else:
            made.add((site.written, parts.shown), _called(path, read, said, parts))
    if made.launches:
        return DeclaredLaunches(
            tuple(made.launches.values()), tuple(made.left_out), stated.findings, budget=said.budget
        )
    if comment is None:
        problems = unsupported(read[0], {}, read[1]) if any(not isinstance(parts, str) for _, parts in called) else []
        return DeclaredLaunches(left_out=tuple(made.left_out), problems=tuple(problems))
    return _without_launch(path, read, said)


class _Made(Struct):
    """The launches so far, each declaration once, and those that are left out."""

    launches: dict[Kernel, KnownLaunch]
    are_needed: bool
    left_out: list[SkippedLaunch] = field(default_factory=list)

    def add(self, call: tuple[str, str], declaration: Declaration) -> None:
        """Enters what a call comes to, which is written and shown so."""
        (written, shown), kernel = call, declaration.kernel
        if kernel is None:
            self.leave_out(written, declaration.problems[0].reason if declaration.problems else UNKNOWN_SIZES)
        elif excluded := _excluded(kernel):
            self.leave_out(written, f"it passes {excluded}, which `requires` excludes")
        elif kernel not in self.launches and len(self.launches) == MOST_LAUNCHES:
            self.leave_out(written, TOO_MANY)
        else:
            self.launches.setdefault(kernel, KnownLaunch(kernel, written, self.are_needed, shown))

    def leave_out(self, written: str, reason: str) -> None:
        """Enters why a call comes to nothing."""
        self.left_out.append(SkippedLaunch(written, reason))


def _excluded(kernel: Kernel) -> str:
    """The large constants that a call passes if a requirement does not hold for them, else nothing."""
    values = dict(kernel.passed)
    for each in kernel.requires if values else ():
        with suppress(NoValue):
            if isinstance(each, Fact) and not number(each.condition, values):
                return ", ".join(f"{name} = {value}" for name, value in kernel.passed)
    return ""


def _misfits(read: ReadKernel, sites: Iterable[LaunchSite]) -> Iterator[Finding]:
    """An error for each constant that a call passes to a parameter that cannot hold it."""
    signature, place = read
    for site in sites:
        for node, value, scalar in overflowing(site, signature):
            yield Finding(CannotStandHere(str(value), f"a value of type {scalar}"), Severity.ERROR, place(node))


def _stated(path: str, read: ReadKernel, said: Commented, known: Iterable[LaunchParts]) -> DeclaredLaunches:
    """The launches that comments state, each completed by the first call that makes it a declaration.

    What the host demands before that call it demands of its own launch.
    """
    made = [(_completed(path, read, each, known), each.launch) for each in said.launches]
    findings = dict.fromkeys(finding for declaration, _ in made for finding in declaration.findings)
    problems = dict.fromkeys(problem for declaration, _ in made for problem in declaration.problems)
    launches = {
        each.kernel: KnownLaunch(each.kernel, f"`{launch}`", is_needed=True)
        for each, launch in made
        if each.kernel is not None
    }
    return DeclaredLaunches(tuple(launches.values()), (), tuple(findings), tuple(problems))


def _completed(path: str, read: ReadKernel, stated: LaunchParts, known: Iterable[LaunchParts]) -> Declaration:
    signature, place = read
    for each in known:
        declaration = kernel_of(path, signature, merged(stated, replace(each, items=())), place)
        if declaration.kernel is not None:
            return declaration
    return kernel_of(path, signature, stated, place)


def _called(path: str, read: ReadKernel, said: Commented, parts: LaunchParts) -> Declaration:
    """What a call comes to, completed by comments: beside launches that they state, its own values come first."""
    signature, place = read
    sized = _sized(said.every, signature.flattened(parts.template)) if said.launches else said.every
    whole = merged(parts, sized) if said.launches else merged(sized, parts)
    return kernel_of(path, signature, whole, place)


def _sized(every: LaunchParts, signature: Signature) -> LaunchParts:
    """What comments say without the arrays whose size no parameter gives: it is that of the launch that they state."""
    scalars = {each.name for each in signature.parameters if not each.depth}
    arrays = {name: part for name, part in every.arrays.items() if scalars & names_in(part.text)}
    return replace(every, arrays=arrays)


def _without_launch(path: str, read: ReadKernel, said: Commented) -> DeclaredLaunches:
    """What is wrong with comments that no call completes."""
    declaration = kernel_of(path, read[0], said.every, read[1])
    return DeclaredLaunches((), (), declaration.findings, declaration.problems)
