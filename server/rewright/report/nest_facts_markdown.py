"""Facts of a loop nest in a hover: of a statement or of a loop. Must not know how they were found."""

from __future__ import annotations

from rewright.model.nest_facts import DirectDependence, IterationPicture, LoopFacts, StatementFacts
from rewright.model.nest_text import values_text
from rewright.report.quoted import quoted
from rewright.report.tables import code, table

LETTERS = str.maketrans({"#": "●", ".": "·", "X": "✗"})


def statement_markdown(facts: StatementFacts) -> str:
    """When and how often a statement is executed, on what it depends, and its iterations at small sizes."""
    count = (
        f"{code(facts.count)} times" if facts.count is not None else "a number of times for which no formula is known"
    )
    parts = [f"{code(facts.name)}: executed for {code(facts.domain)}, {count}"]
    if facts.dependences:
        rows = [_row(each) for each in facts.dependences]
        parts.append(table(("dependence", "on", "by", "distance", "carried by"), rows))
    else:
        parts.append("depends on no other operation")
    if facts.picture is not None:
        parts.append(picture(facts.picture))
    return "\n\n".join(parts)


def _row(found: DirectDependence) -> tuple[str, ...]:
    distance = f"({', '.join(found.distance)})" if found.distance else "no loop is shared"
    carrier = f"loop {code(found.carrier)}" if found.carrier is not None else "no loop"
    return found.kind, code(found.on), code(found.access), distance, carrier


def loop_markdown(facts: LoopFacts) -> str:
    """Whether the iterations of a loop may run at once, what it carries, and with which loops it can be tiled."""
    name = code(facts.iterator)
    others = [code(each) for each in facts.tileable if each != facts.iterator]
    if facts.carries:
        parts = [f"Loop {name} carries", "\n".join(f"- {quoted(each)}" for each in facts.carries)]
    else:
        parts = [f"Loop {name} carries no dependence: its iterations may run at once"]
    parts.append(
        f"It can be tiled together with {', '.join(others)}" if others else "It can be tiled with no other loop"
    )
    return "\n\n".join(parts)


def picture(found: IterationPicture) -> str:
    """The iterations as letters: rows downward, columns to the right."""
    columns = len(found.rows[0])
    numbers = [str(found.first[-1] + at) for at in range(columns)]
    labels = [str(found.first[0] + at) for at in range(len(found.rows))] if len(found.axes) == 2 else [""]
    corner = f"{found.axes[0]} \\ {found.axes[1]}" if len(found.axes) == 2 else found.axes[0]
    width, wide = max(len(corner), *map(len, labels)), max(map(len, numbers))
    lines = [" ".join([corner.rjust(width), *(each.rjust(wide) for each in numbers)])]
    for label, row in zip(labels, found.rows, strict=True):
        lines.append(" ".join([label.rjust(width), *(each.rjust(wide) for each in row.translate(LETTERS))]))
    wrong = "; `✗` is wrong" if any("X" in row for row in found.rows) else ""
    at = f"Iterations at {values_text(found.at)}" if found.at else "Iterations"
    return f"{at}{wrong}:\n```text\n" + "\n".join(lines) + "\n```"
