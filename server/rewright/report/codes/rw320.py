"""RW320: what happens depends on the last places of floats."""

from rewright.report.codes import Code
from rewright.verdict.diagnostics.kernels import DependsOnFloats


def _message(diagnosis: DependsOnFloats) -> str:
    return f"not decided: {diagnosis.reason}"


CODE = Code(
    code="RW320",
    title="result depends on floats",
    message=_message,
    page="""
The kernel is unknown: an error was found, but it did not happen again in the replay, and control or an address depends
on floats there. Functions of floats (`expf`) may differ in their last places between machines, so neither run decides.

**What to do.** Let control and addresses depend on integers, or require inputs for which the last places do not matter.
""",
)
