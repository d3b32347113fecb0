"""Kernels that a document launches several times: which launches are run, what is told of them, what is left out."""

from __future__ import annotations

import json

import pytest

from rewright.checks.kernel import answer_question
from rewright.checks.kernel_question import KernelPayload, LoweredKernel, OutlinePayload, SourceText
from rewright.checks.lowering import outline_source
from rewright.checks.table import restore
from rewright.report.codes import sentence
from rewright.rules.decision import Budget
from rewright.verdict import Answer, InSource, KernelWitness, Verdict
from rewright.verdict.codec import decode, encode
from rewright.verdict.diagnostics.names import AnotherKind

WRITES = "__global__ void k(int *y, int n) { int i = threadIdx.x; if (i < n) y[i % 32] = i; }\n"
TEMPLATE = "template <int W> __global__ void k(int *y) { y[threadIdx.x % W] = threadIdx.x; }\n"


def lowered(text: str, name: str = "k") -> LoweredKernel:
    kernels = outline_source(OutlinePayload("k.cu", (SourceText("k.cu", text),))).kernels
    (found,) = (each.lowered for each in kernels if each.name == name)
    assert found is not None
    return found


def asked(text: str, steps: int = 30_000_000) -> Answer:
    asking = lowered(text).asking
    assert asking is not None, lowered(text).problems
    answer = answer_question(decode(KernelPayload, asking.payload), Budget(steps))
    return restore(encode(answer), asking.names)


def host(*calls: str) -> str:
    return f"void host(int *p, int m, dim3 g) {{ {' '.join(calls)} }}\n"


def test_a_race_of_a_later_launch_is_reported_at_its_launch() -> None:
    answer = asked(WRITES + host("k<<<1, 32>>>(p, 32);", "k<<<1, 64>>>(p, 64);"))
    assert answer.verdict is Verdict.REFUTED
    assert isinstance(answer.witness, KernelWitness) and answer.witness.block == (64,)
    assert answer.coverage.text == (
        "fails at grid 1, block 64; n = 64; of (1) grid 1, block 32; n = 32 (2) grid 1, block 64; n = 64"
    )


SAME = {
    "only one": (["k<<<1, 32>>>(p, 32);"], "grid 1, block 32; n = 32"),
    "the same twice": (["k<<<1, 32>>>(p, 32);", "k<<<dim3(1), 32>>>(p, 32);"], "grid 1, block 32; n = 32"),
    "other arguments": (
        ["k<<<1, 32>>>(p, 32);", "if (m) k<<<1, 32>>>(p, 8);"],
        "(1) grid 1, block 32; n = 32 (2) grid 1, block 32; n = 8",
    ),
    "in a loop": (
        ["for (int s = 1; s < m; s *= 2) k<<<1, 8>>>(p, s);"],
        "6 launches: grid 1, block 8; n = 0, 1, 7, 8, 9, 17 (n chosen)",
    ),
    "not to be told": (
        ["k<<<1, 32>>>(p, 32);", "k<<<32>>>(p, 8);", "k<<< 1,\n 2.5 >>>(p, 8);"],
        "grid 1, block 32; n = 32; left out: `k<<<32>>>` (it states no block), "
        "`k<<< 1, 2.5 >>>` (`2.5` cannot be read)",
    ),
    "not known": (
        ["k<<<1, 32>>>(p, 32);", "k<<<1, threads(m)>>>(p, 8);"],
        "(1) grid 1, block 32; n = 32 (2) 4 launches: grid 1, block 1, 7, 33, 64; threads_m = 1, 7, 33, 64; n = 8 "
        "(threads_m chosen)",
    ),
    "commas": (
        ["k<<<(m, 1), 32>>>(p, (g, 32));", "k<<<dim3((m++, 1)), (m, g, 8), 0>>>(p, 8);"],
        "(1) grid 1, block 32; n = 32 (2) grid 1, block 8; n = 8",
    ),
    "too large": (
        ["k<<<1, 2048>>>(p, 8);", "k<<<1, 32>>>(p, 32);"],
        "grid 1, block 32; n = 32; left out: `k<<<1, 2048>>>` (no GPU takes it: a block has "
        "at most 1024 threads, this launch has 2048)",
    ),
}


@pytest.mark.parametrize(("calls", "covered"), SAME.values(), ids=SAME)
def test_each_launch_is_named_once(calls: list[str], covered: str) -> None:
    answer = asked(WRITES + host(*calls))
    assert (answer.verdict, answer.coverage.text) == (Verdict.CHECKED, covered)


def test_template_arguments_make_another_launch() -> None:
    answer = asked(TEMPLATE + host("k<64><<<1, 64>>>(p);", "k<32><<<1, 64>>>(p);", "k<64><<<1, 64>>>(p);"))
    assert answer.verdict is Verdict.REFUTED
    assert [each.code for each in answer.findings] == ["RW301"]
    clean = asked(TEMPLATE + host("k<64><<<1, 64>>>(p);", "k<128><<<1, 64>>>(p);"))
    assert clean.coverage.text == (
        "(1) grid 1, block 64 by `k<64><<<1, 64>>>` (2) grid 1, block 64 by `k<128><<<1, 64>>>`"
    )


def test_dynamic_shared_memory_makes_another_launch() -> None:
    text = "__global__ void k(int *y) { extern __shared__ int s[]; s[threadIdx.x] = 1; y[threadIdx.x] = 1; }\n"
    answer = asked(text + host("k<<<1, 8, 32>>>(p);", "k<<<1, 8, 16>>>(p);"))
    assert [each.code for each in answer.findings] == ["RW304"]


def test_what_fails_in_several_ways_names_the_launch_of_each() -> None:
    text = (
        "__global__ void k(int *y, int n) { __shared__ int s[32]; int i = threadIdx.x;\n"
        " if (n == 1) y[i] = s[i]; else y[i % 16] = i; }\n"
    )
    answer = asked(text + host("k<<<1, 8>>>(p, 1);", "k<<<1, 32>>>(p, 2);"))
    race, unset = answer.findings
    assert (race.code, unset.code) == ("RW301", "RW305")
    assert race.launch is None
    assert unset.launch == "grid 1, block 8; n = 1"
    assert answer.coverage.text.startswith("fails at grid 1, block 8; n = 1 and grid 1, block 32; n = 2; of (1) ")


COMMENTS = {
    "two comments": (
        "// rewright: launch block(8); n = 4\n// rewright: launch block(16); n = 5\n",
        [],
        "(1) grid 1, block 8; n = 4 (2) grid 1, block 16; n = 5",
    ),
    "what holds for both": (
        "// rewright: n = 3\n// rewright: launch block(8)\n// rewright: launch block(16)\r\n",
        [],
        "(1) grid 1, block 8; n = 3 (2) grid 1, block 16; n = 3",
    ),
    "a call beside": (
        "// rewright: launch block(8); n = 4; requires n < 40\n",
        ["k<<<1, 16>>>(p, 5);", "k<<<1, 32>>>(p, 41);", "k<<<g>>>(p, 4);"],
        "(1) grid 1, block 8; n = 4 (2) grid 1, block 16; n = 5; left out: "
        "`k<<<1, 32>>>` (the sizes given do not satisfy `requires`: n = 41), `k<<<g>>>` (it states no block)",
    ),
    "a call that it means": (
        "// rewright: launch grid((n + 7) / 8), block(8); n = 4\n",
        ["int n = m; k<<<(n + 7) / 8, 8>>>(p, n);"],
        "grid 1, block 8; n = 4",
    ),
    "calls that it completes": (
        "// rewright: y: out s32[32]; n = 9\n",
        ["k<<<1, 8>>>(p, m);", "k<<<1, 16>>>(p, m + 1);"],
        "(1) grid 1, block 8; n = 9 (2) grid 1, block 16; n = 9",
    ),
}


@pytest.mark.parametrize(("comment", "calls", "covered"), COMMENTS.values(), ids=COMMENTS)
def test_comments_state_launches_beside_calls(comment: str, calls: list[str], covered: str) -> None:
    answer = asked(comment + WRITES + host(*calls))
    assert (answer.verdict, answer.coverage.text) == (Verdict.CHECKED, covered)


def test_a_size_that_a_comment_states_for_its_launch_is_not_that_of_a_call() -> None:
    comment = "// rewright: launch block(8); n = 8; y: out s32[8]\n"
    assert asked(comment + WRITES + host("k<<<1, 32>>>(p, 32);")).verdict is Verdict.CHECKED


SPINS = "__global__ void k(int *y, int n) { for (int i = 0; i < n; i++) y[threadIdx.x] = i; }\n"


def test_a_launch_beside_a_stated_one_is_left_out_where_the_steps_do_not_suffice() -> None:
    answer = asked("// rewright: launch block(8); n = 4\n" + SPINS + host("k<<<1, 8>>>(p, 60000);"), 1_000_000)
    assert answer.verdict is Verdict.CHECKED
    assert "left out: `k<<<1, 8>>>` (more than " in answer.coverage.text


ODD = "__global__ void k(int *y) { int i = threadIdx.x; y[blockDim.x * blockDim.x % 5 == 4 ? i - 1024 : i] = 1; }\n"


def test_a_call_beside_a_stated_launch_that_is_wrong_for_values_that_nobody_stated_is_left_out() -> None:
    """The comment says what the verdict is to speak of."""
    call = host("k<<<1, threads(m)>>>(p);")
    alone = asked(ODD + call)
    assert alone.verdict is Verdict.UNKNOWN and "RW321" in {each.code for each in alone.findings}
    stated = asked("// rewright: launch block(64)\n" + ODD + call)
    assert stated.verdict is Verdict.CHECKED and "RW321" not in {each.code for each in stated.findings}
    assert stated.coverage.text.endswith(
        "left out: `k<<<1, threads(m)>>>` (what goes wrong was seen only with values that are not stated)"
    )


def test_a_launch_that_takes_most_of_the_steps_is_not_left_out() -> None:
    answer = asked(SPINS + host("k<<<1, 8>>>(p, 4);", "k<<<1, 8>>>(p, 60000);"), 1_000_000)
    assert answer.verdict is Verdict.UNKNOWN
    assert [each.code for each in answer.findings] == ["RW318"]


@pytest.mark.parametrize("name", ["from", "kernel", "on", "n"])
def test_a_parameter_may_have_a_name_that_our_syntax_reserves(name: str) -> None:
    text = WRITES.replace("int n", f"int {name}").replace("i < n", f"i < {name}")
    assert asked(text + host("k<<<1, 8>>>(p, 8);")).coverage.text == f"grid 1, block 8; {name} = 8"
    comment = f"// rewright: launch block({name}); {name} = 4; requires {name} > 3; y: out s32[{name}]\n"
    assert asked(comment + text).coverage.text == f"grid 1, block 4; {name} = 4"
    wrong = f"// rewright: launch block({name}, missing); {name} = 4\n" + text
    (reported,) = outline_source(OutlinePayload("k.cu", (SourceText("k.cu", wrong),))).problems
    assert reported.code == "RW101" and isinstance(reported.place, InSource)
    assert wrong[reported.place.start : reported.place.end] == "missing"


def test_a_finding_names_a_parameter_as_the_source_does() -> None:
    text = "// rewright: launch block(from[0]); from = 3\n" + WRITES.replace("int n", "int from").replace(
        "< n", "< from"
    )
    (reported,) = outline_source(OutlinePayload("k.cu", (SourceText("k.cu", text),))).problems
    assert isinstance(reported.diagnosis, AnotherKind) and reported.diagnosis.name == "from"


def test_a_finding_says_whose_end_gives_no_value() -> None:
    """Names are numbers where the kernel is run, so what a name says is only known to who shows it."""
    text = "__device__ int ret(int i) { if (i < 0) return 1; }\n// rewright: launch block(1)\n"
    answer = asked(text + "__global__ void k(int *y) { if (ret(threadIdx.x) > 0) y[0] = 1; }\n")
    (reported,) = answer.findings
    assert "reaches the end of `ret` without returning a value" in sentence(reported.diagnosis)


def test_launches_are_part_of_what_is_asked() -> None:
    once, twice = (WRITES + host(*["k<<<1, 32>>>(p, 32);", "k<<<1, 16>>>(p, 32);"][:many]) for many in (1, 2))
    questions = [lowered(text).asking for text in (once, twice, f"// moved\n\n{twice}")]
    payloads = [each.payload for each in questions if each is not None]
    assert payloads[0] != payloads[1] == payloads[2]
    assert len(json.dumps(payloads[1])) < 1.5 * len(json.dumps(payloads[0]))


@pytest.mark.parametrize(
    ("call", "at"),
    [
        ("k<<<1, 8>>>(p, 4294967296);", "4294967296"),
        ("const long N = 2147483648L; k<<<1, 8>>>(p, (N));", "(N)"),
        ("k<<<1, 8>>>(p, 8); k<<<1, 8>>>(p, -2147483649);", "-2147483649"),
    ],
)
def test_a_constant_that_a_parameter_cannot_hold_is_an_error_where_it_is_passed(call: str, at: str) -> None:
    text = WRITES + host(call)
    outlined = outline_source(OutlinePayload("k.cu", (SourceText("k.cu", text),)))
    assert outlined.kernels[0].lowered is None
    (finding,) = outlined.problems
    assert finding.code == "RW117" and isinstance(finding.place, InSource)
    assert text[finding.place.start : finding.place.end] == at


def test_a_negative_constant_wraps_in_a_parameter_without_sign() -> None:
    answer = asked(WRITES.replace("int n", "unsigned n") + host("k<<<1, 8>>>(p, -1);"))
    assert answer.coverage.text == "grid 1, block 8; n = 4294967295"


def test_a_budget_stands_in_a_comment() -> None:
    kernels = [
        outline_source(OutlinePayload("k.cu", (SourceText("k.cu", f"// rewright: {entry}\n{WRITES}"),))).kernels[0]
        for entry in ("launch block(8); @budget(3)", "launch block(8)", "launch block(8); @budget(0)")
    ]
    assert [each.budget for each in kernels] == [3, 1, 1]
    assert kernels[2].lowered is None
