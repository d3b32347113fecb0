"""The census of XLA's simplifier as a table, and the page that shows it: Markdown.

Must not know where the page is kept.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill

RULES = Path(__file__).parents[3] / "rules"

REASONS = {
    "no rule yet": "The language has what the row needs, and nobody has written the rule.",
    "machine integers": "Shifts, bits of integers, unsigned comparisons: integers here are those of ℤ.",
    "conversions": "`convert` of numbers and `bitcast_convert`: only truth values are converted.",
    "complex numbers": "There are none in the language.",
    "several operands": "A reducer that looks at several operands at once, as for arg-max.",
    "gather and scatter": "Both are known by name and not decided.",
    "sort": "`sort` is known by name and not decided.",
    "random numbers": "Operators that draw them: two calls return different numbers.",
    "layouts": "`copy`, a `bitcast` between layouts, constraints on them: they are no part of a tensor's value.",
    "tuples and calls": "Tuples, barriers and custom calls: the language has expressions only.",
}
"""Why a row may not be stated, in the order of the page."""

INTRODUCTION = """# Coverage of XLA's simplifier

A census of XLA's algebraic simplifier (`algebraic_simplifier.cc` of openxla/xla, September 2026) has {rows} rewrites. A
rewrite and its mirror image count as two. {stated} of them are stated as rules of `rules/xla` and decided; {same} of
these are the same expression on both sides once axes and functions have names, so that their proof says little.
{wrong} are wrong as the pass does or did them, at least for some inputs: a rule of `rules/known-wrong` is refuted with
a counterexample, and the rule named here is a form that is right.

A verdict holds over the types that it names: `any` is every type, `int` is ℤ and `real` is ℝ. Nothing is said about
machine integers and floats.

Rewrites are written as in the census: `red(f, x, D; z)` reduces x over the axes D from z, `sum` is `red` with + and 0,
`rw` is `red` in windows, `x[s : e : p]` slices, `bc(x, D)` spreads along D, `ds` and `dus` are a dynamic slice and
update, and `tr`, `rev`, `concat`, `pad`, `dot`, `conv` are what they are called. Rows that begin with G generalise
others, and are not counted.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One table of the manifest."""

    handler: str
    says: str
    rule: str | None = None
    file: str | None = None
    also: list[str] = field(default_factory=list)
    verdicts: dict[str, str] = field(default_factory=dict)
    same: bool = False
    not_yet: str | None = None
    wrong: str | None = None
    because: dict[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that state the row, none if it is not stated."""
        return () if self.rule is None else (self.rule, *self.also)


def read_census() -> dict[str, Row]:
    """The rows by their ids, in the order of the manifest."""
    tables = tomllib.loads((RULES / "xla" / "census.toml").read_text(encoding="utf-8"))
    return {key: Row(**table) for key, table in tables.items()}


def of_the_pass(census: dict[str, Row]) -> dict[str, Row]:
    """The rows without those that generalise others."""
    return {key: row for key, row in census.items() if not key.startswith("G") or row.handler.startswith("Handle")}


def coverage_page(census: dict[str, Row]) -> str:
    """The page of coverage: the counts, what is not stated and why, a table for each handler."""
    rows = of_the_pass(census)
    stated = [row for row in rows.values() if row.rules]
    counts = {
        "rows": len(rows),
        "stated": len(stated),
        "same": sum(row.same for row in stated),
        "wrong": sum(row.wrong is not None for row in stated),
    }
    introduction, *paragraphs = INTRODUCTION.format(**counts).split("\n\n")
    parts = [introduction, *(fill(" ".join(each.split()), 120) for each in paragraphs)]
    return "\n\n".join((*parts, *_not_stated(rows), *_handlers(census))) + "\n"


def _not_stated(rows: dict[str, Row]) -> Iterator[str]:
    found = Counter(row.not_yet for row in rows.values() if row.not_yet)
    yield "## What is not stated yet"
    yield "\n".join(
        (
            "| why | rows | what is missing |",
            "|---|---|---|",
            *(f"| {why} | {found[why]} | {REASONS[why]} |" for why in REASONS if found[why]),
        )
    )


def _handlers(census: dict[str, Row]) -> Iterator[str]:
    """A heading and a table for each handler; what generalises rows stands with the rows before it."""
    tables: dict[str, list[str]] = {}
    handler = ""
    for key, row in census.items():
        handler = row.handler if row.handler.startswith("Handle") else handler
        tables.setdefault(handler, []).append(_line(key, row))
    for handler, lines in tables.items():
        yield f"## {handler}"
        yield "\n".join(("| row | rewrite | rule | verdict | notes |", "|---|---|---|---|---|", *lines))


def _line(key: str, row: Row) -> str:
    rules = ", ".join(f"`{name}`" for name in row.rules)
    cells = (key, f"`{row.says}`", rules, _verdict(row), "; ".join(_notes(row)))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _verdict(row: Row) -> str:
    if row.not_yet is not None:
        return f"not yet: {row.not_yet}"
    domains: dict[str, list[str]] = {}
    for domain, verdict in row.verdicts.items():
        domains.setdefault(verdict, []).append(domain)
    return "; ".join(f"{verdict}: {', '.join(names)}" for verdict, names in domains.items())


def _notes(row: Row) -> Iterator[str]:
    if row.same:
        yield "the same expression on both sides"
    if not row.handler.startswith("Handle"):
        yield row.handler
    if row.wrong is not None:
        yield f"as XLA does it refuted: `{row.wrong.split('/')[1]}`"
    yield from (f"{what}: {why}" for what, why in row.because.items())
