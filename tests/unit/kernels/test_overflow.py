"""How far runs may reach, whose sizes were chosen."""

from __future__ import annotations

import pytest

from rewright.kernels.execution.bounds import MOST_BYTES
from rewright.kernels.execution.pages import MOST_REACHED
from rewright.kernels.launches.overflow import most_reached
from rewright.model.index import Name

N, M = Name("n"), Name("m")


@pytest.mark.parametrize(
    ("free", "size", "most"),
    [
        ({N, M}, 1 << 14, MOST_BYTES),
        ({N, M}, 1 << 5, MOST_REACHED),
        ({N}, 1 << 10, MOST_REACHED),
        ({N}, (1 << 10) + 1, MOST_BYTES),
        ((), 1 << 14, MOST_REACHED),
    ],
)
def test_sizes_that_were_chosen_reach_less_far_than_those_that_are_given(free: set[Name], size: int, most: int) -> None:
    assert most_reached(free, ((N, size), (M, size))) == most
