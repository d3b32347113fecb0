"""Random tiny kernels with a planted condition: what is found under which they are right, against all small sizes.

Where the conditions hold, nothing goes wrong; they hold somewhere, also at large sizes; and a kernel that is right at
some realistic sizes is never refuted.
"""

from __future__ import annotations

from random import Random

import pytest
from kernel_texts import ask
from planted_conditions import holds, inputs, planted

from rewright.verdict import Verdict

COUNT, MANY = 16, 120


def check(seed: int) -> None:
    random = Random(seed)
    kernel = planted(random)
    asked = ask(kernel.text)
    assert asked.verdict is Verdict.CONDITIONAL, (kernel.text, asked.verdict, asked.codes)
    conditions = [each.requires for each in asked.answer.coverage.conditions]
    assert conditions and set(asked.codes) == {"RW321"}
    satisfied = 0
    for sizes, contents in inputs(kernel, random):
        if all(holds(each, sizes, contents) for each in conditions):
            satisfied += 1
            assert kernel.inside(sizes, contents), (kernel.text, conditions, sizes, contents)
    assert satisfied, (kernel.text, conditions)
    empty = {"t": (0,) * kernel.large[kernel.table]} if kernel.table else {}
    assert all(holds(each, kernel.large, empty) for each in conditions), (kernel.text, conditions)


@pytest.mark.parametrize("seed", range(COUNT))
def test_a_condition_implies_that_nothing_goes_wrong(seed: int) -> None:
    check(seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(COUNT, MANY))
def test_many_conditions_imply_that_nothing_goes_wrong(seed: int) -> None:
    check(seed)
