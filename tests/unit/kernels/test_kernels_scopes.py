"""Atomics of block scope: to threads of other blocks they are none."""

from __future__ import annotations

import pytest
from kernel_texts import Asked, ask

from rewright.verdict import KernelWitness, Verdict


def asked(statement: str, grid: int = 2) -> Asked:
    """A kernel of so many blocks whose threads change `total[0]`."""
    source = f"__global__ void entry(unsigned *total, unsigned *mine) {{ {statement} }}\n"
    text = "kernel k(total: inout u32[8], mine: inout u32[8]) from"
    return ask(f'{text} "a.cu"::entry {{ launch grid({grid}), block(2) }}', a_cu=source)


@pytest.mark.parametrize("function", ["Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Exch", "Inc", "Dec"])
def test_atomics_of_block_scope_are_none_for_another_block(function: str) -> None:
    found = asked(f"atomic{function}_block(total, 1);")
    assert (found.verdict, found.codes) == (Verdict.REFUTED, ["RW317"])
    assert isinstance(found.answer.witness, KernelWitness) and found.answer.witness.replayed


def test_it_is_reported_at_both_atomics() -> None:
    found = asked("if (blockIdx.x) atomicAdd(total, 1); else atomicCAS_block(total, 0, 1);")
    assert [(each.code, each.at, each.related) for each in found.reported] == [
        ("RW317", "atomicCAS_block(total, 0, 1)", ("atomicAdd(total, 1)",))
    ]


@pytest.mark.parametrize(
    ("statement", "grid"),
    [
        ("atomicAdd_block(total, 1);", 1),
        ("atomicAdd_block(total, 1); atomicAdd(total, 1);", 1),
        ("atomicAdd_block(total + blockIdx.x, 1);", 2),
        ("atomicAdd(total, 1); atomicAdd_system(total, 1);", 2),
        ("__shared__ unsigned s; s = 0; __syncthreads(); atomicAdd_block(&s, 1);", 2),
    ],
)
def test_within_a_block_its_scope_is_wide_enough(statement: str, grid: int) -> None:
    assert [code for code in asked(statement, grid).codes if code != "RW311"] == []


def test_an_atomic_of_block_scope_and_a_write_race_within_a_block_and_between_blocks() -> None:
    assert asked("if (threadIdx.x) atomicAdd_block(total, 1); else total[0] = 7;", 1).codes == ["RW301"]
    answer = asked("if (threadIdx.x == blockIdx.x) { if (threadIdx.x) atomicAdd_block(total, 1); else total[0] = 7; }")
    assert answer.codes == ["RW313"]
