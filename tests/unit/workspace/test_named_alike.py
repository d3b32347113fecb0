"""Two refinements of the same two graphs: each is asked, and each has its verdict."""

from __future__ import annotations

from pathlib import Path

from rewright.verdict import Verdict
from rewright.workspace.batch import Batch, CheckOptions

GRAPHS = """graph whole(x: f32[m]) -> y {
  y = x * 2
}
graph parts(x: f32[m / tp]) -> y on mesh(tp = 2) {
  y = x * 2
}
refine parts of whole {
  x: shard(m, tp)
}
refine parts of whole {
  x: shard(m, tp)
  expect y: shard(m, tp)
}
"""


def test_several_refinements_of_the_same_graphs_are_all_asked(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(GRAPHS)
    batch = Batch((str(tmp_path / "a.rw"),), CheckOptions())
    assert len(list(batch.run())) == 2
    verdicts = [result.verdict for result in batch.report().results() if result.questions]
    assert verdicts == [Verdict.PROVED, Verdict.PROVED]
