"""Variables without a value: reads of them are found, and a struct may be copied before all of it is set."""

from __future__ import annotations

import pytest
from cuda_documents import documented, ran, shown
from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.simt.instructions import Load, Move, Store
from rewright.model.simt.violation import (
    DivisionByZero,
    FailedAssertion,
    InactiveLane,
    OutOfBounds,
    Race,
    Setting,
    Thread,
    Uninitialised,
    Unset,
)
from rewright.replay.kernel.outcome import ReplayOutcome
from rewright.replay.kernel.replayed import replay

DOCUMENT = """
struct Pair { int a, b; };
__device__ Pair made(int x) { Pair p; p.a = x; return p; }
__device__ int picked(int i) { int found; if (i < 4) found = i; return found; }
__device__ int first(Pair p) { p.a += 1; return p.a; }
// rewright: launch block(4); out: out s32[4]
__global__ void k(int *out) { int t = threadIdx.x; %s }
"""


def unset(body: str) -> list[str]:
    """The variables that are read before they were set by a kernel with this body."""
    found = ran(DOCUMENT % body, {"out": (0,) * 4}, "k").violations
    assert all(isinstance(violation, Unset) for violation in found)
    return [violation.variable for violation in found if isinstance(violation, Unset)]


@pytest.mark.parametrize(
    "body",
    [
        "Pair p; p.a = t; Pair q = p; out[t] = q.a;",
        "Pair p; p.a = t; Pair q; q = p; q.b = 1; out[t] = q.a + q.b;",
        "Pair q = made(t); Pair r = q; out[t] = r.a;",
        "Pair p; p.a = t; out[t] = first(p);",
        "for (int i = 0; i < 2; i++) { Pair p; p.a = i; Pair q = p; out[t] = q.a; }",
        "Pair p; Pair q = p; for (int i = 0; i < 2; i++) { p.a = p.b = i; q = p; } out[t] = q.b;",
    ],
)
def test_a_struct_may_be_copied_before_all_of_it_is_set(body: str) -> None:
    assert unset(body) == []


@pytest.mark.parametrize(
    ("body", "variable"),
    [
        ("int x; out[t] = x;", "x"),
        ("int x; if (t < 2) x = 1; out[t] = x;", "x"),
        ("Pair p; p.a = t; out[t] = p.b;", "p"),
        ("Pair p; p.a = t; Pair q = p; out[t] = q.b;", "q"),
        ("Pair p; p.a = t; Pair q = p; Pair r = q; int x = t ? r.b : 1; out[t] = x;", "r"),
    ],
)
def test_what_is_read_before_it_was_set_is_found(body: str, variable: str) -> None:
    assert unset(body) == [variable]


def test_parts_that_may_be_set_may_be_copied() -> None:
    assert unset("Pair p; p.a = t; if (t > 1) p.b = 2; Pair q = p; out[t] = q.a;") == []
    assert unset("Pair p; p.a = t; if (t > 1) p.b = 2; Pair q = p; out[t] = q.b;") == ["p"]


RETURNS = """
struct Pair { int a, b; };
template <class T> __device__ T sign(T v) { if (v > 1) return 1; if (v < 1) return -1; }
__device__ Pair both(int n) { Pair p; p.a = p.b = n; if (n > 1) { return p; } }
__device__ int *moved(int *p, int n) { if (n != 2) return p + n; }
__device__ int chosen(int n) { switch (n) { case 0: return 1; default: return 2; } }
__device__ int found(int n) { for (;;) { if (n < 3) return n; n--; } }
__device__ int either(int n) { if (n) return 1; else return 2; }
// rewright: launch block(4); out: out s32[8]
__global__ void k(int *out) { int t = threadIdx.x; %s }
"""


@pytest.mark.parametrize(
    ("body", "function"),
    [
        ("out[t] = sign(t);", "sign()"),
        ("sign(t); out[t] = 1;", "sign()"),
        ("int i = both(t).a; if (t > 1) out[i] = 1;", "both()"),
        ("*moved(out, t) = 1;", "moved()"),
        ("auto f = [=] (int n) { if (n) return 1; }; out[t] = 100 / f(t);", "()"),
        ("out[t] = chosen(t) + found(t) + either(t);", None),
        ("out[t] = t > 1 ? both(t).b : t;", None),
    ],
)
def test_the_end_of_a_function_that_gives_a_value_is_not_to_be_reached(body: str, function: str | None) -> None:
    document = RETURNS % body
    found = ran(document, {"out": (0,) * 8}, "k").violations
    assert [each.variable for each in found if isinstance(each, Unset)] == [function] * len(found)
    assert len(found) == (function is not None)
    assert all(shown(document, each.place) == "}" for each in found if isinstance(each, Unset))


@pytest.mark.parametrize(
    "body",
    [
        "int x; int y = x; int z = y + x * 2; out[t] = 1;",
        "int x; if (t == 0) x = 1; int y = x; if (t == 0) out[t] = y;",
        "int x; bool ok = t < 9; int y = ok ? t : x; out[t] = y;",
        "int x; if (t > 9 && x > 0) out[t] = 1;",
        "int x; bool low = t < 9, odd = x % 2; if (low || x > 0) out[t] = 1;",
        "int x; if (t < 2) x = t; int y = __shfl_sync(~0u, x, 0); out[t] = y;",
        "int x; if (t < 2) x = t; int y = __shfl_sync(~0u, x, t); if (t < 2) out[t] = y;",
        "out[t] = picked(t); int z = picked(9);",
    ],
)
def test_what_nothing_depends_on_may_be_unset(body: str) -> None:
    assert unset(body) == []


@pytest.mark.parametrize(
    ("body", "variable"),
    [
        ("int x; int y = x + 1; if (y) out[t] = 1;", "x"),
        ("int x; int y = x; out[y] = 1;", "x"),
        ("int x; __shared__ int s[8]; s[t] = x - 1; __syncthreads(); out[t] = s[t];", "x"),
        ("int x; if (t > 1) x = t; int y = __shfl_sync(~0u, x, 0) + 1; out[t] = y;", "x"),
        ("int x; bool ok = t > 9; int y = ok ? t : x; out[t] = y;", "x"),
        ("int x; if (t < 9 && x > 0) out[t] = 1;", "x"),
        ("int x; int y = x; out[t] = 0; atomicAdd(out + t, y);", "x"),
        ("int x; assert(x);", "x"),
        ("int z = picked(9); out[t] = z;", "found"),
    ],
)
def test_what_control_an_address_or_memory_depends_on_is_reported_where_it_was_read(body: str, variable: str) -> None:
    assert unset(body) == [variable]


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 3; out[t] = x; }",
        "int i = 0; while (i < 2) { int x; if (i++ == 0) x = 3; out[t] = x; }",
        "int i = 0; do { int x, y; if (i == 0) x = 3; y = x; out[t] = y; } while (i++ < 2);",
        "for (int i = 0; i < 2; i++) { Pair x; x.a = 1; if (i == 0) x.b = 3; out[t] = x.b; }",
        "for (int j = 0; j < 2; j++) for (int i = 0; i < 2; i++) { int x; if (i + j == 0) x = 3; out[t] = x; }",
        "for (int i = 0; i < 2; i++) { int x; if (t != 1 || i == 0) x = 3; out[t] = x; }",
    ],
)
def test_a_variable_of_a_loop_is_unset_in_every_pass(body: str) -> None:
    assert unset(body) == ["x"]


def test_an_array_of_a_loop_is_unset_in_every_pass() -> None:
    body = "for (int i = 0; i < 2; i++) { int x[2]; if (i == 0) x[t % 2] = 3; out[t] = x[t % 2]; }"
    (found,) = ran(DOCUMENT % body, {"out": (0,) * 4}, "k").violations
    assert isinstance(found, Uninitialised) and found.array == "x"


@pytest.mark.parametrize(
    "body",
    [
        "int x; for (int i = 0; i < 2; i++) { if (i == 0) x = 3; out[t] = x; }",
        "for (int i = 0; i < 2; i++) { int x = 3; int y; if (i) y = x; else y = 1; out[t] = y; }",
        "for (int i = 0; i < 2; i++) { int x[2]; x[0] = x[1] = i; out[t] = x[t % 2]; }",
    ],
)
def test_what_is_set_in_every_pass_or_before_the_loop_is_set(body: str) -> None:
    assert unset(body) == []


def test_one_lane_without_a_value_hides_nothing_of_the_others_before_control_depends_on_it() -> None:
    body = "int x; if (t < 2) x = t; int y = x; if (t == 0) out[y + 9] = 1; if (t == 3) out[y] = 1;"
    kinds = [type(each) for each in ran(DOCUMENT % body, {"out": (0,) * 4}, "k").violations]
    assert kinds == [OutOfBounds, Unset]


SHARED = "__shared__ int s[4]; int x; if (t) x = t; "


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("if (x == 7) return; if (t == 3) out[t + 9] = 1;", [Unset, OutOfBounds]),
        ("int y = x + 1; if (y > 5) out[0] = 1; if (t) s[0] = t;", [Unset, Race]),
        ("if (x == 7) return; if (t) out[t] = s[t];", [Unset, Uninitialised]),
        ("s[x / 2] = t;", [Unset, Race]),
        ("out[3 * x] = t;", [Unset, OutOfBounds]),
        ("int y = s[x]; if (t == 1) out[t + 9] = 1; out[t] = y;", [Unset, OutOfBounds, Uninitialised]),
        ("while (x > 9) x--; if (t == 1) __syncwarp(); s[t / 3] = t;", [Unset, Race]),
    ],
)
def test_one_lane_whose_control_or_address_depends_on_it_hides_nothing_of_the_others(
    body: str, kinds: list[type]
) -> None:
    document = DOCUMENT % (SHARED + body)
    outcome, lowered = ran(document, {"out": (0,) * 4}, "k"), documented(document, "k")
    found = [*outcome.violations, *outcome.races.certain()]
    assert [type(each) for each in found] == kinds
    assert lowered.program is not None
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    assert all(replay(lowered.program, setting, each, 10_000).outcome is ReplayOutcome.HOLDS for each in found)


@pytest.mark.parametrize(
    "body",
    [
        "if (x == 0) out[99] = 1;",
        "s[x] = 1; __syncthreads(); out[t] = s[t];",
        "s[t] = 9; __syncwarp(); int y = s[x]; if (t == 0) out[y] = 1;",
        "s[t] = 9; __syncwarp(); int y = s[x]; out[y - 9 + t] = 1;",
        "if (x == 0) return; __syncthreads(); out[t] = 1;",
        "if (x) s[t] = 1; __syncthreads(); out[t] = s[(t + 1) % 4];",
        "s[t] = 4; __syncthreads(); if (x == 0) s[0] = 9; __syncthreads(); if (s[0] == 9) out[99] = t;",
        "if (x == 0) s[1] = 1; else s[t] = 1;",
        "if (x) { int y = __shfl_sync(~0u, t, 0); out[t] = y; }",
        "if (x == 0) atomicAdd(s, 1); __syncthreads(); if (t == 1) out[t] = s[t];",
        "int y = x ? 2 : 1; y = __shfl_sync(~0u, y, 0); if (y == 1) out[99] = t;",
    ],
)
def test_what_follows_of_a_lane_whose_control_or_address_depends_on_it_is_not_reported_again(body: str) -> None:
    outcome = ran(DOCUMENT % (SHARED + body), {"out": (0,) * 4}, "k")
    assert [type(each) for each in outcome.violations] == [Unset] and not outcome.races.certain()


@pytest.mark.parametrize(
    "body",
    [
        "int m; __syncwarp(m);",
        "int x; if (t == 0) out[t] = __syncthreads_or(x);",
        "int x; out[t] = __any_sync(2, x == 1);",
        "int m; out[t] = __shfl_sync(m, 1, 0);",
    ],
)
def test_what_is_read_to_wait_forever_replays(body: str) -> None:
    document = DOCUMENT % body
    outcome, lowered = ran(document, {"out": (0,) * 4}, "k"), documented(document, "k")
    assert lowered.program is not None and isinstance(outcome.violations[0], Unset)
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    for each in outcome.violations:
        assert replay(lowered.program, setting, each, 10_000).outcome is ReplayOutcome.HOLDS


@pytest.mark.parametrize(
    "body",
    [
        "int x; int y = x + 1; if (y) out[t] = 1;",
        "int x; if (t > 1) x = t; int y = __shfl_sync(~0u, x, 0) + 1; out[t] = y;",
        "for (int i = 0; i < 2; i++) { int x; if (t != 1 || i == 0) x = 3; int y = x; out[t] = y; }",
        "int z = picked(9); out[t] = z;",
        "int x; if (t < 9 && x > 0) out[t] = 1;",
    ],
)
def test_the_replay_finds_the_same_by_itself(body: str) -> None:
    document = DOCUMENT % body
    outcome, lowered = ran(document, {"out": (0,) * 4}, "k"), documented(document, "k")
    assert lowered.program is not None
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    (found,) = outcome.violations
    assert replay(lowered.program, setting, found, 10_000).outcome is ReplayOutcome.HOLDS
    assert isinstance(found, Unset)
    for other in (replace(found, variable="other"), replace(found, interval=1)):
        assert replay(lowered.program, setting, other, 10_000).outcome is ReplayOutcome.FAILS


KEPT = (
    "int x; if (t < 2) x = t; __shared__ int s[4]; s[t] = x; out[t] = 0;",
    "int x; if (t < 2) x = t; __shared__ int s[4]; s[t] = x; __syncthreads(); if (t < 2) out[t] = s[1 - t];",
    "int x; if (t < 2) x = t; __shared__ int s[4]; s[t] = x; s[t] = 1; __syncthreads(); out[t] = s[3 - t];",
    "int x, a[4]; for (int i = 0; i < 4; i++) a[i] = x; a[t] = 1; out[t] = a[t];",
    "for (int i = 0; i < 2; i++) { int x, a[2]; a[i] = i ? t : x; if (i) out[t] = a[1]; }",
    "__shared__ float4 s[4]; float4 v; v.x = v.y = 1; s[t] = v; __syncthreads(); out[t] = s[3 - t].y;",
)
"""Nobody reads what has no value."""

READ = (
    "int x; if (t < 2) x = t; __shared__ int s[4]; s[t] = x; __syncthreads(); out[t] = s[3 - t];",
    "int x; __shared__ int s[4]; s[t] = 1; __syncthreads(); s[t] = x; __syncthreads(); out[t] = s[3 - t];",
    "int x; __shared__ int s[4]; s[t] = t ? 1 : x; __syncthreads(); out[t] = ((char *)s)[t + 1];",
    "int x; __shared__ int s[4]; s[t] = x; atomicAdd(s + t, 1); out[t] = 0;",
    "int x, a[4]; for (int i = 0; i < 4; i++) a[i] = x; a[t] = 1; out[t] = a[0] + a[1];",
    "int a[2]; for (int i = 0; i < 2; i++) { int x; if (i == 0) x = t; a[i] = x; } out[t] = a[t % 2];",
)
"""Somebody does."""


@pytest.mark.parametrize("body", KEPT)
def test_what_is_kept_in_memory_of_the_block_may_be_unset_until_it_is_read(body: str) -> None:
    assert unset(body) == []


@pytest.mark.parametrize("body", READ)
def test_what_is_read_of_memory_of_the_block_is_reported_where_it_was_not_set_and_replays(body: str) -> None:
    document = DOCUMENT % body
    outcome, lowered = ran(document, {"out": (0,) * 4}, "k"), documented(document, "k")
    assert lowered.program is not None and [type(each) for each in outcome.violations] == [Unset]
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    (found,) = outcome.violations
    assert isinstance(found, Unset) and found.variable == "x"
    assert replay(lowered.program, setting, found, 10_000).outcome is ReplayOutcome.HOLDS


@pytest.mark.parametrize("body", [body for body in KEPT if "float4" not in body])
def test_the_replay_does_not_count_what_nobody_reads(body: str) -> None:
    lowered = documented(DOCUMENT % body, "k")
    assert lowered.program is not None
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    for place in dict.fromkeys(each.place for each in lowered.program.code if isinstance(each, Move | Load | Store)):
        claim = Unset("x", 0, Thread((0, 0, 0), (3, 0, 0)), place)
        assert replay(lowered.program, setting, claim, 10_000).outcome is ReplayOutcome.FAILS


def test_a_write_without_a_value_still_collides() -> None:
    """And is not the same as another one that leaves the same bytes."""
    outcome = ran(DOCUMENT % "int x; __shared__ int s[4]; s[0] = x; out[t] = 0;", {"out": (0,) * 4}, "k")
    assert not outcome.violations and [type(each) for each in outcome.races.certain()] == [Race]


def test_the_replay_does_not_count_what_nothing_depends_on() -> None:
    document = DOCUMENT % "int x; int y = x; if (t == 0) out[t] = 1; int z = y + 1;"
    lowered = documented(document, "k")
    assert lowered.program is not None
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    moves = [each.place for each in lowered.program.code if isinstance(each, Move)]
    for place in moves:
        claim = Unset("x", 0, Thread((0, 0, 0), (0, 0, 0)), place)
        assert replay(lowered.program, setting, claim, 10_000).outcome is ReplayOutcome.FAILS


PARTS = (
    "__shared__ Mixed s[4]; s[t].a = t; Mixed p = s[t]; out[t] = p.a;",
    "__shared__ Mixed s[4]; s[t].c = t; Mixed b[2]; b[t % 2] = s[t]; s[t] = b[t % 2]; out[t] = s[t].c;",
    "__shared__ Mixed s[4]; s[t].a = t; s[t].c = 1; Mixed p; memcpy(&p, s + t, 8); out[t] = p.a + p.c;",
    "Mixed b[2]; b[0].c = t; memcpy(b + 1, b, 8); b[t % 2] = b[1 - t % 2]; out[t] = b[1].c;",
    "Mixed b[2]; int *word = (int *)(b + t % 2); b[t % 2].c = t; int w = word[1]; word[1] = w; out[t] = b[t % 2].c;",
    "__shared__ int s[8]; s[2 * t] = t; int x = s[2 * t], y = s[2 * t + 1]; out[t] = x;",
    "__shared__ int s[8]; s[t] = t; int y = __shfl_sync(~0u, s[t + 4], 0) + 1; out[t] = s[t];",
)
"""A part that nothing set is only copied."""

USED = (
    "__shared__ Mixed s[4]; s[t].a = t; Mixed p = s[t]; out[t] = p.c;",
    "__shared__ Mixed s[4]; s[t].c = t; Mixed b[2]; b[t % 2] = s[t]; s[t] = b[t % 2]; out[t] = s[t].a;",
    "__shared__ Mixed s[4]; s[t].a = t; Mixed p; memcpy(&p, s + t, 8); if (p.c) out[t] = p.a;",
    "__shared__ Mixed s[4]; s[t].c = t; int w = ((int *)(s + t))[1]; out[t] = w;",
    "__shared__ int s[8]; s[2 * t] = t; int x = s[2 * t], y = s[2 * t + 1]; out[t] = x + y;",
    "__shared__ int s[8]; s[t] = t; int y = s[t + 4]; out[t] = s[y];",
    "__shared__ int s[8]; s[t] = t; int y = s[t + 4]; out[t] = 1 / y;",
    "__shared__ int s[8]; s[t] = t; int y = s[t + 4]; assert(y);",
    "__shared__ int s[8]; s[t] = t; int y = s[t + 4]; atomicAdd(s + t, y);",
    "__shared__ int s[8]; s[t] = t; int y = __shfl_sync(~0u, s[t + 4], 1); out[t] = y;",
    "__shared__ int s[4]; atomicAdd(s + t, 1); out[t] = 0;",
)
"""Something depends on it."""

MIXED = DOCUMENT.replace("struct Pair", "struct Mixed { int a; char c; };\nstruct Pair", 1)


@pytest.mark.parametrize("body", PARTS)
def test_a_struct_may_be_copied_through_memory_before_all_of_it_is_set(body: str) -> None:
    assert ran(MIXED % body, {"out": (0,) * 4}, "k").violations == ()


@pytest.mark.parametrize("body", USED)
def test_what_was_copied_through_memory_is_told_where_it_was_read_and_replays(body: str) -> None:
    document = MIXED % body
    outcome, lowered = ran(document, {"out": (0,) * 4}, "k"), documented(document, "k")
    assert lowered.program is not None and [type(each) for each in outcome.violations] == [Uninitialised]
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    (found,) = outcome.violations
    assert isinstance(found, Uninitialised)
    assert replay(lowered.program, setting, found, 10_000).outcome is ReplayOutcome.HOLDS
    later = replace(found, access=replace(found.access, interval=1))
    assert replay(lowered.program, setting, later, 10_000).outcome is ReplayOutcome.FAILS


def test_the_replay_does_not_count_a_copy_of_what_was_not_written() -> None:
    for copied, used in zip(PARTS[:1], USED[:1], strict=True):
        (found,) = ran(MIXED % used, {"out": (0,) * 4}, "k").violations
        program = documented(MIXED % copied, "k").program
        setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
        assert program is not None and replay(program, setting, found, 10_000).outcome is ReplayOutcome.FAILS


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        (
            "if (t == 3) return; int y = __shfl_down_sync(~0u, t, 1); if (y == 2) out[t + 9] = 1;",
            [InactiveLane, OutOfBounds],
        ),
        (
            "if (t == 3) return; int y = __shfl_down_sync(~0u, t, 1); out[t] = y; assert(y > 5);",
            [InactiveLane, FailedAssertion],
        ),
        ("if (t) s[t] = t; int y = s[t]; if (y == 3) out[y + 9] = 1;", [Uninitialised, OutOfBounds]),
        ("if (t) s[t] = t; int y = s[t]; assert(y < 0);", [Uninitialised, FailedAssertion]),
        ("s[t] = t; int y = s[t + 2]; assert(y < 0);", [OutOfBounds, FailedAssertion]),
        ("int y = 6 / (t - 2); assert(y == 77);", [DivisionByZero, FailedAssertion]),
        ("int y = 6 / (t ? t : x); assert(y == 77);", [Unset, FailedAssertion]),
        ("out[t] = x; if (t) s[t] = out[t]; assert(t == 0 || s[t] < 0);", [Unset, FailedAssertion]),
        ("s[t] = 1; int y = atomicAdd(s + t, x); assert(y < 0 && s[t] > 9);", [Unset, FailedAssertion]),
    ],
)
def test_one_lane_that_gets_nothing_hides_nothing_of_the_others(body: str, kinds: list[type]) -> None:
    document = DOCUMENT % (SHARED + body)
    outcome, lowered = ran(document, {"out": (0,) * 4}, "k"), documented(document, "k")
    assert [type(each) for each in outcome.violations] == kinds and lowered.program is not None
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    assert all(
        replay(lowered.program, setting, each, 10_000).outcome is ReplayOutcome.HOLDS for each in outcome.violations
    )


def test_the_passes_are_those_of_the_read_that_matters() -> None:
    body = "int x, y = 0; for (int i = 0; i < 4; i++) { int z = x; if (i == 1) y = z; } out[t] = y;"
    program = documented(DOCUMENT % body, "k").program
    (found,) = ran(DOCUMENT % body, {"out": (0,) * 4}, "k").violations
    setting = Setting((1, 1, 1), (4, 1, 1), (), ((Name("out"), (0,) * 4),))
    assert program is not None
    ((shown,),) = replay(program, setting, found, 10_000).iterations
    assert shown.number == 2
