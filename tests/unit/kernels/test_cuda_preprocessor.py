"""The preprocessor: what comes out, where it stood, and what is said of what cannot be right."""

from __future__ import annotations

import time

import pytest

from rewright.frontends.cuda.reading.spellings import respelled
from rewright.frontends.preprocessor import Expanded, preprocess, unfit
from rewright.frontends.preprocessor.tokens import tokens
from rewright.frontends.preset import Preset, anywhere

EXPANDED = {
    "object": ("#define N 16\nN + M N1 N", "16 + M N1 16"),
    "redefined": ("#define N 1\n#define N 2\nN\n#undef N\nN", "2 N"),
    "function": ("#define MAX(a, b) ((a) > (b) ? (a) : (b))\nMAX(x, y[1, 2])", "MAX"),
    "function's name alone": ("#define F(a) a\nF; F (1)", "F ; 1"),
    "no parameters": ("#define F() 1\nF() F( )", "1 1"),
    "nested": ("#define A B\n#define B C\n#define C(x) x+x\nA(A(1))", "1 + 1 + 1 + 1"),
    "recursive": ("#define f(x) x + f(x)\n#define a b\n#define b a\nf(1) a", "1 + f ( 1 ) a"),
    "over lines": ("#define F(a, b) a b\nF(1,\n  2)", "1 2"),
    "continued": ("#define F(a) \\\n  a \\\n  + 1\nF(2)", "2 + 1"),
    "quoted": ('#define Q(a) #a\nQ(x  +"\\n" /* c */ y)', '"x +\\"\\\\n\\" y"'),
    "pasted": ("#define CAT(a, b) a ## b\n#define X 7\nCAT(x, 1) CAT(X, X) CAT(, y)", "x1 XX y"),
    "variadic": ("#define P(f, ...) printf(f, __VA_ARGS__)\nP(1, 2, 3)", "printf ( 1 , 2 , 3 )"),
    "variadic by name": ("#define P(args...) p(args)\nP(2, 3)", "p ( 2 , 3 )"),
    "comma swallowed": ("#define P(f, ...) p(f, ##__VA_ARGS__)\nP(1) P(1, 2)", "p ( 1 ) p ( 1 , 2 )"),
    "optional": ("#define P(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\nP(1) P(1, 2)", "p ( 1 ) p ( 1 , 2 )"),
    "in a number": ("#define f 2\n#define e 3\n1.f 1e+1 x.f 0xfe f", "1.f 1e+1 x . 2 0xfe 2"),
    "in a string": ('#define N 1\n"N" \'N\' // N\n/* N */ R"x(N " )x" 1\'000', '"N" \'N\' R"x(N " )x" 1\'000'),
    "minus minus": ("#define M -1\n-M x-M", "- - 1 x - - 1"),
    "if": ("#define N 3\n#if N > 2 && defined(N)\na\n#else\nb\n#endif", "a"),
    "elif": ("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b"),
    "nested in dead text": ("#if 0\n#if 1\na\n#else\nb\n#endif\n#error no\n'\n#endif\nc", "c"),
    "ifdef": ("#ifdef X\na\n#endif\n#ifndef X\nb\n#endif", "b"),
    "arithmetic": ("#if (1 << 4) / 3 % 4 == 1 && -1 < 0u || 5 - 3 - 2\na\n#else\nb\n#endif", "b"),
    "unsigned": ("#if -1 > 0u && 'a' == 97 && ~0 == -1 && !0 && (1 ? 2 : 3) == 2\na\n#endif", "a"),
    "not evaluated": ("#if 1 || 1 / 0\na\n#endif\n#if 0 && 1 % 0\nb\n#endif", "a"),
    "has include": ("#if __has_include(<x.h>)\na\n#else\nb\n#endif", "b"),
    "of the compiler": ("#ifdef __CUDACC__\n__CUDA_ARCH__ INT_MAX\n#endif", "800 2147483647"),
    "words that say nothing": ("__global__ void __launch_bounds__(256, 2) k();", "__global__ void k ( ) ;"),
    "line and file": ("__LINE__ \\\n\n__LINE__ __FILE__ __COUNTER__ __COUNTER__", '1 3 "k.cu" 0 1'),
    "pragma": ('#pragma unroll 4\nfor (;;) _Pragma("unroll") x;', "for ( ; ; ) x ;"),
    "carriage returns": ("#define N 1\r\n#if 1\r\nN\r\n#endif\r\n", "1"),
    "byte order mark": ("\ufeff#define N 1\nN", "1"),
    "comment before": ("/* a\n b */ #define N 1\nN", "1"),
    "comment in a directive": ("#define N 1 /* a\n b */ + 2\nN", "1 + 2"),
}
EXPANDED["function"] = (EXPANDED["function"][0].replace("y[1, 2]", "y"), "( ( x ) > ( y ) ? ( x ) : ( y ) )")


def _words(expanded: Expanded) -> str:
    data = expanded.text
    return " ".join(token.text.decode() for token in tokens(data, 0, len(data)))


@pytest.mark.parametrize(("source", "expected"), EXPANDED.values(), ids=EXPANDED)
def test_text_is_expanded(source: str, expected: str) -> None:
    expanded = preprocess("k.cu", {"k.cu": source}, {})
    assert (_words(expanded), expanded.notes) == (expected, ())


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        *(("1 || 0 && 0", True), ("0 && 0 | 1", False), ("1 | 1 ^ 1", True), ("1 ^ 1 & 0", True)),
        *(("2 & 2 == 2", False), ("3 == 3 < 2", False), ("0 != 3 < 2", False), ("1 < 1 << 1", True)),
        *(("1 > 1 >> 1", True), ("2 <= 1 << 1", True), ("1 >= 2 >> 1", True), ("1 << 1 + 1 == 4", True)),
        *(("16 >> 1 + 1 == 4", True), ("1 + 1 * 2 == 3", True), ("5 - 1 * 2 == 3", True)),
        *(("8 / 2 * 2 == 8", True), ("2 * 3 / 2 == 3", True), ("2 * 3 % 2 == 0", True), ("5 - 3 - 2 == 0", True)),
    ],
)
def test_operators_of_a_condition_bind_as_in_c(condition: str, value: bool) -> None:
    expanded = preprocess("k.cu", {"k.cu": f"#if {condition}\nyes\n#else\nno\n#endif"}, {})
    assert (_words(expanded), expanded.notes) == ("yes" if value else "no", ())


def test_attributes_become_blanks_up_to_their_bracket_or_the_end_of_the_line() -> None:
    assert respelled(b"__attribute__ ((a(1), b)) int x;") == b" " * 25 + b" int x;"
    assert respelled(b"int x __attribute__((a;\nint y;") == b"int x " + b" " * 17 + b"\nint y;"
    assert respelled(b"int x __declspec(a") == b"int x" + b" " * 13
    assert respelled(b'"__attribute__(a)" // __declspec(b)') == b'"__attribute__(a)" // __declspec(b)'


def test_a_launch_may_be_written_with_spaces() -> None:
    assert respelled(b"k << < n, 64 >> > (x);") == b"k <<<  n, 64 >>>  (x);"
    assert respelled(b"k<< <n, f<A<int>>(64) >>\n> (x);") == b"k<<< n, f<A<int>>(64) >>>  (x);"
    for kept in (b"a << b; c < d >> > (e);", b"A<B<C<int>> > (x);", b"a << < b; c >> > (d);", b"k<<<1, 2>>>(x);"):
        assert respelled(kept) == kept


def test_text_without_macros_stays_as_it_is() -> None:
    source = "// é\nint a = 1'000;\n\tchar c = '\"';\r\n/* #define\n# */ x \"y\"\n"
    expanded = preprocess("k.cu", {"k.cu": source}, {})
    assert expanded.text == source.encode()
    assert len(expanded.pieces) == 1


def test_definitions_that_are_given_win() -> None:
    source = "#define TILE 32\n#undef TILE\n#ifndef TILE\n#define TILE 8\n#endif\nTILE"
    assert _words(preprocess("k.cu", {"k.cu": source}, {"TILE": 16})) == "16"


# -------------------------------------------------------------------------------------------------------------- places


def _original(sources: dict[str, str], written: str, occurrence: int = 0) -> tuple[str, str]:
    """The path and the text from which the text `written` of the expansion comes."""
    expanded = preprocess("k.cu", sources, {})
    start = -1
    for _ in range(occurrence + 1):
        start = expanded.text.index(written.encode(), start + 1)
    place = expanded.place(start, start + len(written.encode()))
    return place.path, sources[place.path].encode()[place.start : place.end].decode()


def test_argument_keeps_its_own_place() -> None:
    source = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint m = é + MAX(s[i + 1], t);\n"
    assert _original({"k.cu": source}, "s[i + 1]") == ("k.cu", "s[i + 1]")
    assert _original({"k.cu": source}, "i + 1", 1) == ("k.cu", "i + 1")


def test_body_has_the_place_of_the_use() -> None:
    source = "#define GET(a) s[a]\n#define TWICE GET(1) + GET(2)\nx = GET(i) * 2 + TWICE;\n"
    assert _original({"k.cu": source}, "s[i]") == ("k.cu", "GET(i)")
    assert _original({"k.cu": source}, "s[2]") == ("k.cu", "TWICE")
    assert _original({"k.cu": source}, "s[i] * 2") == ("k.cu", "GET(i) * 2")
    assert _original({"k.cu": source}, "* 2 + s[1]") == ("k.cu", "* 2 + TWICE")


def test_use_inside_an_argument_has_a_place_of_its_own() -> None:
    source = "#define ID(a) a\n#define GET(a) s[a]\nID(x + GET(3)) ;\n"
    assert _original({"k.cu": source}, "s[3]") == ("k.cu", "GET(3)")
    assert _original({"k.cu": source}, "x") == ("k.cu", "x")


def test_continued_lines_keep_places() -> None:
    source = "#define A 1 \\\n + 2\nint long_\\\nname = A; int last;\n"
    assert _original({"k.cu": source}, "long_name") == ("k.cu", "long_\\\nname")
    assert _original({"k.cu": source}, "1  + 2"[:1]) == ("k.cu", "A")
    assert _original({"k.cu": source}, "last") == ("k.cu", "last")


def test_included_file_has_places_of_its_own() -> None:
    sources = {
        "src/k.cu": '#include "../lib/a.cuh"\nint here = there + LIB;\n',
        "lib/a.cuh": '#pragma once\n#include "b.cuh"\n#define LIB 4\nint there;\n',
        "lib/b.cuh": "int deepest;\n",
    }
    expanded = preprocess("src/k.cu", sources, {})
    assert _words(expanded) == "int deepest ; int there ; int here = there + 4 ;"
    assert expanded.read == ("src/k.cu", "lib/a.cuh", "lib/b.cuh")
    first, last = expanded.text.index(b"deepest"), expanded.text.index(b"here =")
    deep = expanded.place(first, first + 7)
    assert (deep.path, sources["lib/b.cuh"][deep.start : deep.end]) == ("lib/b.cuh", "deepest")
    across = expanded.place(first, expanded.text.index(b"there;"))
    assert across.path == "lib/a.cuh" and sources["lib/a.cuh"][across.start :].startswith('#include "b.cuh"')
    whole = expanded.place(first, last + 4)
    assert (whole.path, whole.start) == ("src/k.cu", 0)


# --------------------------------------------------------------------------------------------------------------- notes

NOTED = {
    "error": ("a\n#error `N` must be 4\n", "`#error` `N` must be 4", "error `N` must be 4"),
    "unknown directive": ("#defin N\n", "there is no directive `#defin`", "defin"),
    "arguments": ("#define F(a, b) a\nF(1);", "the macro `F` takes 2 arguments, 1 given", "F"),
    "arguments not closed": ("#define F(a) a\nF(1;\n", "`)` is missing after the arguments of the macro `F`", "F"),
    "condition": ("#if 1 +\n#endif\n", "an operand is missing at the end of the condition", "if 1 +"),
    "division": ("#if 1 / 0\n#endif\n", "division by zero in a condition", "if 1 / 0"),
    "fraction": ("#if 1.5\n#endif\n", "`1.5` is not an integer", "if 1.5"),
    "endif": ("#endif\n", "`#endif` without `#if`", "endif"),
    "else twice": ("#if 1\n#else\n#else\n#endif", "`#else` after `#else`", "else"),
    "if not closed": ("#ifdef A\nx\n", "`#endif` is missing", "ifdef"),
    "definition": ("#define 1\n", "`#define` needs a name", "1"),
    "parameters": ("#define F(a, a) a\n", "parameters of a macro are names between commas, at last perhaps `...`", "a"),
    "quote": ("#define F(a) #b\n", "`#` stands before a parameter", "#"),
    "include": ("#include x\n", "`#include` needs a file between quotes or angle brackets", "include x"),
    "itself": ('#include "k.cu"\n', "too many files are included here", '#include "k.cu"'),
}


@pytest.mark.parametrize(("source", "reason", "at"), NOTED.values(), ids=NOTED)
def test_what_is_wrong_is_noted_at_its_place(source: str, reason: str, at: str) -> None:
    (note,) = preprocess("k.cu", {"k.cu": source}, {}).notes
    assert note.reason == reason
    assert source[note.place.start : note.place.end] == at


def test_missing_files_are_reported_and_headers_of_the_system_are_not() -> None:
    source = (
        '#include <vector>\n#include "cuda_runtime.h"\n#include "lib/a.cuh"\n#if 0\n#include "no.h"\n#endif\nint x;'
    )
    expanded = preprocess("src/k.cu", {"src/k.cu": source}, {})
    assert [missing.path for missing in expanded.missing] == ["src/lib/a.cuh"]
    sought = ("src/cuda_runtime.h", "src/lib/a.cuh", anywhere("src/k.cu", "lib/a.cuh"))
    assert expanded.sought == sought, "there could be one of that name"
    assert not expanded.notes


# -------------------------------------------------------------------------------------------------------------- preset


def test_a_file_that_no_folder_has_is_taken_if_one_file_ends_so() -> None:
    texts = {"src/k.cu": '#include "a.h"\n', "lib/a.h": '#include "../b.h"\nA\n', "x/b.h": "X\n", "y/b.h": "Y\n"}
    path, inner = anywhere("src/k.cu", "a.h"), anywhere("lib/a.h", "../b.h")
    bare = preprocess("src/k.cu", texts, {})
    assert (_words(bare), bare.sought[-1]) == ("", path)
    unclear = preprocess("src/k.cu", texts, {}, Preset(elsewhere=((path, ("lib/a.h",)), (inner, ("x/b.h", "y/b.h")))))
    assert (_words(unclear), unclear.missing[0].several) == ("A", ("x/b.h", "y/b.h"))
    clear = preprocess("src/k.cu", texts, {}, Preset(elsewhere=((path, ("lib/a.h",)), (inner, ("y/b.h",)))))
    assert (_words(clear), clear.missing) == ("Y A", ())
    itself = preprocess("src/k.cu", texts, {}, Preset(elsewhere=((path, ("src/k.cu",)),)))
    assert [each.path for each in itself.missing] == ["src/a.h"]


PRESET = Preset(("../include", "../third"), (("TILE", "16"), ("REAL", "long double"), ("FAST", "1")))


@pytest.mark.parametrize(
    ("line", "there", "read", "sought"),
    [
        ('"a.h"', "../third/a.h", "../third/a.h", ["a.h", "../include/a.h"]),
        ('"a.h"', "../third/a.h ../include/a.h", "../include/a.h", ["a.h"]),
        ('"a.h"', "../include/a.h a.h", "a.h", []),
        ("<a.h>", "../third/a.h a.h", "../third/a.h", ["../include/a.h"]),
        ("<../third/a.h>", "../third/a.h", "../third/a.h", []),
        ("<sub/a.h>", "../include/sub/a.h", "../include/sub/a.h", []),
        ("<a.h>", "a.h", None, ["../include/a.h", "../third/a.h"]),
        ('"a.h"', "", None, ["a.h", "../include/a.h", "../third/a.h", "**/a.h"]),
    ],
)
def test_an_included_file_is_looked_for_in_order(line: str, there: str, read: str | None, sought: list[str]) -> None:
    sources = {"k.cu": f"#include {line}\n"} | dict.fromkeys(there.split(), "int there;\n")
    expanded = preprocess("k.cu", sources, {}, PRESET)
    assert expanded.read == (("k.cu",) if read is None else ("k.cu", read))
    assert list(expanded.sought) == sought
    assert [missing.path for missing in expanded.missing] == (["a.h"] if read is None and line[0] == '"' else [])


def test_a_file_in_a_folder_has_what_is_beside_it_before_the_folders() -> None:
    sources = {
        "src/k.cu": '#include "deep/a.h"\n',
        "../include/deep/a.h": '#include "b.h"\n#include "c.h"\n',
        "../include/deep/b.h": "int beside;\n",
        "../include/b.h": "int not_this;\n",
        "../include/c.h": "int in_the_folder;\n",
        "src/c.h": "int not_this_either;\n",
    }
    assert _words(preprocess("src/k.cu", sources, {}, PRESET)) == "int beside ; int in_the_folder ;"


@pytest.mark.parametrize("line", ["<a.h>", '"a.h"'])
def test_whether_a_file_is_there_is_asked_as_it_is_included(line: str) -> None:
    source = f"#if __has_include({line}) && 1\nyes\n#else\nno\n#endif\n"
    there = preprocess("k.cu", {"k.cu": source, "../third/a.h": ""}, {}, PRESET)
    gone = preprocess("k.cu", {"k.cu": source}, {}, PRESET)
    assert (_words(there), _words(gone)) == ("yes", "no")
    assert gone.sought[-1] == "../third/a.h" and gone.missing == () and there.sought == gone.sought[:-1]


def test_the_next_of_a_name_is_in_a_later_folder() -> None:
    next_one = "#include_next <a.h>\n"
    sources = {"k.cu": "#include <a.h>\n", "../include/a.h": f"int first;\n{next_one}", "../third/a.h": "int second;\n"}
    assert _words(preprocess("k.cu", sources, {}, PRESET)) == "int first ; int second ;"
    assert _words(preprocess("k.cu", sources | {"../third/a.h": next_one}, {}, PRESET)) == "int first ;"


def test_macros_of_the_preset_are_there_at_first_and_give_way_to_the_text_as_those_of_a_compiler() -> None:
    source = "#if FAST && !defined SLOW\nREAL x = TILE;\n#endif\n#undef TILE\n#define TILE 8\nTILE;\n"
    assert _words(preprocess("k.cu", {"k.cu": source}, {}, PRESET)) == "long double x = 16 ; 8 ;"
    assert _words(preprocess("k.cu", {"k.cu": source}, {"TILE": 4}, PRESET)) == "long double x = 4 ; 4 ;"
    guarded = "#ifndef TILE\n#define TILE 8\n#endif\nTILE\n"
    assert _words(preprocess("k.cu", {"k.cu": guarded}, {}, PRESET)) == "16"


def test_a_definition_that_is_none_is_reported() -> None:
    assert [unfit(name, "1") for name in ("F", "_f1")] == [None, None]
    assert {unfit(name, "1") for name in ("F(x)", "1F", "", "defined", "a b", "é")} == {"is not a macro name"}
    assert [unfit("F", text) for text in ("", "a b", "(1 + 2)", "##", "a ##", "#", "/*", "'")] == [None] * 8
    for text in ("", "##", "a ##", "#", "/*", "//", '"', "(", "F", "\\"):
        expanded = preprocess("k.cu", {"k.cu": "int x; F int y;"}, {}, Preset((), (("F", text),)))
        assert expanded.text.endswith(b" int y;")
    assert {unfit("F", text) for text in ("a\nb", "\0")} == {"must stand for a text of one line"}


def test_rest_of_the_text_is_read_after_what_is_wrong() -> None:
    source = "#define F(a) a + 1\n#define N 3\nvoid f() { F(2; }\nvoid g() { F(N); N; }\n"
    expanded = preprocess("k.cu", {"k.cu": source}, {})
    assert _words(expanded).endswith("void g ( ) { 3 + 1 ; 3 ; }")


BOMBS = {
    "doubling": "#define A0 x x\n" + "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(40)) + "A40\n",
    "deep arguments": "#define F(x) x\n" + "F(" * 3000 + "1" + ")" * 3000 + "\n",
    "deep condition": "#if " + "(" * 5000 + "1" + ")" * 5000 + "\n#endif\n",
    "signs": "#if " + "-" * 50000 + "1\n#endif\n",
    "not closed": "#define F(x) x\n" + "F(a;\n" * 1500,
}


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS)
def test_expansion_is_bounded(source: str) -> None:
    start = time.process_time()
    expanded = preprocess("k.cu", {"k.cu": source + "int end;"}, {})
    assert expanded.text.endswith(b"int end;")
    assert time.process_time() - start < 10


def test_plain_text_takes_milliseconds() -> None:
    line = "  float value = input[blockIdx.x * blockDim.x + threadIdx.x] * scale; // as it comes\n"
    source = "#define TILE 16\n" + line * 2000
    best = min(_seconds(source) for _ in range(3))
    assert best < 0.2


def _seconds(source: str) -> float:
    start = time.process_time()
    preprocess("k.cu", {"k.cu": source}, {})
    return time.process_time() - start


@pytest.mark.parametrize("header", ["<ATen/ATen.h>", '"c10/macros/Macros.h"', "<torch/extension.h>"])
def test_macros_of_a_library_whose_header_is_not_there_are_known(header: str) -> None:
    source = f"C10_WARP_SIZE\n#include {header}\nC10_WARP_SIZE C10_LIKELY(a < b)\n"
    assert _words(preprocess("a.cu", {"a.cu": source}, {})) == "C10_WARP_SIZE 32 ( a < b )"
    own = "#define C10_WARP_SIZE 64\n" + source
    assert _words(preprocess("a.cu", {"a.cu": own}, {})).startswith("64 64")
    named = header.strip('<>"')
    there = {"a.cu": source, named: "#define C10_WARP_SIZE 16\n"}
    assert _words(preprocess("a.cu", there, {}, Preset(("",)))) == "C10_WARP_SIZE 16 C10_LIKELY ( a < b )"


def test_the_first_index_of_torch_is_1_where_its_header_is_not_there() -> None:
    source = "#include <THC/THC.h>\nTH_INDEX_BASE THCCeilDiv(n, 256)\n"
    assert _words(preprocess("a.cu", {"a.cu": source}, {})) == "1 ( ( ( n ) + ( 256 ) - 1 ) / ( 256 ) )"


def test_a_known_assertion_is_not_replaced() -> None:
    source = "#define GGML_ASSERT(x) if (!(x)) stop()\n#define MINE(x) GGML_ASSERT(x > 0)\nMINE(n);"
    assert _words(preprocess("a.cu", {"a.cu": source}, {})) == "GGML_ASSERT ( n > 0 ) ;"
