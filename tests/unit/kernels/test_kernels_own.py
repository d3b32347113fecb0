"""The own syntax: each construct runs, what is wrong is said at its place."""

from __future__ import annotations

import pytest
from kernel_texts import ask, body, declared

from rewright.model.check_declaration import check_declaration
from rewright.model.declared import Declared
from rewright.model.kernel import Foreign, Kernel
from rewright.model.surroundings import Surroundings
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, Site, Verdict
from rewright.verdict.diagnostics.kernels import IndexOutside

RIGHT = {
    "let and var": "let i = thread.x; var v = i + 1; v = v * 2; m[i] = v",
    "typed var": "var v: s32; v = 3; var w: f32 = 2; y[thread.x] = w; m[thread.x] = v",
    "compound assignment": "var v = 8; v += 1; v -= 2; v *= 3; v /= 2; v %= 7; v <<= 1; v >>= 1; v &= 7; v |= 1\n"
    "v ^= 2; assert v == 1",
    "element updated": "c[thread.x] = 2; c[thread.x] += thread.x; c[thread.x] *= 2\n"
    "assert c[thread.x] == 4 + 2 * thread.x",
    "if, else if, else": "var v = 0\nif thread.x == 0 { v = 1 } else if thread.x == 1 { v = 2 } else { v = 3 }\n"
    "assert v == min(thread.x + 1, 3)",
    "for with a step": "var v = 0\nfor i in thread.x..N step block_dim.x { v += 1 }\nassert v == 2",
    "nested heads": "var v = 0\nfor i in 0..3, j in 0..i { v += 1 }\nassert v == 3",
    "the ends of a range are read once": "var end = 3; var v = 0\nfor i in 0..end { end = 0; v += 1 }\nassert v == 3",
    "while": "var v = 0\nwhile v < thread.x { v += 1 }\nassert v == thread.x",
    "early return": "if thread.x > 1 { return }\nm[thread.x] = 1",
    "truncated division": "assert -7 / 2 == -3\nassert -7 % 2 == -1\nassert 7 / -2 == -3",
    "wrapping": "let big = 2147483647\nassert big + thread.x - thread.x == big\nassert big + 1 < 0",
    "shifts and bits": "assert 1 << 4 == 16\nassert -8 >> 1 == -4\n"
    "assert (5 & 3) == 1 and (5 | 3) == 7 and (5 ^ 3) == 6 and ~0 == -1",
    "calls": "assert min(2, 3) == 2 and max(2, 3) == 3 and abs(-4) == 4\nassert select(thread.x >= 0, 1, 2) == 1",
    "floats": "y[thread.x] = exp(x[thread.x]) + max(x[thread.x], 0.0) / sqrt(2.0) - convert(n, f32)",
    "a maximum by comparison": "var best = x[0]\nlet other = x[1]\nif other > best { best = other }\n"
    "y[thread.x] = best",
    "short circuit": "if thread.x < 8 and k[thread.x] < k[thread.x] + 1 or false { m[thread.x] = 1 }",
    "a guard": "let i = thread.x * 3\nif i < N and k[i] > 0 { m[i] = 1 }",
    "same name in disjoint blocks": "for i in 0..2 { m[thread.x] = i }\nfor i in 0..2 { m[thread.x] = i }",
    "no division behind a guard": "if n != 0 and 10 / n == 2 { m[thread.x] = 1 }",
    "blocks": "assert block.x < grid_dim.x and thread.y == 0 and block_dim.x == 4",
    "assume": "assume n > 0\nassert n >= 1",
    "wide integers": "let w = convert(1, s64) << 40\nassert w / 2 == convert(1, s64) << 39",
    "atomics": "c[thread.x] = 8; let old = atomic_add(c[thread.x], 3)\nassert old == 8\n"
    "atomic_sub(c[thread.x], 1); atomic_max(c[thread.x], 12); atomic_min(c[thread.x], 11)\nassert c[thread.x] == 11\n"
    "atomic_and(c[thread.x], 6); atomic_or(c[thread.x], 5); atomic_xor(c[thread.x], 1)\nassert c[thread.x] == 6\n"
    "assert atomic_exchange(c[thread.x], 9) == 6\nassert atomic_cas(c[thread.x], 9, 4) == 9\n"
    "assert atomic_cas(c[thread.x], 9, 5) == 4\nassert c[thread.x] == 4",
    "an atomic on floats": "s[thread.x] = 1.5; atomic_add(s[thread.x], 2)\nassert s[thread.x] == 3.5",
    "an atomic of all threads": "if thread.x == 0 { c[0] = 0 }\nbarrier(); atomic_add(c[0], thread.x); barrier()\n"
    "assert c[0] == 6",
    "an atomic behind a guard": "c[thread.x] = 0\nif thread.x == 9 and atomic_add(c[thread.x], 1) == 0 { m[0] = 1 }\n"
    "assert c[thread.x] == 0",
    "shuffles": "assert shuffle(10 * lane, 2) == 20\nassert shuffle_up(lane, 1, width = 2) == lane - lane % 2\n"
    "assert shuffle_xor(lane, 1) == lane + 1 - 2 * (lane % 2)\n"
    "if thread.x < 2 { assert shuffle_down(lane, 1, mask = 3, width = 2) == 1 }",
    "votes": "assert ballot(lane % 2 == 1) == 10 and any(lane == 3) and not all(lane == 3)\n"
    "if lane < 2 { assert ballot(true, mask = 3) == 3 and all(lane < 2, mask = 3) }",
    "the warp of a thread": "assert lane == thread.x and warp == 0 and warp_size == 32",
    "names of the warp may be declared": "let lane = 3; var warp = 4; assert lane + warp == 7",
    "barriers of a warp": "c[thread.x] = thread.x; barrier(warp)\nassert c[3 - thread.x] == 3 - thread.x\n"
    "barrier(warp)\nif thread.x < 2 { c[thread.x] = 7; barrier(warp, 3); m[thread.x] = c[1 - thread.x] }",
    "an array of each thread": "var a: s32[2, 3]\nfor i in 0..2, j in 0..3 { a[i, j] = 10 * i + j + thread.x }\n"
    "barrier()\nassert a[1, 2] == 12 + thread.x",
    "break": "var v = 0\nfor i in 0..8 { if i == 3 { break }\n v += i }\nassert v == 3\n"
    "while true { if v > 9 { break }\n v += 1 }\nassert v == 10",
    "continue": "var v = 0\nfor i in 0..5 { if i % 2 == 0 { continue }\n v += i }\nassert v == 4",
    "break leaves the innermost range": "var v = 0\nfor i in 0..3, j in 0..3 { if j == 1 { break }\n v += 1 }\n"
    "assert v == 3",
    "unsigned": "let u = convert(0, u32) - convert(1, u32)\nassert u > convert(5, u32)",
}


@pytest.mark.parametrize("statements", RIGHT.values(), ids=RIGHT)
def test_construct_is_checked(statements: str) -> None:
    asked = body(statements)
    assert asked.verdict is Verdict.CHECKED, asked.answer


@pytest.mark.parametrize(
    ("statements", "at"),
    [
        ("for i in 0..2 { var v: s32; if i == 0 { v = 3 }; m[thread.x] = v }", "m[thread.x]"),
        ("var i = 0; while i < 2 { var v: s32; if i == 0 { v = 3 }; m[thread.x] = v; i += 1 }", "m[thread.x]"),
        ("for i in 0..2 { var a: s32[2]; if i == 0 { a[1] = 3 }; m[thread.x] = a[1] }", "a[1]"),
    ],
)
def test_a_variable_of_a_loop_is_unset_in_every_pass(statements: str, at: str) -> None:
    (reported,) = body(statements).reported
    assert (reported.code, reported.at) == ("RW305", at)
    outside = statements.replace("for i in 0..2 { var v: s32;", "var v: s32; for i in 0..2 {")
    outside = outside.replace("while i < 2 { var v: s32;", "var v: s32; while i < 2 {")
    outside = outside.replace("for i in 0..2 { var a: s32[2];", "var a: s32[2]; for i in 0..2 {")
    assert body(outside).verdict is Verdict.CHECKED


def test_what_is_set_in_every_pass_is_set() -> None:
    statements = "for i in 0..3 { var v: s32; var a: s32[2]; if i > 1 { v = i } else { v = 0 }\na[1] = v; m[0] = a[1] }"
    assert body(f"if thread.x == 0 {{ {statements} }}").verdict is Verdict.CHECKED


def test_two_dimensional_arrays() -> None:
    text = """kernel flip<N = 3>(a: in f32[N, N], b: out f32[N, N]) {
  launch block(N, N)
  shared t: f32[N, N]
  t[thread.y, thread.x] = a[thread.y, thread.x]
  barrier()
  b[thread.x, thread.y] = t[thread.y, thread.x]
}
"""
    assert ask(text).verdict is Verdict.CHECKED
    (reported,) = ask(text.replace("t[thread.y, thread.x]\n}", "t[thread.y, thread.x + 1]\n}")).reported
    assert (reported.code, reported.at) == ("RW304", "t[thread.y, thread.x + 1]")
    outside = reported.says(IndexOutside)
    assert (outside.element.address, outside.extents, outside.act.who.thread) == ((0, 3), (3, 3), (2, 0))


WRONG = [
    ("y[thread.x] = z[thread.x]", "RW101", "z"),
    ("let v = 1; v = 2", "RW103", "v"),
    ("x = 1.0", "RW103", "x"),
    ("let x = 1", "RW102", "x"),
    ("let max = 1", "RW102", "max"),
    ("y[thread.x] = nothing(1)", "RW109", "nothing"),
    ("y[thread.x] = exp(1.0, 2.0)", "RW108", "exp"),
    ("y[0, 1] = 1.0", "RW117", "y[0, 1]"),
    ("y[0.5] = 1.0", "RW117", "0.5"),
    ("m[0] = 0.5", "RW117", "0.5"),
    ("if n { m[0] = 1 }", "RW117", "n"),
    ("while 1 { }", "RW117", "1"),
    ("m[0] = n < 2", "RW117", "n < 2"),
    ("let v = (n < 2) + 1", "RW117", "n < 2"),
    ("y[0] = 5.0 % 2.0", "RW117", "5.0 % 2.0"),
    ("for i in 0..4 step 0 { }", "RW117", "0"),
    ("for i in n { }", "RW117", "n"),
    ("let v = thread", "RW117", "thread"),
    ("let v = thread.w", "RW117", "thread.w"),
    ("var v: real = 1", "RW120", "real"),
    ("var v", "RW117", "var v"),
    ("n", "RW117", "n"),
    ("let t = (n < 1) == true; let u = t < 1", "RW106", "t < 1"),
    ("let v = x", "RW103", "x"),
    ("let v = n[0]", "RW103", "n"),
    ("define A = 1", "RW117", "define A = 1"),
    ("break", "RW117", "break"),
    ("if n < 2 { continue }", "RW117", "continue"),
    ("atomic_add(m[0])", "RW108", "atomic_add"),
    ("atomic_cas(m[0], 1)", "RW108", "atomic_cas"),
    ("atomic_add(m, 1)", "RW117", "m"),
    ("atomic_add(m[0], 0.5)", "RW117", "0.5"),
    ("atomic_xor(y[0], 1)", "RW117", "y[0]"),
    ("atomic_add(m[0], mask = 1)", "RW117", "mask = 1"),
    ("var a: s32[2]; atomic_add(a[0], 1)", "RW117", "a[0]"),
    ("shared h: u8[4]; atomic_add(h[0], 1)", "RW117", "h[0]"),
    ("let v = shuffle(n < 2, 0)", "RW117", "n < 2"),
    ("let v = shuffle(n, 0.5)", "RW117", "0.5"),
    ("let v = shuffle(n, 1, width = 12)", "RW117", "12"),
    ("let v = shuffle_up(n)", "RW108", "shuffle_up"),
    ("let v = ballot(n)", "RW117", "n"),
    ("let v = any(n < 2, n)", "RW108", "any"),
    ("barrier(block)", "RW117", "barrier(block)"),
    ("barrier(1)", "RW117", "barrier(1)"),
    ("barrier(warp, 1, 2)", "RW117", "barrier(warp, 1, 2)"),
    ("barrier(warp, 0.5)", "RW117", "0.5"),
    ("let v = barrier()", "RW117", "barrier()"),
    ("let a: f32[4] = 0.0", "RW117", "f32[4]"),
    ("var a: f32[4] = 0.0", "RW118", "0.0"),
    ("var a: f32[thread.x]", "RW117", "thread.x"),
    ("let lane = 1; let v = lane.x", "RW117", "lane.x"),
]


def place(model: Declared, finding: Finding) -> Span:
    assert isinstance(finding.place, Site)
    return model.sites[finding.place.number]


@pytest.mark.parametrize(("statements", "code", "at"), WRONG, ids=[case[0] for case in WRONG])
def test_error_stands_at_its_place(statements: str, code: str, at: str) -> None:
    header = "kernel tested<N = 8>(x: in f32[N], y: out f32[N], m: out s32[N], n: s32 = 5) {\n"
    text = f"{header}  launch block(4)\n  {statements}\n}}\n"
    model = declared(text)
    found = [(f.code, text[(span := place(model, f)).start : span.end]) for f in model.findings]
    assert (code, at) in found, found
    assert model.value is None
    assert len(found) == 1, found


HEADERS = [
    ("kernel k<N: s32 = 2>(x: in f32[N]) { launch block(N) }", "RW118", "s32"),
    ("kernel k(x: f32[4]) { launch block(1) }", "RW117", "x: f32[4]"),
    ("kernel k(x: in f32) { launch block(1) }", "RW117", "f32"),
    ("kernel k(x: in int[4]) { launch block(1) }", "RW120", "int"),
    ("kernel k(x: in f32[i: 4]) { launch block(1) }", "RW117", "i"),
    ("kernel k(x: in f32[M]) { launch block(1) }", "RW101", "M"),
    ("kernel k(x: in f32[4]) { launch block(thread.x) }", "RW117", "thread.x"),
    ("kernel k(x: in f32[4]) { launch blocks(4) }", "RW117", "blocks(…)"),
    ("kernel k(x: in f32[4]) { launch block(1, 2, 3, 4) }", "RW117", "block(1, 2, 3, 4)"),
    ("kernel k(x: out f32[4]) { launch block(1); requires forall i in 0..4: x[i] > 0.0 }", "RW117", "x[i] > 0.0"),
    ("kernel k(x: in f32[4]) { launch block(1); requires some i: x[i] > 0.0 }", "RW117", "some i: x[i] > 0.0"),
    ("kernel k(x: in f32[4], x: in f32[4]) { launch block(1) }", "RW102", "x"),
    ('kernel k(x: in f32[4]) from "a.cu"::k { launch block(1); let y = 1 }', "RW117", "let y = 1"),
    ("kernel k(x: in f32[4]) { launch block(1), shared(16) }", "RW117", "shared(16)"),
    ('kernel k(x: in f32[4]) from "a.cu"::k { launch block(1), shared(1, 2) }', "RW117", "shared(1, 2)"),
    ('kernel k<N>(x: in f32[4]) from "a.cu"::k<N> { launch block(1) }', "RW117", "N"),
    ('kernel k(x: in f32[4]) from "a.cu"::k<[1]> { launch block(1) }', "RW117", "[1]"),
    ("kernel k(c: inout s32[4]) { launch block(atomic_add(c[0], 1)) }", "RW117", "atomic_add(c[0], 1)"),
    ("kernel k(c: in s32[4]) { launch block(1); requires any(c[0] == 1) }", "RW117", "any(c[0] == 1)"),
]


@pytest.mark.parametrize(("text", "code", "at"), HEADERS, ids=[case[0] for case in HEADERS])
def test_error_in_the_header(text: str, code: str, at: str) -> None:
    model = declared(text)
    spans = [(f.code, place(model, f)) for f in model.findings]
    found = [(number, text.encode()[span.start : span.end].decode()) for number, span in spans]
    expected = at if at in text else at.replace("(…)", "(4)")
    assert (code, expected) in found, found


LATER = [
    ("let v = ?", "?"),
    ("ensures forall i in 0..8: m[i] == 0", "ensures forall i in 0..8: m[i] == 0"),
    ("let (a, b) = sort(x)", "let (a, b) = sort(x)"),
]


@pytest.mark.parametrize(("statements", "at"), LATER, ids=[case[0] for case in LATER])
def test_what_is_not_decided_is_noted_at_its_place(statements: str, at: str) -> None:
    text = f"kernel tested(x: in f32[8], m: out s32[8]) {{\n  launch block(4)\n  {statements}\n}}\n"
    model = declared(text)
    places = [text[(span := model.sites[each.site]).start : span.end] for each in model.unsupported]
    assert at in places, (places, model.findings)


def test_what_a_source_is_launched_with() -> None:
    text = (
        'kernel k<N = 64, M>(x: in f32[N]) from "a.cu"::copy<N, 0x10, float, "unsigned int"> {\n'
        "  launch block(N), shared(4 * N)\n}\n"
    )
    kernel = declared(text).value
    assert isinstance(kernel, Kernel)
    assert isinstance(kernel.body, Foreign)
    assert kernel.body.arguments == ("64", "16", "float", "unsigned int")
    assert kernel.launch.shared is not None


def test_a_kernel_without_a_launch_is_unknown() -> None:
    model = declared("kernel k(x: in f32[4]) { let v = x[0] }")
    assert [each.reason for each in model.unsupported] == ["no launch is given; state `launch block(…)`"]


def test_symbols_know_their_uses() -> None:
    text = "kernel k<N = 4>(x: in f32[N]) {\n  launch block(N)\n  let v = x[0]\n  let w = v\n}\n"
    symbols = {symbol.name: symbol for symbol in declared(text).symbols}
    assert {name: len(symbol.uses) for name, symbol in symbols.items()} == {"k": 0, "N": 2, "x": 1, "v": 1, "w": 0}
    assert symbols["v"].detail == "v: f32"


HALF_TYPED = """kernel k<N = 4>(x: in f32[N], y: out f32[N]) {
  launch block(N)
  shared s: f32[N]
  for i in 0..N { s[i] += x[i] }
  if thread.x < N { y[thread.x] = s[0] } else { barrier() }
}
"""


@pytest.mark.parametrize("end", range(len(HALF_TYPED)))
def test_a_half_typed_declaration_has_a_model(end: int) -> None:
    for placed in parse(Text.of("kernel.rw", HALF_TYPED[:end])).file.declarations:
        model = check_declaration(placed.node, placed.problems, Surroundings())
        assert model.findings or model.value is not None or model.unsupported
