"""Parts of a sentence that several codes share, made of a finding's arguments. Must not know which codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def instance(facts: Mapping[str, str]) -> str:
    """` (ranks A = 1, n = 2)`: the ranks and values of a rule's counterexample, nothing where it has none."""
    ranks = f"ranks {facts['ranks']}" if facts["ranks"] else ""
    given = ", ".join(filter(None, [ranks, facts["values"]]))
    return f" ({given})" if given else ""


def of_block(facts: Mapping[str, str], role: str = "first") -> str:
    """` of block 2`, nothing where the launch has one block."""
    return f" of block {facts[f'{role}_block']}" if facts[f"{role}_block"] else ""


def thread(facts: Mapping[str, str], role: str = "first") -> str:
    """`thread 3`, and where it stands in loops: `thread 3 (pass 2 of its loop)`."""
    passes = facts[f"{role}_passes"]
    if not passes:
        return f"thread {facts[f'{role}_thread']}"
    told = f"passes {passes} of its loops" if "," in passes else f"pass {passes} of its loop"
    return f"thread {facts[f'{role}_thread']} ({told})"


def element(facts: Mapping[str, str]) -> str:
    """`buf[3, 1]`, the name alone where there is no index."""
    return f"`{facts['array']}[{facts['address']}]`" if facts["address"] else f"`{facts['array']}`"


_DONE = {
    "read": "read",
    "write": "written",
    "atomic": "changed atomically",
    "atomic in the block": "changed by an atomic of block scope",
}
_DOES = {
    "read": "reads",
    "write": "writes",
    "atomic": "atomically changes",
    "atomic in the block": "changes, by an atomic of block scope,",
}


def does(facts: Mapping[str, str], role: str = "first") -> str:
    """What a thread does at an access: `reads`, `writes`."""
    return _DOES[facts[role]]


def collision(facts: Mapping[str, str], between: str = "") -> str:
    """Who does what with an element: `buf[3]` is written by thread 3 and read by thread 4 with no barrier `between`."""
    same_block = facts["first_block"] == facts["second_block"]
    first = thread(facts) + ("" if same_block else of_block(facts))
    second = thread(facts, "second") + of_block(facts, "second")
    again = "" if facts["first"] == facts["second"] else f"{_DONE[facts['second']]} "
    return f"{element(facts)} is {_DONE[facts['first']]} by {first} and {again}by {second}{between and f' {between}'}"


def one_access(facts: Mapping[str, str]) -> str:
    """The sentence at the first access of a collision."""
    return f"{thread(facts)}{of_block(facts)} {does(facts)} {element(facts)} here"


def other_access(facts: Mapping[str, str]) -> str:
    """The sentence at the second access of a collision."""
    return f"{thread(facts, 'second')}{of_block(facts, 'second')} {does(facts, 'second')} {element(facts)} here"


def interval(facts: Mapping[str, str]) -> str:
    """`(barrier interval 2)`: how many barriers of the whole block come before."""
    return f"(barrier interval {facts['interval']})"


def unstated(values: Sequence[tuple[str, str]]) -> str:
    """`, with `mode` = 1, which nobody stated`; nothing where a finding needs no such value."""
    if not values:
        return ""
    told = [f"`{name}` = {value}" for name, value in values]
    listed = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
    return f", with {listed}, which nobody stated"
