"""Where a refutation points: at what takes or sends another part, and at the inputs that are placed otherwise."""

from __future__ import annotations

import pytest
from test_graph_refinements import refinements, related, verdict

from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import InDeclaration, Role

TAKEN = """graph whole(x: f32[m, d]) -> y {
  z = sine(x)
  e = exp(z + z)
  y = e / transpose(broadcast(reduce(add, e, 0), i: m), [1, 0])
}
graph parts(x: f32[m, d]) -> y on mesh(sp = 2) {
  z = sine(slice(x, 1, 0, d/sp))
  e = exp(z + z)
  y = e / transpose(broadcast(reduce(add, e, 0), i: m), [1, 0])
}
refine parts of whole { expect y: shard(1, sp) }
"""
SENT = """graph whole(x: f32[m, d], a: f32[d, h]) -> y { y = exp(sine(x) @ a) }
graph parts(x: f32[m/sp, d], a: f32[d, h]) -> y on mesh(sp = 4) {
  u = collective_permute(x, over = sp, shift = 1)
  v = collective_permute(u, over = sp, shift = 2)
  y = exp(sine(v) @ a)
}
refine parts of whole { x: shard(0, sp); expect y: shard(0, sp) }
"""


@pytest.mark.parametrize(
    ("text", "operator"), [(TAKEN, "slice(x, 1, 0, d/sp)"), (SENT, "collective_permute(u, over = sp, shift = 2)")]
)
def test_what_takes_or_sends_another_part_is_underlined_though_it_is_read_on(text: str, operator: str) -> None:
    (finding,) = verdict("", text=text).findings
    assert isinstance(finding.place, InDeclaration) and finding.place.declaration == "parts"
    declared = check_file(parse(Text.of("test.rw", text)), lambda path: None).declarations[1]
    span, at = declared.sites[finding.place.number], text.index("graph parts")
    assert operator in text[at + span.start : at + span.end]


def test_an_input_that_is_cut_along_another_axis_is_related_beside_one_that_all_ranks_have() -> None:
    text = """graph whole(x: f32[m, d], a: f32[d, h], c: f32[h]) -> y { y = x @ a + c }
graph parts(x: f32[m, d], a: f32[d, h/tp], c: f32[h/tp]) -> y on mesh(tp = 2, sp = 2) { y = x @ a + c }
refine parts of whole { a: shard(1, sp); c: shard(0, tp); expect y: shard(1, tp) }
"""
    found = verdict("", text=text)
    placed = {each.name: each.site for each in refinements(text)["parts"].inputs}
    assert {number for role, number in related(found) if role is Role.INPUT} == {placed[Name("a")], placed[Name("c")]}
