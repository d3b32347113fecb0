"""What the runs of a program cover: at which sizes, and what never ran."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from rewright.model.nest_program import (
    DataOperation,
    EitherBranch,
    NestProgram,
    ProgramStatement,
    Repetition,
    first_site,
)
from rewright.model.nest_text import values_text
from rewright.replay.loops.sizes import Sizes
from rewright.verdict import Coverage, Finding, Severity, Site
from rewright.verdict.diagnostics.loops import NeverRan

ASSUMED = ("arrays do not overlap", "integers do not overflow between assignments")

SHOWN = 8
"""Sizes that are listed one by one."""


class SizesToRun(Struct, frozen=True):
    """Sizes at which a program is to be run: all small ones, the smallest first, and some larger ones."""

    small: tuple[Sizes, ...]
    larger: tuple[Sizes, ...]


def covered(sizes: SizesToRun, count: int, missed: int) -> Coverage:
    """That a program was run at the first `count` of its sizes, and how much of it never ran."""
    never = f"; {missed} {'statement' if missed == 1 else 'statements'} never ran" if missed else ""
    return Coverage(_sizes_text(sizes, count) + never, bounded=True, assumptions=ASSUMED)


def _sizes_text(sizes: SizesToRun, count: int) -> str:
    """`T, N up to 8; T = 11, N = 12`: all small sizes together, larger ones by themselves."""
    run = (*sizes.small, *sizes.larger)[:count]
    if count <= SHOWN and not sizes.larger:
        return "; ".join(map(values_text, run))
    if count < len(sizes.small):
        return f"the {count} smallest sizes, up to {values_text(run[-1])}"
    greatest = max(value for each in sizes.small for _, value in each)
    names = ", ".join(name for name, _ in run[0])
    return "; ".join((f"{names} up to {greatest}", *map(values_text, run[len(sizes.small) :])))


def left_out(program: NestProgram, ran: set[int]) -> tuple[Finding, ...]:
    """The operations and branches that never ran, each where it stands."""
    bodies = (program.body, *(each.body for each in program.functions))
    sites = dict.fromkeys(site for body in bodies for site in _sites(body))
    return tuple(Finding(NeverRan(), Severity.INFORMATION, Site(each)) for each in sites if each not in ran)


def _sites(body: tuple[ProgramStatement, ...]) -> Iterator[int]:
    for statement in body:
        match statement:
            case DataOperation(site=site):
                yield site
            case EitherBranch(then=then, otherwise=otherwise):
                for branch in (then, otherwise):
                    at = first_site(branch)
                    if at is not None:
                        yield at
                    yield from _sites(branch)
            case Repetition(body=inner, update=update):
                yield from _sites(inner)
                yield from _sites(update)
            case _:
                pass
