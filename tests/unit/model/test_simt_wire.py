"""Programs over the wire: nothing is lost, and equal programs have equal texts wherever they stand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rewright.frontends.own.lower import lower_own
from rewright.model.body import Body
from rewright.model.canonical import canonical
from rewright.model.file import check_file
from rewright.model.kernel import Kernel
from rewright.model.placeless import Numbering, placeless
from rewright.model.simt.instructions import Barrier, Constant, Move, Register, VoteKind
from rewright.model.simt.program import Program
from rewright.model.simt.types import Scalar
from rewright.model.simt.wire import WiredCode, WiredProgram, decode_code, encode_code, unwired, wired
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import InSource, Site
from rewright.verdict.codec import CodecError, decode, encode

KERNEL = """kernel k<N = 8>(x: in f32[N], y: out f32[N]) {
  launch block(N)
  shared tile: f32[N]
  var sum: f32 = 0.0
  for i in 0..N { if i != 3 { sum = sum + x[i] * exp(-1.5) } }
  tile[thread.x] = sum
  barrier()
  y[thread.x] = tile[N - 1 - thread.x]
}
"""


def program(text: str) -> Program:
    model = check_file(parse(Text.of("k.rw", text), None), lambda _: None)
    kernel = model.declarations[0].value
    assert isinstance(kernel, Kernel) and isinstance(kernel.body, Body), model.declarations[0].findings
    return lower_own(kernel.body)


def test_a_program_comes_back_as_it_went() -> None:
    there = program(KERNEL)
    assert len(there.code) > 20 and there.loops
    sent = encode(wired(there, Numbering(100)))
    assert unwired(decode(WiredProgram, sent)) == there


@pytest.mark.parametrize("value", [0.0, -0.0, float("inf"), float("-inf"), 1e-45, 0.1, 3.0])
def test_floats_come_back_to_the_bit(value: float) -> None:
    code = (Move(Register(0, Scalar.F32), Constant(value, Scalar.F32), Site(0)),)
    (move,) = decode_code(encode_code(WiredCode(code, ()), Numbering(1))).instructions
    assert isinstance(move, Move) and isinstance(move.operand, Constant)
    assert repr(move.operand.value) == repr(value)
    assert isinstance(move.operand.value, float)


def test_what_may_be_missing_comes_back_missing() -> None:
    code = (
        Barrier(None, None, None, Site(3)),
        Barrier(VoteKind.ANY, Register(1, Scalar.PRED), Constant(1, Scalar.PRED), Site(4)),
    )
    assert decode_code(encode_code(WiredCode(code, ()), Numbering(5))).instructions == code


def at(start: int) -> WiredCode:
    place, other = InSource("a.cu", start, start + 3), InSource("b.cuh", start, start + 5)
    first = Move(Register(0, Scalar.S32), Constant(1, Scalar.S32), place)
    return WiredCode((first, replace(first, place=other), replace(first, place=place)), ())


def test_places_are_numbered_after_the_sites_of_the_declaration() -> None:
    numbering = Numbering(7)
    came = decode_code(encode_code(at(20), numbering)).instructions
    assert [each.place for each in came] == [Site(7), Site(8), Site(7)]
    assert numbering.places == (InSource("a.cu", 20, 23), InSource("b.cuh", 20, 25))


def test_moved_text_is_the_same_question() -> None:
    assert encode_code(at(20), Numbering(7)) == encode_code(at(99), Numbering(7))


def test_names_are_no_part_of_a_canonical_program() -> None:
    def text(source: str) -> str:
        return encode(canonical(wired(program(source), Numbering(0)))[0])

    renamed = KERNEL.replace("tile", "partial").replace("sum", "total").replace("N", "count")
    assert text(renamed) == text(KERNEL)
    assert text(KERNEL.replace("-1.5", "-1.25")) != text(KERNEL)


def test_places_anywhere_in_a_value_are_numbered() -> None:
    numbering = Numbering(2)
    sites: object = placeless((Site(1), InSource("a", 1, 2), (InSource("a", 1, 2), InSource("a", 3, 4))), numbering)
    assert sites == (Site(1), Site(2), (Site(2), Site(3)))


@pytest.mark.parametrize(
    "text", ["", "[]", '[[],[],[["Nothing"]],[]]', '[[],[],[["Exit",1,2]],[]]', '[[],[],[["Move",0,0,0]],[]]']
)
def test_a_text_that_is_no_code_is_reported(text: str) -> None:
    with pytest.raises(CodecError):
        decode_code(text)
