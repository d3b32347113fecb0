"""Memory of the replay: arrays without a size are held where they are touched."""

from __future__ import annotations

import pytest

from rewright.replay.kernel.memory import Cells


@pytest.mark.parametrize("offset", [0, 4092, 4096, 1 << 27, (1 << 33) - 4])
def test_an_array_without_a_size_reaches_far_and_takes_little_room(offset: int) -> None:
    cells = Cells(bytearray(), bytearray(), None, input=False)
    for at in (8, offset):
        assert cells.reaches(at, 4)
        assert not cells.is_known(cells.at(at), 4) or at == 8 == offset
        cells.write(cells.at(at), bytes((1, 2, 3, at % 251)))
    for at in (8, offset):
        place = cells.at(at)
        assert cells.is_known(place, 4) and cells.data[place : place + 4] == bytes((1, 2, 3, at % 251))
    assert not cells.is_known(cells.at(offset + 16), 4)
    assert len(cells.data) <= 3 << 12
    assert not cells.reaches(-4, 4) and not cells.reaches(1 << 40, 4)


def test_elements_of_an_input_that_were_not_touched_are_zero() -> None:
    cells = Cells(bytearray(), bytearray(), None, input=True)
    place = cells.at(1 << 32)
    assert cells.is_known(place, 8) and cells.data[place : place + 8] == bytes(8)
