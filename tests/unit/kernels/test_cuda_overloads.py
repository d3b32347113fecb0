"""Several kernels of one name in a source: each is a kernel of its own, and a call is that of the one that it fits."""

from __future__ import annotations

import pytest

from rewright.checks.kernel import answer
from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.programs import lower
from rewright.model.body import Integer
from rewright.model.kernel import Foreign, ScalarParameter
from rewright.model.simt.types import Scalar
from rewright.rules.decision import Budget
from rewright.verdict import Site, Verdict


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
    assert verdicts(f"{document}void run(Array &x) {{ k<<<1, 64>>>(x.data()); }}") == {"k": None, "k'2": None}
    (kernel, _) = outline("a.cu", {"a.cu": f"{document}void run(Real *x) {{ k<<<1, 64>>>(x); }}"}).kernels
    assert kernel.unlaunched == "`k<<<1, 64>>>`: which of the kernels `k` it launches is not known"


@pytest.mark.parametrize(
    ("passed", "launched"),
    [
        ("float *x", 1),
        ("const float *x", 1),
        ("double *x", 2),
        ("Pair *x", 3),
        ("long *x", 4),
        ("std::int64_t *x", 4),
        ("float x[4]", 1),
    ],
)
def test_calls_find_an_overload_by_the_types_of_what_they_pass(passed: str, launched: int) -> None:
    document = "typedef struct { int a, b; } Pair;\ntypedef long Index;\n"
    document += "".join(f"__global__ void k({each} *x, long n) {{}}\n" for each in ("float", "double", "Pair", "Index"))
    assert launches(f"{document}void run({passed}) {{ k<<<1, 64>>>(x, 3); }}") == {launched}


@pytest.mark.parametrize(
    ("instances", "launched"),
    [
        ("template void run(float *x); template void run(double *x);", {1, 2}),
        ("template void run<float>(float *x);", {1}),
        ("template <typename T> void run(T *x); template void run(double *x);", {2}),
        ("void all(double *x) { run<double>(x); }", {2}),
    ],
)
@pytest.mark.parametrize("written", ["k", "k<T>"])
@pytest.mark.parametrize("special", ["k", "k<double>"])
def test_a_template_or_its_specialisation_is_found_by_the_instances_of_the_host(
    instances: str, launched: set[int], written: str, special: str
) -> None:
    document = f"template <typename T> __global__ void k(T *x, int n = 3) {GOOD}\n"
    document += f"template <> __global__ void {special}(double *x, int n) {BAD}\n"
    document += f"template <typename T> void run(T *x) {{ {written}<<<1, 64>>>(x, size()); }}\n"
    assert launches(document + instances) == launched


def test_a_specialisation_is_open_where_a_type_of_its_template_is_not_known() -> None:
    document = f"template <typename T, typename U> __global__ void k(T *x, U *y) {GOOD}\n"
    document += f"template <> __global__ void k(double *x, double *y) {BAD}\n"
    assert launches(f"{document}void run(double *x) {{ k<<<1, 64>>>(x, y()); }}") == set()
    assert launches(f"{document}void run(float *x) {{ k<<<1, 64>>>(x, y()); }}") == set()
    assert launches(f"{document}void run(double *x) {{ k<<<1, 64>>>(x, x); }}") == {2}


def test_a_function_that_fits_as_well_comes_before_a_template() -> None:
    document = (
        f"template <typename T> __global__ void k(T *x, int n) {GOOD}\n__global__ void k(float *x, int n) {BAD}\n"
    )
    assert launches(f"{document}void run(float *x) {{ k<<<1, 64>>>(x, 1); }}") == {2}
    assert launches(f"{document}void run(int *x) {{ k<<<1, 64>>>(x, 1); }}") == {1}
    assert launches(f"{document}void run() {{ k<<<1, 64>>>(y(), 1); }}") == set()


def test_defaults_are_passed() -> None:
    document = "__global__ void k(float *x, int n = 3, int on = 1) { x[threadIdx.x] = n; }\n"
    (kernel,) = outline("a.cu", {"a.cu": f"{document}void run(float *x) {{ k<<<1, 64>>>(x); }}"}).kernels
    assert kernel.kernel is not None
    values = [each.value for each in kernel.kernel.parameters if isinstance(each, ScalarParameter)]
    assert values == [Integer(3, Scalar.S32, Site(0)), Integer(1, Scalar.S32, Site(0))]


def test_branches_that_an_instance_does_not_come_to_launch_nothing() -> None:
    document = f"template <typename T> __global__ void k(T *x) {GOOD}\n"
    for condition in ("sizeof(T) == 4", "std::is_same<T, float>::value", "std::is_same_v<T, float>"):
        host = f"template <typename T> void run(T *x) {{ if ({condition}) {{ k<<<1, 64>>>(x); }} }}\n"
        half = f"template <typename T> void run(T *x) {{ if ({condition}) return; k<<<1, 64>>>(x); }}\n"
        both = "template void run(float *x); template void run(double *x);"
        assert arguments(document + host + both) == {"float"}
        assert arguments(document + half + both) == {"double"}
        assert arguments(document + half) == {"float"}  # no instance is known: that it is `float` is a guess


def arguments(document: str) -> set[str]:
    """The template arguments that the first kernel of a document is launched with."""
    launches = outline("a.cu", {"a.cu": document}).kernels[0].launches
    return {each.kernel.body.arguments[0] for each in launches if isinstance(each.kernel.body, Foreign)}


def launches(document: str) -> set[int]:
    """The numbers of the kernels of a document that it launches."""
    kernels = outline("a.cu", {"a.cu": document}).kernels
    return {number for number, each in enumerate(kernels, 1) if each.launches}


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
