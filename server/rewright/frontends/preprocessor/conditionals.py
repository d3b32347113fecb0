"""Which text is live: the `#if`s that are open, and whether one of their branches was taken yet.

Must not know what a condition says.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct, field


class State(Enum):
    """Of one `#if`: its present branch is live; a later one may be; none will be any more."""

    LIVE = auto()
    WAITING = auto()
    DONE = auto()


class Open(Struct):
    """An `#if` that is not closed: the byte at which it stands, and whether its `#else` was seen."""

    state: State
    start: int
    end: int
    closed_by_else: bool = False


class Conditionals(Struct):
    """The open `#if`s of one source, outermost first."""

    opened: list[Open] = field(default_factory=list)

    @property
    def live(self) -> bool:
        """Whether the text here is compiled."""
        return not self.opened or self.opened[-1].state is State.LIVE

    def begin(self, holds: bool, start: int, end: int) -> None:
        """An `#if`; in dead text no branch of it is ever live."""
        state = State.DONE if not self.live else State.LIVE if holds else State.WAITING
        self.opened.append(Open(state, start, end))

    @property
    def asks(self) -> bool:
        """Whether the condition of an `#elif` matters here."""
        return bool(self.opened) and self.opened[-1].state is State.WAITING

    def another(self, holds: bool) -> str | None:
        """An `#elif`; what is wrong with it, if anything."""
        return self._branch("#elif", holds)

    def last(self) -> str | None:
        """An `#else`; what is wrong with it, if anything."""
        wrong = self._branch("#else", holds=True)
        if self.opened:
            self.opened[-1].closed_by_else = True
        return wrong

    def _branch(self, word: str, holds: bool) -> str | None:
        if not self.opened:
            return f"`{word}` without `#if`"
        innermost = self.opened[-1]
        if innermost.closed_by_else:
            return f"`{word}` after `#else`"
        if innermost.state is State.WAITING and holds:
            innermost.state = State.LIVE
        elif innermost.state is State.LIVE:
            innermost.state = State.DONE
        return None

    def end(self) -> str | None:
        """An `#endif`; what is wrong with it, if anything."""
        if not self.opened:
            return "`#endif` without `#if`"
        self.opened.pop()
        return None
