"""What is said of a source beside the kernels that are checked: once for a document, with each declared kernel."""

from __future__ import annotations

from collections.abc import Iterable

from cuda_documents import documented, shown

from rewright.checks.kernel_question import OutlinedSource, OutlinePayload, SourceText
from rewright.checks.lowering import outline_source
from rewright.frontends.preset import Preset, anywhere
from rewright.verdict import Finding
from rewright.verdict.diagnostics.kernels import NotChecked

KERNEL = "// rewright: launch block(4)\n__global__ void k(float *x) {\n  x[threadIdx.x] = 0;\n}\n"


def _outlined(document: str) -> OutlinedSource:
    return outline_source(OutlinePayload("k.cu", (SourceText("k.cu", document),)))


def _reasons(findings: Iterable[Finding]) -> list[str]:
    said = [finding.diagnosis for finding in findings]
    return [each.reason for each in said if isinstance(each, NotChecked)]


def test_missing_file_is_reported_with_a_kernel_that_is_lowered() -> None:
    document = f'#include "lib/a.cuh"\n{KERNEL}'
    lowered = documented(document, "k")
    assert lowered.program is not None
    assert lowered.read == ("k.cu", "lib/a.cuh", anywhere("k.cu", "lib/a.cuh"))
    (problem,) = lowered.problems
    assert problem.reason == "`lib/a.cuh` is not in the workspace"
    assert shown(document, problem.place) == 'include "lib/a.cuh"'


def test_document_reports_what_is_wrong_outside_of_kernels_once() -> None:
    found = _outlined(f'#include "lib/a.cuh"\n#error not so\n{KERNEL}{KERNEL.replace("void k", "void l")}')
    assert _reasons(found.problems) == ["`#error` not so", "`lib/a.cuh` is not in the workspace"]
    for kernel in found.kernels:
        assert kernel.lowered is not None and kernel.lowered.asking is not None
        assert kernel.lowered.problems == ()


def test_macro_of_a_launch_holds_for_its_kernel_and_for_what_is_said_of_the_text_around() -> None:
    needs = "#ifndef N\n#error N is needed\n#endif\n#if N > 32\n#error N is too large\n#endif\n"
    with_macro = KERNEL.replace("block(4)", "block(4); define N = 4").replace("= 0", "= N")
    (kernel,) = (found := _outlined(f"{needs}{with_macro}")).kernels
    assert found.problems == ()
    assert kernel.lowered is not None and kernel.lowered.asking is not None and kernel.lowered.problems == ()

    another = _outlined(f"{needs}{with_macro}{KERNEL.replace('void k', 'void l')}")
    assert _reasons(another.problems) == ["`#error` N is needed"], "the other kernel is read without"
    assert [kernel.lowered and kernel.lowered.problems for kernel in another.kernels] == [(), ()]

    too_large = _outlined(f"{needs}{with_macro.replace('N = 4', 'N = 64')}")
    assert too_large.problems == ()
    assert [_reasons(kernel.lowered.problems) for kernel in too_large.kernels if kernel.lowered is not None] == [
        ["`#error` N is too large"]
    ]
    assert _reasons(_outlined(f"{needs}__global__ void k() {{}}\n").problems) == ["`#error` N is needed"]


def test_macros_and_folders_of_the_project_hold_for_launches_too() -> None:
    document = "#include <a.cuh>\n// rewright: launch block(4)\n__global__ void k(T *x) { x[threadIdx.x] = A; }\n"
    sources = (SourceText("k.cu", document), SourceText("../include/a.cuh", "#define A N\ntypedef float T;\n"))
    found = outline_source(OutlinePayload("k.cu", sources, Preset(("../include",), (("N", "4"),))))
    (kernel,) = found.kernels
    assert kernel.lowered is not None and kernel.lowered.asking is not None and found.problems == ()
    assert found.read == ("k.cu", "../include/a.cuh")
    (bare,) = outline_source(OutlinePayload("k.cu", sources)).kernels
    assert bare.lowered is not None and bare.lowered.asking is None


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
    assert _reasons(kernel.lowered.problems) == ["no launch is given; state `launch block(…)`"]
    assert (kernel.launch, found.problems) == ("", ())
