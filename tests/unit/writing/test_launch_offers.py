"""What is offered in a comment with a launch: entries, parameters of the kernel below, what may stand in each."""

from __future__ import annotations

import pytest

from rewright.frontends.cuda.launches.comments import EntryKind, comment_above
from rewright.writing.launch_offers import offers, parameters_below
from rewright.writing.offer import plain

KERNEL = """\
// another comment
template <typename T>
__global__ void __launch_bounds__(256) rows(const float *__restrict__ x, T *y, double y2[], const int n, dim3 size,
    unsigned long long *const seeds) {
}
"""

START = "// rewright: "


def texts(line: str) -> dict[str, str]:
    return {each.label: plain(each.snippet) for each in offers(line, KERNEL)}


def test_parameters_are_read_off_the_text() -> None:
    found = {each.name: (each.element, each.constant) for each in parameters_below(KERNEL)}
    assert found == {
        "x": ("f32", True),
        "y": ("", False),
        "y2": ("f64", False),
        "n": (None, True),
        "size": (None, True),
        "seeds": ("u64", False),
    }
    assert parameters_below("__global__ void half_typed(int n, float *x") == ()
    assert parameters_below("void host(int n) {}") == ()


@pytest.mark.parametrize("before", ["", "launch block(64); ", "n = 4;"])
def test_every_entry_that_is_offered_is_one(before: str) -> None:
    found = texts(f"{START}{before}")
    assert found.keys() >= {"launch", "requires", "forall", "define", "@budget", "x", "y", "y2", "n", "seeds"}
    for label, text in found.items():
        comment = f"{START}{before}{text}\n{KERNEL}".encode()
        said = comment_above(comment, comment.index(b"__global__") - len("template <typename T>\n"))
        assert said is not None and EntryKind.UNKNOWN not in {each.kind for each in said.entries}, label
    assert (found["x"], found["y2"], found["n"]) == ("x: in f32[n]", "y2: inout f64[n]", "n = 1024")


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("launch ", {"grid", "block", "shared"}, {"n", "launch"}),
        ("launch block(", {"n"}, {"grid", "x"}),
        ("launch block(64), gr", {"grid"}, {"n"}),
        ("x: ", {"in", "out", "inout"}, {"n", "launch"}),
        ("x: in ", {"f32", "s32"}, {"in"}),
        ("x: in f32[", {"n"}, {"f32", "x"}),
        ("requires 0 < ", {"n", "x"}, {"grid"}),
        ("n = ", {"n"}, {"launch"}),
        ("la", {"launch"}, {"grid"}),
    ],
)
def test_what_is_offered_depends_on_the_place(line: str, some: set[str], none: set[str]) -> None:
    found = texts(START + line).keys()
    assert some <= found and not none & found


@pytest.mark.parametrize("line", ["// ", "int n = ", "// rewrite: ", "", 'printf("// rewright'])
def test_nothing_is_offered_elsewhere(line: str) -> None:
    assert offers(line, KERNEL) == []


def test_every_prefix_has_offers_or_none_and_stops_nothing() -> None:
    for end in range(len(KERNEL)):
        parameters_below(KERNEL[:end])
    for end in range(len("launch grid(1), block(2); x: in f32[n]")):
        offers(START + "launch grid(1), block(2); x: in f32[n]"[:end], KERNEL[: end * 4])
