"""Parts of a sentence that several codes share, made of a finding's arguments. Must not know which codes."""

from __future__ import annotations

from collections.abc import Mapping


def instance(facts: Mapping[str, str]) -> str:
    """` (ranks A = 1, n = 2)`: the ranks and values of a rule's counterexample, nothing where it has none."""
    ranks = f"ranks {facts['ranks']}" if facts["ranks"] else ""
    given = ", ".join(filter(None, [ranks, facts["values"]]))
    return f" ({given})" if given else ""


def of_block(facts: Mapping[str, str]) -> str:
    """` of block 2`, nothing where the launch has one block."""
    return f" of block {facts['block']}" if facts["block"] else ""
