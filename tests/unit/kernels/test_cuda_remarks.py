"""What is said of a source beside the kernels that are checked: once for a document, with each declared kernel."""

from __future__ import annotations

from cuda_documents import documented, shown

from rewright.checks.kernel_question import OutlinedSource, OutlinePayload, SourceText
from rewright.checks.lowering import outline_source

KERNEL = "// rewright: launch block(4)\n__global__ void k(float *x) {\n  x[threadIdx.x] = 0;\n}\n"


def _outlined(document: str) -> OutlinedSource:
    return outline_source(OutlinePayload("k.cu", (SourceText("k.cu", document),)))


def _reasons(findings: object) -> list[str]:
    return [dict(finding.arguments)["reason"] for finding in findings]  # type: ignore[attr-defined]


def test_missing_file_is_told_with_a_kernel_that_is_lowered() -> None:
    document = f'#include "lib/a.cuh"\n{KERNEL}'
    lowered = documented(document, "k")
    assert lowered.program is not None
    assert lowered.read == ("k.cu", "lib/a.cuh")
    (problem,) = lowered.problems
    assert problem.reason == "`lib/a.cuh` is not in the workspace"
    assert shown(document, problem.place) == 'include "lib/a.cuh"'


def test_document_tells_what_is_wrong_outside_of_kernels_once() -> None:
    found = _outlined(f'#include "lib/a.cuh"\n#error not so\n{KERNEL}{KERNEL.replace("void k", "void l")}')
    assert _reasons(found.problems) == ["`#error` not so", "`lib/a.cuh` is not in the workspace"]
    for kernel in found.kernels:
        assert kernel.lowered is not None and kernel.lowered.asking is not None
        assert kernel.lowered.problems == ()


def test_directive_that_is_wrong_inside_a_kernel_keeps_it_from_being_asked() -> None:
    broken = KERNEL.replace("  x", "#error not so\n  x")
    found = _outlined(f"{broken}{KERNEL.replace('void k', 'void l')}")
    first, second = (kernel.lowered for kernel in found.kernels)
    assert first is not None and first.asking is None and _reasons(first.problems) == ["`#error` not so"]
    assert second is not None and second.asking is not None


def test_kernel_whose_launch_is_not_right_is_not_asked_and_says_so() -> None:
    found = _outlined("// rewright: n = 3\n__global__ void k(int n) {}\n")
    (kernel,) = found.kernels
    assert kernel.lowered is not None and kernel.lowered.asking is None
    assert _reasons(kernel.lowered.problems) == ["no launch is given; say `launch block(…)`"]
    assert (kernel.launch, found.problems) == ("", ())
