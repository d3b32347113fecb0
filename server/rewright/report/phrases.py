"""Parts of a sentence that several codes share. Must not know which codes."""

from __future__ import annotations

from collections.abc import Sequence

from rewright.verdict import AccessKind
from rewright.verdict.diagnostics.kernels import Act, ArrayElement, Collision, Who
from rewright.verdict.diagnostics.rules import GivenInput


def groups(names: Sequence[str]) -> str:
    """Axis groups as they are written in a list: `[A, B]`."""
    return f"`[{', '.join(names)}]`" if names else "no axis groups"


def nearest(name: str | None) -> str:
    """`, did you mean `start`?`; nothing where no name is spelled alike."""
    return "" if name is None else f", did you mean `{name}`?"


def instance(given: GivenInput) -> str:
    """` (ranks A = 1, n = 2)`: the ranks and values of a rule's counterexample, nothing where it has none."""
    ranks = ", ".join(f"{group} = {rank}" for group, rank in given.ranks)
    values = [f"ranks {ranks}"] if ranks else []
    values += [f"{name} = {value}" for name, value in given.values]
    return f" ({', '.join(values)})" if values else ""


def of_block(who: Who) -> str:
    """` of block 2`, nothing where the launch has one block."""
    return "" if who.block is None else f" of block {_index(who.block)}"


def thread(who: Who) -> str:
    """`thread 3`, and where it stands in loops: `thread 3 (pass 2 of its loop)`."""
    if not who.passes:
        return f"thread {_index(who.thread)}"
    passes = ", ".join(map(str, who.passes))
    place = f"passes {passes} of its loops" if len(who.passes) > 1 else f"pass {passes} of its loop"
    return f"thread {_index(who.thread)} ({place})"


def whole(who: Who) -> str:
    """`thread 3 of block 2`."""
    return f"{thread(who)}{of_block(who)}"


def _index(index: tuple[int, ...]) -> str:
    """`3` or `(3, 1)`."""
    return str(index[0]) if len(index) == 1 else f"({', '.join(map(str, index))})"


def element(of: ArrayElement) -> str:
    """`buf[3, 1]`, the name alone where there is no index."""
    return f"`{of.array}[{', '.join(map(str, of.address))}]`" if of.address else f"`{of.array}`"


_DONE = {
    AccessKind.READ: "read",
    AccessKind.WRITE: "written",
    AccessKind.ATOMIC: "changed atomically",
    AccessKind.BLOCK_ATOMIC: "changed by an atomic of block scope",
}
_DOES = {
    AccessKind.READ: "reads",
    AccessKind.WRITE: "writes",
    AccessKind.ATOMIC: "atomically changes",
    AccessKind.BLOCK_ATOMIC: "changes, by an atomic of block scope,",
}


def acts(act: Act) -> str:
    """`thread 3 of block 2 reads`."""
    return f"{whole(act.who)} {_DOES[act.does]}"


def collision(found: Collision, between: str = "") -> str:
    """Who does what with an element: `buf[3]` is written by thread 3 and read by thread 4 with no barrier `between`."""
    first, second = found.first, found.second
    one = thread(first.who) if first.who.block == second.who.block else whole(first.who)
    again = "" if first.does is second.does else f"{_DONE[second.does]} "
    end = between and f" {between}"
    return f"{element(found.element)} is {_DONE[first.does]} by {one} and {again}by {whole(second.who)}{end}"


def access(act: Act, of: ArrayElement) -> str:
    """The sentence at one access of a collision."""
    return f"{acts(act)} {element(of)} here"


def interval(number: int) -> str:
    """`(barrier interval 2)`: how many barriers of the whole block come before."""
    return f"(barrier interval {number})"


def unstated(values: Sequence[tuple[str, str]]) -> str:
    """`, with `mode` = 1, which is not stated`; nothing where a finding needs no such value."""
    if not values:
        return ""
    return f", with {listed(values)}, which is not stated"


def listed(values: Sequence[tuple[str, str]]) -> str:
    """`` `m` = 1 and `n` = 7``."""
    each = [f"`{name}` = {value}" for name, value in values]
    return each[0] if len(each) == 1 else f"{', '.join(each[:-1])} and {each[-1]}"
