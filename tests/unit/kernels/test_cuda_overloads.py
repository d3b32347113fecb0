"""Several kernels of one name in a source: each is a kernel of its own, and a call is that of the one that it fits."""

from __future__ import annotations

from rewright.checks.kernel import answer
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.rules.decision import Budget
from rewright.verdict import Verdict


def verdicts(document: str) -> dict[str, Verdict | None]:
    """What is said of each kernel of a document at its first launch, None where none is known."""
    found: dict[str, Verdict | None] = {}
    for outlined in outline("a.cu", {"a.cu": document}).kernels:
        assert not outlined.findings and not outlined.problems, (outlined.findings, outlined.problems)
        found[outlined.name] = None
        if outlined.kernel is not None:
            lowered = lower(outlined.kernel, {"a.cu": document})
            assert lowered.program is not None, lowered.problems
            found[outlined.name] = answer(outlined.kernel, lowered.program, Budget()).verdict
    return found


GOOD = "{ x[threadIdx.x] = 1; }"
BAD = "{ x[threadIdx.x / 2] = threadIdx.x; }"


def test_comments_speak_of_the_kernel_below_them() -> None:
    document = f"// rewright: launch block(64)\n__global__ void k(float *x) {GOOD}\n"
    document += f"// rewright: launch block(64)\n__global__ void k(double *x) {BAD}\n"
    assert verdicts(document) == {"k": Verdict.CHECKED, "k'2": Verdict.REFUTED}


def test_calls_find_an_overload_by_the_number_of_arguments() -> None:
    document = f"__global__ void k(float *x) {GOOD}\n__global__ void k(float *x, int n) {BAD}\n"
    one, two = "k<<<1, 64>>>(x);", "k<<<1, 64>>>(x, 3);"
    assert verdicts(f"{document}void run(float *x) {{ {one} }}") == {"k": Verdict.CHECKED, "k'2": None}
    assert verdicts(f"{document}void run(float *x) {{ {two} }}") == {"k": None, "k'2": Verdict.REFUTED}


def test_calls_that_two_overloads_fit_are_nobodys() -> None:
    document = f"__global__ void k(float *x) {GOOD}\n__global__ void k(double *x) {BAD}\n"
    assert verdicts(f"{document}void run(float *x) {{ k<<<1, 64>>>(x); }}") == {"k": None, "k'2": None}


def test_a_full_specialisation_comes_before_its_template() -> None:
    document = f"template <typename T> __global__ void k(T *x) {GOOD}\n"
    document += f"template <> __global__ void k<double>(double *x) {BAD}\n"
    assert verdicts(f"{document}void run(float *x) {{ k<float><<<1, 64>>>(x); }}") == {
        "k": Verdict.CHECKED,
        "k'2": None,
    }
    assert verdicts(f"{document}void run(double *x) {{ k<double><<<1, 64>>>(x); }}") == {
        "k": None,
        "k'2": Verdict.REFUTED,
    }


def test_kernels_of_two_namespaces_are_two() -> None:
    document = f"namespace a {{\n// rewright: launch block(64)\n__global__ void k(float *x) {GOOD} }}\n"
    document += f"namespace b {{\n// rewright: launch block(64)\n__global__ void k(float *x) {BAD} }}\n"
    assert verdicts(document) == {"k": Verdict.CHECKED, "k'2": Verdict.REFUTED}


def test_a_template_and_a_function_of_its_name_are_told_apart_by_template_arguments() -> None:
    document = f"__global__ void k(int n) {{}}\ntemplate <int N> __global__ void k(float *x, int n) {BAD}\n"
    assert verdicts(f"{document}void run(float *x) {{ k<4><<<1, 64>>>(x, 3); k<<<1, 64>>>(3); }}") == {
        "k": Verdict.CHECKED,
        "k'2": Verdict.REFUTED,
    }
