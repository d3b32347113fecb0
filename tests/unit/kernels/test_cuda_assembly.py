"""Inline assembly computes what the manual of PTX says, as these functions of numbers and bits read it."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

import pytest
from cuda_runs import LENGTH, executed, lowered

BITS = 0xFFFFFFFF
SPECIAL: tuple[float, ...] = (
    *(0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -2.5, 126.5, 127.5, -128.5, 1e9, -3e9, 2147483520.0, 1e-8, 6e-8),
    *(65519.0, 65520.0, -7e4, 1.0009765625, 1.00048828125, 1.0014648437, 3e38, math.inf, -math.inf, math.nan),
)
FLOATS = (*SPECIAL, *(math.ldexp(37 * at % 101 - 50, at % 23 - 11) for at in range(LENGTH - len(SPECIAL))))
EXTREMES = (0x7C00, 0xFC00, 0x7E00, 0x0001, 0x8001, 0x03FF, 0x7BFF, 0x3C01)
HALVES = (*EXTREMES, *(1021 * at % 65536 for at in range(LENGTH - len(EXTREMES))))
WORDS = tuple((0x9E3779B9 * at + 0x0F1E2D3C) & BITS for at in range(LENGTH))


def bits(value: float) -> int:
    """The bits of a float, rounded to 32 of them."""
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


def single(word: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", word))[0])


def half(word: int) -> float:
    return float(struct.unpack("<e", struct.pack("<H", word))[0])


def half_bits(value: float) -> int:
    """`.rn`: the nearest half, even ones first; beyond the largest one, infinity."""
    try:
        return int(struct.unpack("<H", struct.pack("<e", value))[0])
    except OverflowError:
        return 0x7C00 if value > 0 else 0xFC00


def nearest(low: int, high: int) -> Callable[[float], int]:
    """`.rni.sat`: the nearest integer, even ones first, in a range; NaN gives 0."""

    def found(value: float) -> int:
        if math.isnan(value):
            return 0
        return (high if value > 0 else low) if math.isinf(value) else max(low, min(high, round(value)))

    return found


def words(line: str, letters: str, given: Sequence[int]) -> tuple[int, ...]:
    """What an instruction makes of words: by the letters of its result and of its operand."""
    result, operand = letters[0], letters[1]
    types = {"r": "int", "f": "float", "h": "unsigned short"}
    made = {"r": "given[i]", "f": "__int_as_float(given[i])", "h": "(unsigned short)given[i]"}[operand]
    stored = "__float_as_int(found)" if result == "f" else "found"
    outcome = executed(
        f"""__global__ void k(int *ints, float *reals, const int *in, int n) {{
  const unsigned given[64] = {{{", ".join(f"{each}u" for each in given)}}};
  for (int i = threadIdx.x; i < 64; i += 4) {{
    {types[result]} found;
    asm("{line}" : "={result}"(found) : "{operand}"({made}));
    ints[i] = {stored};
  }}
}}
""",
        "k",
    )
    return tuple(each & BITS for each in outcome.ints)


@pytest.mark.parametrize(
    ("line", "low", "high"),
    [("cvt.rni.sat.s8.f32", -128, 127), ("cvt.rni.sat.s32.f32", -(1 << 31), (1 << 31) - 1)],
)
def test_floats_become_the_nearest_integers_of_a_range(line: str, low: int, high: int) -> None:
    found = words(f"{line} %0, %1;", "rf", [bits(each) for each in FLOATS])
    assert found == tuple(nearest(low, high)(single(bits(each))) & BITS for each in FLOATS)


def test_halves_become_the_nearest_integers_of_a_range() -> None:
    found = words("cvt.rni.sat.s8.f16 %0, %1;", "rh", HALVES)
    assert found == tuple(nearest(-128, 127)(half(each)) & BITS for each in HALVES)


def test_floats_become_halves_and_halves_floats() -> None:
    numbers = [each for each in FLOATS if not math.isnan(each)]
    padded = [*map(bits, numbers), *[0] * (LENGTH - len(numbers))]
    assert words("cvt.rn.f16.f32 %0, %1;", "hf", padded) == tuple(half_bits(single(each)) for each in padded)
    whole = [each for each in HALVES if not math.isnan(half(each))]
    padded = [*whole, *[0] * (LENGTH - len(whole))]
    assert words("cvt.f32.f16 %0, %1;", "fh", padded) == tuple(bits(half(each)) for each in padded)


@pytest.mark.parametrize(("line", "function"), [("tanh.approx.f32", math.tanh), ("ex2.approx.f32", math.exp2)])
def test_approximations_are_near(line: str, function: Callable[[float], float]) -> None:
    numbers = [at / 4 - 8 for at in range(LENGTH)]
    found = words(f"{line} %0, %1;", "ff", list(map(bits, numbers)))
    assert [single(each) for each in found] == [pytest.approx(function(each), rel=1e-5) for each in numbers]


def tabulated(instruction: str, table: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What three words give at every place by execution, and by the table: its bit `4 a + 2 b + c`."""
    source = f"""__global__ void k(int *ints, float *reals, const int *in, int n) {{
  const unsigned given[64] = {{{", ".join(f"{each}u" for each in WORDS)}}};
  for (int i = threadIdx.x; i < 64; i += 4) {{
    unsigned found, a = given[i], b = given[(i + 1) % 64], c = given[(i + 9) % 64];
    asm volatile({instruction});
    ints[i] = found;
  }}
}}
"""
    expected = []
    for at in range(LENGTH):
        a, b, c = WORDS[at], WORDS[(at + 1) % LENGTH], WORDS[(at + 9) % LENGTH]
        rows = ((a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1) for bit in range(32))
        expected.append(sum((table >> row & 1) << bit for bit, row in enumerate(rows)))
    return tuple(each & BITS for each in executed(source, "k").ints), tuple(expected)


@pytest.mark.parametrize("table", [0x00, 0xFF, 0xF0, 0xCC, 0xAA, 0x96, 0xEA, 0x6A, 0xB2, 0x1D, 0x80, 0x01])
def test_three_words_give_the_bits_that_a_table_has_for_theirs(table: int) -> None:
    given = f'"lop3.b32 %0, %1, %2, %3, %4;" : "=r"(found) : "r"(a), "r"(b), "r"(c), "n"({table})'
    found, expected = tabulated(given, table)
    assert found == expected


@pytest.mark.parametrize(
    "given",
    [
        '"lop3.b32 %0, %1, %2, %3, 0xb2;" : "=r"(found) : "r"(a), "r"(b), "r"(c)',
        '"lop3.b32 %0, %1, %2, %3, 178;" : "=r"(found) : "r"(a), "r"(b), "r"(c)',
        '"lop3.b32 %0, %3, %1, %2, 0xB2;" : "=r"(found) : "r"(b), "r"(c), "r"(a)',
        '"lop3.b32 %0, %4, %2, %3, %1;" : "=r"(found) : "n"(0xb2), "r"(b), "r"(c), "r"(a)',
    ],
    ids=["in-the-text", "decimal", "turned", "table-first"],
)
def test_operands_are_taken_as_they_are_numbered(given: str) -> None:
    found, expected = tabulated(given, 0xB2)
    assert found == expected


@pytest.mark.parametrize(
    "given",
    [
        '"lop3.b32 %0, %1, %2, 7, 0xb2;" : "=r"(found) : "r"(a), "r"(b)',
        '"lop3.b32 %0, %1, %2, %4, 0xb2;" : "=r"(found) : "r"(a), "r"(b), "r"(c)',
        '"lop3.b32 %1, %0, %2, %3, 0xb2;" : "=r"(found) : "r"(a), "r"(b), "r"(c)',
        '"lop3.b32 %0, %1, %2, %0, 0xb2;" : "=r"(found) : "r"(a), "r"(b), "r"(c)',
        '"lop3.b32 %0, %1, %2, %3, 0x1ffffffff;" : "=r"(found) : "r"(a), "r"(b), "r"(c)',
    ],
    ids=["a number for a word", "no such operand", "another result", "what is not set", "no table"],
)
def test_other_operands_are_refused(given: str) -> None:
    source = (
        f"__global__ void k(int *ints, float *reals, const int *in, int n) {{ unsigned found, a, b, c; asm({given}); }}"
    )
    assert [each.reason for each in lowered(source, "k").problems] == ["inline assembly is not supported yet"]
