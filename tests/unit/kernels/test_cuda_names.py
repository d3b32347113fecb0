"""Names that a kernel may give its parameters though they have a meaning elsewhere, and lists of none."""

from __future__ import annotations

import pytest
from cuda_documents import documented, the_kernel
from kernel_texts import ask, declared

from rewright.frontends.cuda.launches.outline import outline
from rewright.model.kernel import ScalarParameter
from rewright.verdict import Verdict
from rewright.verdict.diagnostics.names import NameTaken, TakenBy

FUNCTIONS = (
    "min",
    "max",
    "abs",
    "log",
    "round",
    "sqrt",
    "prod",
    "reduce",
    "select",
    "elem",
    "block",
    "thread",
    "barrier",
)
WORDS = ("launch", "requires", "define", "grid", "in", "out")


@pytest.mark.parametrize("name", (*FUNCTIONS, *WORDS))
def test_a_comment_speaks_of_a_parameter_whatever_it_is_called(name: str) -> None:
    comment = f"// rewright: launch block(4); {name} = 3; requires {name} > 2"
    kernel = the_kernel(f"{comment}\n__global__ void k(int *x, int {name}) {{ x[{name}] = 1; }}\n", "k")
    (parameter,) = (each for each in kernel.parameters if isinstance(each, ScalarParameter))
    assert (str(parameter.name), parameter.value is not None, len(kernel.requires)) == (name, True, 1)


def test_functions_are_called_beside_parameters_of_their_names() -> None:
    comment = "// rewright: launch block(max(min, 1)); min = 4; x: in f32[min]; requires max(min, 2) == min, min < max"
    document = f"{comment}\n__global__ void k(const float *x, float *y, int min, int max) {{ y[min] = x[max]; }}\n"
    assert documented(document, "k").program is not None


def test_a_declaration_of_a_source_may_use_its_names_and_one_with_a_body_may_not() -> None:
    source = "__global__ void f(const float *x, float *y, float min, int max) { if (x[max] < min) y[max] = min; }"
    text = 'kernel k(x: in f32[8], y: out f32[8], min: f32 = 0.5, max: s32 = 3) from "a.cu"::f { launch block(1) }'
    assert ask(text, a_cu=source).verdict is Verdict.CHECKED
    (finding,) = declared("kernel k(x: out f32[4], min: s32 = 1) {\n  launch block(1)\n  x[0] = 1.0\n}").findings
    assert finding.diagnosis == NameTaken("min", TakenBy.BUILT_IN)


def test_what_is_no_name_in_c_cannot_be_declared() -> None:
    (finding,) = declared('kernel k(true: s32 = 1) from "a.cu"::f { launch block(1) }').findings
    assert finding.diagnosis == NameTaken("true", TakenBy.BUILT_IN)


@pytest.mark.parametrize("listed", ["void", " /* none */ void ", "\n  void\n", "NONE", ""])
def test_a_kernel_without_parameters_is_launched_by_comment_and_by_call(listed: str) -> None:
    kernel = f"#define NONE void\n{{}}__global__ void k({listed}) {{{{ __shared__ int s; s = threadIdx.x; }}}}\n"
    comment, called = "// rewright: launch block(4)\n", "void run() { k<<<1, 64>>>(); }\n"
    for document in (kernel.format(comment), kernel.format("") + called):
        assert the_kernel(document, "k").parameters == ()
        assert documented(document, "k").program is not None


def test_a_pointer_to_void_is_a_parameter() -> None:
    assert len(the_kernel("// rewright: launch block(4)\n__global__ void k(void *p) { }\n", "k").parameters) == 1
    (outlined,) = outline("k.cu", {"k.cu": "// rewright: launch block(4)\n__global__ void k(void p) { }\n"}).kernels
    assert outlined.kernel is None
