"""The parts that a panel is made of. Each is said in words as well, for who does not see the picture."""

from __future__ import annotations

from msgspec import Struct

from rewright.report.document import Located


class PanelCell(Struct, frozen=True):
    """An element: its number in row-major order, whether the differing one came through it, and whether it is that."""

    number: int
    text: str
    passed: bool
    differs: bool


class PanelGrid(Struct, frozen=True):
    """A matrix of a tensor; `leading` is the index of its leading axes, as in `[1, ·, ·]`, empty up to rank 2."""

    leading: str
    rows: tuple[tuple[PanelCell, ...], ...]


class PanelValue(Struct, frozen=True):
    """A tensor: its shape, its grids, and all of it in one line. One that is empty or too large has no grids."""

    shape: str
    grids: tuple[PanelGrid, ...]
    text: str


class PanelSide(Struct, frozen=True):
    """One side of a rule: its text and its value, or why it has none."""

    name: str
    expression: str
    value: PanelValue | None
    trouble: str


class PanelInput(Struct, frozen=True):
    """An input by its name; `value` is None for what is said in a text."""

    name: str
    text: str
    value: PanelValue | None


class PanelStep(Struct, frozen=True):
    """An intermediate value: its id among all steps, what it is the value of, and where that stands.

    `parent` is the id of the step that it is an operand of, empty if of none, as a result or what a name stands for.
    `role` is "input", "step" or "result"; `passes` says which of its elements the differing one came through.
    """

    id: str
    parent: str
    side: str
    role: str
    expression: str
    at: Located
    value: PanelValue
    passes: str


class PanelEdge(Struct, frozen=True):
    """The element with a number in one step becomes, or is part of, the one with a number in another step."""

    source: str
    element: int
    target: str
    into: int


class PanelTerm(Struct, frozen=True):
    """A term of a reduction, where it stands, and whether the other side has one that is equal."""

    index: str
    text: str
    alone: bool


class PanelTerms(Struct, frozen=True):
    """What a side's element is combined of; `more` are left out."""

    heading: str
    terms: tuple[PanelTerm, ...]
    more: int


class PanelEvent(Struct, frozen=True):
    """What a thread does at one turn; the threads are numbered from 0."""

    thread: int
    text: str
    collides: bool


class PanelTurn(Struct, frozen=True):
    """What happens together: the line, where it is, and the events."""

    line: str
    source: str
    at: Located
    events: tuple[PanelEvent, ...]


class Timeline(Struct, frozen=True):
    """What some threads do between two barriers, earlier turns first. `opened` says what began the interval."""

    threads: tuple[str, ...]
    opened: str
    opened_at: Located | None
    turns: tuple[PanelTurn, ...]
    left_out: int
    ending: str


class PanelScript(Struct, frozen=True):
    """A text to copy, and what it is called."""

    name: str
    text: str


class PanelWeaker(Struct, frozen=True):
    """A weaker precondition, and an input that it allows and on which the rule fails."""

    precondition: str
    fails: str


class PanelPrecondition(Struct, frozen=True):
    """A precondition with which the rule is proved, as its fix is called, and weaker ones that do not do."""

    title: str
    weaker: tuple[PanelWeaker, ...]


class PanelPage(Struct, frozen=True):
    """A panel. `trouble` says why there is no counterexample, and is empty if there is one."""

    title: str
    kind: str
    verdict: str
    sentence: str
    confirmed: str
    at: Located | None
    trouble: str = ""
    sides: tuple[PanelSide, ...] = ()
    inputs: tuple[PanelInput, ...] = ()
    steps: tuple[PanelStep, ...] = ()
    edges: tuple[PanelEdge, ...] = ()
    terms: tuple[PanelTerms, ...] = ()
    timeline: Timeline | None = None
    preconditions: tuple[PanelPrecondition, ...] = ()
    scripts: tuple[PanelScript, ...] = ()
    pins: bool = False
