"""Violations as findings and witnesses: the facts that messages are made of.

The arguments of a finding: `array`, `address` (as in `3, 1`), `interval`; for each of two threads `first`, `second`
(read or write) and `first_thread`, `second_thread`; `block` and `grid` where there are several blocks, else empty.
Must not know how a message is worded.
"""

from __future__ import annotations

from math import prod
from typing import assert_never

from rewright.checks.kernel_coverage import index_within, shape_at, sizes
from rewright.kernels.search import Found
from rewright.model.kernel import Kernel
from rewright.model.violation import (
    Divergence,
    DivisionByZero,
    FailedAssertion,
    OutOfBounds,
    Race,
    Setting,
    Violation,
)
from rewright.verdict import Failure, Finding, KernelWitness, Place, Related, Severity, ThreadId

SHOWN_CELLS = 64
"""Elements of an input that a witness lists."""

Arguments = tuple[tuple[str, str], ...]


def refused(reason: str, place: Place) -> Finding:
    """RW310: why the kernel was not checked, at its place."""
    return Finding("RW310", Severity.WARNING, place, (("reason", reason),))


def finding(kernel: Kernel, found: Found) -> Finding:
    """The finding of a violation: the access, barrier or operation that ran first, and the other one."""
    violation = found.violation
    block = _block(found.setting)
    facts = (
        *_facts(violation, found.setting),
        *(("first_block", block), ("second_block", block), ("first_passes", ""), ("second_passes", "")),
        ("kernel", str(kernel.name)),
    )
    match violation:
        case Race():
            return Finding(
                "RW301", Severity.ERROR, violation.first.place, facts, _second(violation.second.place, facts)
            )
        case Divergence():
            place = violation.first.place
            assert place is not None
            return Finding("RW303", Severity.ERROR, place, facts, _second(violation.second.place, facts))
        case OutOfBounds():
            return Finding("RW304", Severity.ERROR, violation.access.place, facts)
        case DivisionByZero():
            return Finding("RW307", Severity.ERROR, violation.place, facts)
        case FailedAssertion():
            return Finding("RW308", Severity.ERROR, violation.place, facts)
        case _:
            assert_never(violation)


def witness(found: Found) -> KernelWitness:
    """The witness of a violation that was replayed."""
    setting, violation = found.setting, found.violation
    element = violation if isinstance(violation, Race | OutOfBounds) else None
    return KernelWitness(
        fails=_failure(violation),
        grid=sizes(setting.grid),
        block=sizes(setting.block),
        values=(*((str(name), str(value)) for name, value in setting.values), *_contents(found)),
        threads=tuple(ThreadId(index_within(setting.at, setting.grid), thread) for thread in _threads(found)),
        array=str(element.array) if element else None,
        address=element.address if element else (),
        interval=violation.interval,
        replayed=True,
    )


def _second(place: Place | None, facts: Arguments) -> tuple[Related, ...]:
    return () if place is None else (Related("second", place, facts),)


def _facts(violation: Violation, setting: Setting) -> Arguments:
    interval = ("interval", str(violation.interval))
    match violation:
        case Race():
            return (
                ("array", str(violation.array)),
                ("address", ", ".join(map(str, violation.address))),
                interval,
                ("first", violation.first.kind.value),
                ("second", violation.second.kind.value),
                ("first_thread", shape_at(violation.first.thread, setting.block)),
                ("second_thread", shape_at(violation.second.thread, setting.block)),
            )
        case Divergence():
            return (
                interval,
                ("first_thread", shape_at(violation.first.thread, setting.block)),
                ("second_thread", shape_at(violation.second.thread, setting.block)),
                ("second", "left" if violation.second.place is None else "waits elsewhere"),
            )
        case OutOfBounds():
            return (
                ("array", str(violation.array)),
                ("address", ", ".join(map(str, violation.address))),
                ("extents", ", ".join(map(str, violation.extents))),
                interval,
                ("first", violation.access.kind.value),
                ("first_thread", shape_at(violation.access.thread, setting.block)),
            )
        case DivisionByZero() | FailedAssertion():
            return interval, ("first_thread", shape_at(violation.thread, setting.block))
        case _:
            assert_never(violation)


def _failure(violation: Violation) -> Failure:
    match violation:
        case Race():
            return Failure.RACE
        case Divergence():
            return Failure.DIVERGENCE
        case OutOfBounds():
            return Failure.BOUNDS
        case DivisionByZero():
            return Failure.DIVISION
        case FailedAssertion():
            return Failure.ASSERTION
        case _:
            assert_never(violation)


def _threads(found: Found) -> tuple[tuple[int, ...], ...]:
    block = found.setting.block
    match found.violation:
        case Race() | Divergence() as violation:
            return tuple(index_within(each.thread, block) for each in (violation.first, violation.second))
        case OutOfBounds() as violation:
            return (index_within(violation.access.thread, block),)
        case DivisionByZero() | FailedAssertion() as violation:
            return (index_within(violation.thread, block),)
        case _:
            assert_never(found.violation)


def _contents(found: Found) -> tuple[tuple[str, str], ...]:
    """The inputs that control or addresses depend on."""
    listed = []
    for name, cells in found.setting.contents:
        if name in found.depends:
            more = ", …" if len(cells) > SHOWN_CELLS else ""
            listed.append((str(name), f"[{', '.join(map(str, cells[:SHOWN_CELLS]))}{more}]"))
    return tuple(listed)


def _block(setting: Setting) -> str:
    return "" if prod(setting.grid) == 1 else shape_at(setting.at, setting.grid)
