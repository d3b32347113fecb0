"""Fixes of kernels: each is told only after the changed kernel was checked, and says what it does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from rewright.checks.kernel import answer_launches
from rewright.checks.kernel_question import LoweringPayload, OutlinePayload, SourceText
from rewright.fixes.edited import edited
from rewright.fixes.kernels.question import DeclaredKernel, DocumentKernel, KernelSearch, KernelText, OwnText
from rewright.fixes.kernels.search import kernel_fixes
from rewright.fixes.kernels.texts import changed, read, texts_of
from rewright.model.file import check_file
from rewright.model.kernel import Kernel
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Edit, Finding, InSource, Related, Role, Site, Verdict

Offered = list[tuple[str, str, str]]
"""Code, title and changed text of each fix."""


def cuda(statements: str, shared: str = "__shared__ float s[64];") -> DeclaredKernel:
    """Statements over a block of 64 threads, in a source that calls its parameters otherwise than the declaration."""
    text = 'kernel k<N = 64>(x: in f32[N], y: out f32[N], count: s32 = N) from "a.cu"::k { launch block(64) }'
    head = "__global__ void k(const float *in, float *out, int n) {"
    source = f"{head}\n  {shared}\n  int i = threadIdx.x;\n{statements}}}\n"
    return declared_in(text, source)


def declared_in(text: str, source: str) -> DeclaredKernel:
    declared = check_file(parse(Text.of("k.rw", text), None), lambda _: None).declarations[0]
    assert isinstance(declared.value, Kernel)
    lowering = LoweringPayload(declared.value, len(declared.sites), (SourceText("a.cu", source),))
    return DeclaredKernel(text, lowering)


def with_source(kernel: DeclaredKernel, source: str) -> DeclaredKernel:
    return replace(kernel, lowering=replace(kernel.lowering, sources=(SourceText("a.cu", source),)))


def own(statements: str) -> OwnText:
    header = "kernel k<N = 64>(x: in f32[N], y: out f32[N]) {\n  launch block(N)\n  shared s: f32[N]\n"
    return OwnText(f"{header}{statements}}}\n")


def findings(kernel: KernelText) -> tuple[Finding, ...]:
    there = read(kernel)
    assert there is not None
    answer = answer_launches(there.launches, (), Budget())
    return tuple(
        replace(
            each,
            place=there.located(each.place),
            related=tuple(replace(note, place=there.located(note.place)) for note in each.related),
        )
        for each in answer.findings
    )


def offered(kernel: KernelText) -> Offered:
    found = findings(kernel)
    return [
        (found[each.finding].code, each.title, edited(texts_of(kernel), each.edits)[path_of(each.edits)])
        for each in kernel_fixes(KernelSearch(kernel, found), Budget()).found
    ]


def path_of(edits: Sequence[Edit]) -> str:
    (path,) = {each.place.path for each in edits if isinstance(each.place, InSource)}
    return path


def lines(offers: Offered, before: KernelText) -> list[tuple[str, str, list[str]]]:
    """Each fix with the lines that are new."""
    *_, text = texts_of(before).values()
    return [(code, title, _new(text.splitlines(), after.splitlines())) for code, title, after in offers]


def _new(before: Sequence[str], after: Sequence[str]) -> list[str]:
    left = list(before)
    new = []
    for line in after:
        if line in left:
            left.remove(line)
        else:
            new.append(line.strip())
    return new


CASES: dict[str, tuple[KernelText, list[tuple[str, str, list[str]]]]] = {
    "a barrier": (
        cuda("  s[i] = in[i];\n  out[i] = s[63 - i];\n"),
        [("RW301", "Insert `__syncthreads();`", ["__syncthreads();"])],
    ),
    "a barrier outside of a branch": (
        cuda("  s[i] = in[i];\n  if (i < 32) {\n    out[i] = s[63 - i];\n  }\n"),
        [("RW301", "Insert `__syncthreads();`", ["__syncthreads();"])],
    ),
    "a barrier for the next pass": (
        own("  for i in 0..3 {\n    s[thread.x] = 1.0\n    barrier()\n    y[thread.x] = s[63 - thread.x]\n  }\n"),
        [("RW301", "Insert `barrier()`", ["barrier()"])],
    ),
    "two barriers": (
        own("  for i in 0..3 {\n    s[thread.x] = 1.0\n    y[thread.x] = s[63 - thread.x]\n  }\n"),
        [("RW301", "Insert `barrier()` at two places", ["barrier()", "barrier()"])],
    ),
    "a barrier of the warp": (
        cuda("  if (i < 16) {\n    s[i] = in[i];\n    out[i] = s[15 - i];\n  }\n"),
        [("RW309", "Insert `__syncwarp();`", ["__syncwarp();"])],
    ),
    "a barrier out of a branch": (
        cuda("  s[i] = in[i];\n  if (i < 32) {\n    __syncthreads();\n    out[i] = s[63 - i];\n  }\n"),
        [("RW303", "Move the barrier out of the branch", ["__syncthreads();"])],
    ),
    "guards in place of an early return": (
        cuda("  if (i >= 60) return;\n  s[i] = in[i];\n  __syncthreads();\n  if (i < 60)\n    out[i] = s[59 - i];\n"),
        [
            (
                "RW303",
                "Guard what follows in place of the early `return`",
                ["if (!(i >= 60)) s[i] = in[i];", "if (!(i >= 60)) if (i < 60)"],
            )
        ],
    ),
    "guards in place of an early return, in our own syntax": (
        own("  if thread.x > 9 { return }\n  s[thread.x] = 1.0\n  barrier()\n  y[thread.x] = s[9 - thread.x]\n"),
        [
            (
                "RW303",
                "Guard what follows in place of the early `return`",
                [
                    "if not (thread.x > 9) { s[thread.x] = 1.0 }",
                    "if not (thread.x > 9) { y[thread.x] = s[9 - thread.x] }",
                ],
            )
        ],
    ),
    "a guard with the name of the source": (
        cuda("  out[i + 1] = in[i];\n"),
        [("RW304", "Guard the access", ["if (i + 1 < n) out[i + 1] = in[i];"])],
    ),
    "a guard from below": (
        own("  y[thread.x] = x[thread.x - 1]\n"),
        [("RW304", "Guard the access", ["if thread.x - 1 >= 0 { y[thread.x] = x[thread.x - 1] }"])],
    ),
    "a wider array": (
        cuda("  s[i + 1] = in[i];\n  __syncthreads();\n  out[i] = s[64 - i];\n"),
        [
            ("RW304", "Guard the access", ["if (i + 1 < 64) s[i + 1] = in[i];"]),
            ("RW304", "Make `s` larger by 1", ["__shared__ float s[65];"]),
            ("RW304", "Guard the access", ["if (64 - i < 64) out[i] = s[64 - i];"]),
            ("RW304", "Make `s` larger by 1", ["__shared__ float s[65];"]),
        ],
    ),
    "an array wider by several": (
        cuda("  s[i + 8] = in[i];\n  out[i] = s[i + 8];\n"),
        [
            ("RW304", "Guard the access", ["if (i + 8 < 64) s[i + 8] = in[i];"]),
            ("RW304", "Make `s` larger by 8", ["__shared__ float s[72];"]),
            ("RW304", "Guard the access", ["if (i + 8 < 64) out[i] = s[i + 8];"]),
            ("RW304", "Make `s` larger by 8", ["__shared__ float s[72];"]),
        ],
    ),
    "a variable": (
        cuda("  float sum;\n  if (i < 3) sum = 1;\n  out[i] = sum;\n"),
        [("RW305", "Initialise `sum`", ["float sum = 0;"])],
    ),
    "an array": (
        own("  if thread.x < 9 { s[thread.x] = 1.0 }\n  barrier()\n  y[thread.x] = s[thread.x]\n"),
        [
            (
                "RW305",
                "Set `s` to zero first",
                ["for i in thread.x..N step block_dim.x { s[i] = 0.0 }", "barrier()"],
            )
        ],
    ),
    "a barrier that is not needed": (
        cuda("  s[i] = in[i];\n  __syncthreads();\n  out[i] = s[i];\n"),
        [("RW312", "Remove the barrier", [])],
    ),
    "nothing for what no barrier orders": (cuda("  s[0] = in[i];\n"), []),
    "nothing for a race between threads of one statement": (
        cuda("  s[i] = 1;\n  __syncthreads();\n  s[i] += s[(i + 1) % 64];\n"),
        [],
    ),
}


@pytest.mark.parametrize(("kernel", "expected"), CASES.values(), ids=CASES)
def test_what_fixes_a_kernel_is_offered(kernel: KernelText, expected: list[tuple[str, str, list[str]]]) -> None:
    assert lines(offered(kernel), kernel) == expected


@pytest.mark.parametrize("name", [name for name, (_, expected) in CASES.items() if len(expected) == 1])
def test_with_its_only_fix_the_kernel_is_checked(name: str) -> None:
    kernel, _ = CASES[name]
    ((_, _, text),) = offered(kernel)
    after = OwnText(text) if isinstance(kernel, OwnText) else cuda("")
    if isinstance(after, DeclaredKernel):
        after = with_source(after, text)
    there = read(after)
    assert there is not None
    assert answer_launches(there.launches, (), Budget()).verdict is Verdict.CHECKED


def test_one_of_two_findings_may_be_fixed_alone() -> None:
    kernel = cuda("  s[i] = in[i + 1];\n  out[i] = s[63 - i];\n")
    assert [(code, title) for code, title, _ in offered(kernel)] == [
        ("RW304", "Guard the access"),
        ("RW301", "Insert `__syncthreads();`"),
    ]


def test_two_calls_of_a_function_are_kept_apart_in_it() -> None:
    source = """__device__ float first(float *s, float v) {
  s[threadIdx.x] = v;
  __syncthreads();
  return s[0];
}
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[64];
  out[threadIdx.x] = first(s, in[threadIdx.x]) + first(s, 2.0f * in[threadIdx.x]);
}
"""
    kernel = with_source(cuda(""), source)
    ((code, _, text), *_) = offered(kernel)
    assert code == "RW301"
    assert text == source.replace("  s[threadIdx.x] = v;", "  __syncthreads();\n  s[threadIdx.x] = v;")


def test_an_access_to_an_array_without_elements_is_guarded_from_above() -> None:
    kernel = OwnText(
        "kernel k<N = 0>(x: in f32[4], y: out f32[N]) {\n  launch block(4)\n  y[thread.x] = x[thread.x]\n}\n"
    )
    assert lines(offered(kernel), kernel) == [
        ("RW304", "Guard the access", ["if thread.x < N { y[thread.x] = x[thread.x] }"])
    ]


@pytest.mark.parametrize("parameters", ["<N = 64>(x: in f32[N], y: out f32[N])", "(x: in f32[64], y: out f32[64])"])
def test_a_guard_has_the_number_where_no_parameter_has_it(parameters: str) -> None:
    text = f'kernel k{parameters} from "a.cu"::k {{ launch block(64) }}'
    source = "__global__ void k(const float *x, float *y) {\n  y[threadIdx.x + 1] = x[threadIdx.x];\n}\n"
    kernel = declared_in(text, source)
    assert lines(offered(kernel), kernel) == [
        ("RW304", "Guard the access", ["if (threadIdx.x + 1 < 64) y[threadIdx.x + 1] = x[threadIdx.x];"])
    ]


def test_notes_at_a_place_of_the_declaration_are_no_second_place() -> None:
    kernel = cuda("  s[i] = in[i];\n  out[i] = s[63 - i];\n")
    found = tuple(replace(each, related=(Related(Role.FIRST, Site(0)), *each.related)) for each in findings(kernel))
    titles = [each.title for each in kernel_fixes(KernelSearch(kernel, found), Budget()).found]
    assert titles == [title for _, title, _ in offered(kernel)] != []


def test_the_ends_of_lines_stay() -> None:
    kernel = cuda("  s[i] = in[i];\n  out[i] = s[63 - i];\n")
    source = kernel.lowering.sources[0].text.replace("\n", "\r\n")
    ((_, _, text),) = offered(with_source(kernel, source))
    assert text == source.replace("  out", "  __syncthreads();\r\n  out")


def test_a_search_that_runs_out_of_steps_says_so() -> None:
    kernel = cuda("  s[i] = in[i];\n  out[i] = s[63 - i];\n")
    found = kernel_fixes(KernelSearch(kernel, findings(kernel)), Budget(steps=1))
    assert (found.found, found.complete) == ((), False)


DOCUMENT = """// rewright: launch block(64)
__global__ void shift(const float *x, float *y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
"""


def test_a_changed_kernel_of_a_document_is_read_with_its_change() -> None:
    kernel = DocumentKernel(OutlinePayload("a.cu", (SourceText("a.cu", DOCUMENT),)), "shift")
    barrier = "  __syncthreads();\n"
    start = DOCUMENT.index(barrier)
    before, after = read(kernel), read(changed(kernel, [Edit(InSource("a.cu", start, start + len(barrier)), "")]))
    assert before is not None and after is not None
    assert len(after.launches[0].program.code) == len(before.launches[0].program.code) - 1
    assert read(changed(kernel, [Edit(InSource("a.cu", start, start), "  nothing_known();\n")])) is None


def test_a_declaration_with_errors_is_not_read() -> None:
    assert read(OwnText("kernel k { launch block(2); y[0] = 1 }\n")) is None


UNGUARDED = """__global__ void copied(float *y, const int *t, const float *x, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  y[i] = x[t[i]];
}
void run(float *y, const int *t, const float *x, int n) { copied<<<n / 32, 32>>>(y, t, x, n); }
"""


def test_a_condition_is_stated_above_the_kernel_with_the_size_that_it_speaks_of() -> None:
    kernel = DocumentKernel(OutlinePayload("a.cu", (SourceText("a.cu", UNGUARDED),)), "copied")
    found = kernel_fixes(KernelSearch(kernel, findings(kernel)), Budget()).found
    (edits,) = [each.edits for each in found if each.title == "Require `0 <= t[i]`"]
    (edit,) = edits
    assert edit.text == "// rewright: t: in s32[n]; requires forall i in 0..n: 0 <= t[i]\n"
    assert edit.place == InSource("a.cu", 0, 0)


def test_a_condition_is_stated_in_a_declaration_or_the_access_is_guarded() -> None:
    text = (
        "kernel k<N>(y: out f32[N]) {\n  launch grid((N + 31) / 32), block(32)\n  y[block.x * 32 + thread.x] = 1.0\n}\n"
    )
    titles = {title: after for _, title, after in offered(OwnText(text))}
    assert "  requires N % 32 == 0\n" in titles["Require `N % 32 == 0`"]
    assert "< N" in titles["Guard the access"]


def test_a_condition_is_stated_in_the_declaration_of_a_kernel_of_a_source() -> None:
    source = "__global__ void k(float *y) { y[blockIdx.x * 32 + threadIdx.x] = 1.0f; }\n"
    head = 'kernel k<N>(y: out f32[N]) from "a.cu"::k {'
    for body, after in (
        (" launch grid((N + 31) / 32), block(32) }", " requires N % 32 == 0; launch grid"),
        ("\n    launch grid((N + 31) / 32), block(32)\n}", "\n    requires N % 32 == 0\n    launch grid"),
    ):
        titles = {title: text for _, title, text in offered(declared_in(head + body, source))}
        assert head + after in titles["Require `N % 32 == 0`"]


def test_a_bound_index_has_a_name_that_the_kernel_does_not_have() -> None:
    text = UNGUARDED.replace("int n) {\n  int i =", "int n, int i) {\n  int at =").replace("[i]", "[at]")
    called = text.replace("int n) { copied", "int n, int i) { copied").replace("(y, t, x, n)", "(y, t, x, n, i)")
    kernel = DocumentKernel(OutlinePayload("a.cu", (SourceText("a.cu", called),)), "copied")
    found = kernel_fixes(KernelSearch(kernel, findings(kernel)), Budget()).found
    assert "Require `0 <= t[j]`" in {each.title for each in found}
