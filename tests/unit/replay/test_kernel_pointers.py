"""The replay reads pointers and instructions by code of its own, and as the SIMT form defines them."""

from __future__ import annotations

import pytest

from rewright.model.simt import addresses, instructions
from rewright.replay.kernel.pointers import pointer_to, position

OFFSETS = (0, 1, 15, -1, -(1 << 39), (1 << 39) - 1)


@pytest.mark.parametrize("number", [0, 1, 7, 1000])
def test_a_pointer_lies_where_the_form_says(number: int) -> None:
    assert pointer_to(number) == addresses.pointer(number)
    assert [position(pointer_to(number) + offset) for offset in OFFSETS] == [(number + 1, each) for each in OFFSETS]
    assert [addresses.decoded(pointer_to(number) + offset) for offset in OFFSETS] == [
        (number, each) for each in OFFSETS
    ]


def test_the_null_pointer_lies_in_no_object() -> None:
    assert position(0)[0] == 0


def test_what_instructions_write_is_called_their_result() -> None:
    """`replay.kernel.unset` goes by these names; a register of another name would count as read."""
    made = [
        kind for kind in instructions.Instruction.__args__ if any("result" in each for each in kind.__struct_fields__)
    ]
    others = set(instructions.Instruction.__args__) - set(made)
    assert {each for kind in made for each in kind.__struct_fields__ if "result" in each} == {"result", "results"}
    assert {kind.__name__ for kind in others} == {
        *("Forget", "Store", "Branch", "Jump", "Exit", "Assert", "Assume", "WarpBarrier", "Fence"),
    }
