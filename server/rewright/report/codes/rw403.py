"""RW403: a graph or a relation that nothing satisfies."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.graphs import NoInputSatisfies


def _message(diagnosis: NoInputSatisfies) -> str:
    return f"no input satisfies this: {diagnosis.why}"


CODE = Code(
    code="RW403",
    title="a graph or a relation that nothing satisfies",
    message=_message,
    page="""
No values of the sizes, or no inputs, satisfy what the graphs and the placements say together. A refinement of it would
hold of nothing, so it is refuted rather than proved.

**What to do.** Correct the sizes, or the placements of the inputs.
""",
)
