"""The words of the language: what each means, and what is written with it.

Invariant: a snippet, with the defaults of its places, is of the language where its word may stand; a declaration's is
without errors. Must not know where a cursor stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from rewright.writing.alone import WORD


class Keyword(Struct, frozen=True):
    """A word that begins something: what it means in a sentence, and the snippet that writes it.

    Places of a snippet are `${1:default}` as in the protocol, those with one number are filled together.
    """

    text: str
    meaning: str
    snippet: str


def _by_text(*words: Keyword) -> Mapping[str, Keyword]:
    return MappingProxyType({word.text: word for word in words})


_RULE = """\
${1:name}<T: any> {
  axes ${2:A}
  map ${3:n} on ${2:A}
  tensor ${4:X}: T[${2:A}: ${3:n}]

  ${5:reverse(reverse(X, A), A)} => ${6:X}
}
"""

DECLARATIONS: Final = _by_text(
    Keyword(
        "rule",
        "A rewrite of tensor expressions, `left => right`, with the names that it needs; all its values are meant.",
        f"rule {_RULE}",
    ),
    Keyword(
        "lemma",
        "A rule that other declarations may use once it is proved.",
        f"lemma {_RULE}",
    ),
    Keyword(
        "kernel",
        "A GPU kernel with its sizes and its launch: its own body, or `from` a source.",
        """\
kernel ${1:name}<${2:N} = ${3:128}>(${4:x}: in f32[${2:N}], ${5:y}: out f32[${2:N}]) {
  launch block(${2:N})
  ${5:y}[thread.x] = ${6:2 * x[thread.x]}
}
""",
    ),
    Keyword(
        "kernel from",
        "A kernel that a source defines, with the sizes and the launch at which it is checked.",
        """\
kernel ${1:name}<${2:N} = ${3:128}>(${4:x}: in f32[${2:N}]) from "${5:kernel.cu}"::${6:entry} {
  launch block(${2:N})
}
""",
    ),
    Keyword(
        "equivalent",
        "Two kernels with the same outputs. Not decided in this version.",
        "equivalent ${1:left} ~ ${2:right}\n",
    ),
    Keyword(
        "graph",
        "A model as a list of assignments, on one device or as the program of every rank of a mesh.",
        """\
graph ${1:name}(${2:X}: f32[m, k], ${3:W}: f32[k, n]) -> ${4:Y} {
  ${4:Y} = ${5:X @ W}
}
""",
    ),
    Keyword(
        "operator",
        "An operator of graphs of which only the shapes are known, such as a fused kernel; lemmas say what else is.",
        "operator ${1:name}(${2:x}: f32[${3:t, d}]) -> f32[${4:t, d}]\n",
    ),
    Keyword(
        "lemma of graphs",
        "What two expressions of graphs are equal by: proved if all operators are known, else an assumption.",
        """\
lemma ${1:name}(${2:x}: f32[s, d], ${3:y}: f32[t, d]) {
  ${4:tanh(concatenate(x, y, 0))} => ${5:concatenate(tanh(x), tanh(y), 0)}
}
""",
    ),
    Keyword(
        "refine",
        "Asks whether a distributed graph computes what a sequential one does; inputs are held as it says.",
        """\
refine ${1:distributed} of ${2:sequential} {
  ${3:W}: ${4:replicate}
}
""",
    ),
    Keyword(
        "loops",
        "A nest of loops over arrays: its subscripts are within the arrays at all sizes.",
        """\
loops ${1:name}(${2:N}) {
  array ${3:A}: f64[${2:N}]
  for ${4:i} in 1..${2:N} {
    S: ${3:A}[${4:i}] = ${5:A[i - 1]}
  }
}
""",
    ),
    Keyword(
        "transform",
        "The work of a loop nest in another order: tiled, skewed, fused, unrolled; legal at all sizes.",
        """\
transform ${1:name} of ${2:nest} {
  for ${3:i} in ${4:0..N} {
    S: ${5:A[i]} = ${6:A[i - 1]}
  }
}
""",
    ),
    Keyword(
        "lift",
        "The formula that a kernel computes. Not decided in this version.",
        """\
lift ${1:name} from "${2:kernel.py}"::${3:entry} {
  ${4:x}: in f32[i: M], ${5:y}: out f32[i: M]
  launch grid(M)
  expect ${5:y} = ${6:x}
}
""",
    ),
    Keyword("import", "The names of another file, without those that it imports.", 'import "${1:other.rw}"\n'),
)

RULE_ITEMS: Final = _by_text(
    Keyword("axes", "Axis groups: any number of axes each, none included; `A+` excludes none.", "axes ${1:A}"),
    Keyword("axis", "Axis groups of exactly one axis.", "axis ${1:d}"),
    Keyword("map", "An unknown integer for each axis of a group.", "map ${1:n} on ${2:A}"),
    Keyword("int", "One unknown integer.", "int ${1:k}"),
    Keyword("scalar", "One element.", "scalar ${1:c}: ${2:T}"),
    Keyword("tensor", "A tensor with a size on each axis of its groups.", "tensor ${1:X}: ${2:T}[${3:A}: ${4:n}]"),
    Keyword("fn", "Any elementwise function, of which nothing more is known.", "fn ${1:f}: ${2:T} -> ${3:T}"),
    Keyword("monoid", "Any commutative monoid, with `identity(op)`.", "monoid ${1:op}: ${2:T}"),
    Keyword("let", "A name for a map, an integer, a scalar or a tensor.", "let ${1:e} = ${2:value}"),
    Keyword(
        "where",
        "Preconditions on sizes and attributes; a comparison of maps holds if it holds on every axis.",
        "where ${1:0 <= n}",
    ),
    Keyword("assume", "Assumptions about contents.", "assume forall ${1:i} on ${2:A}: ${3:X[i] == 0}"),
    Keyword("check", "Further element types to ask about.", "check over ${1:s32}"),
    Keyword("example", "An instance that is replayed on every save.", "example { ${1:A} = ${2:1}; ${3:n} = ${4:2} }"),
)

STATEMENTS: Final = _by_text(
    Keyword("let", "A value with a name.", "let ${1:e} = ${2:value}"),
    Keyword("var", "A variable of each thread.", "var ${1:v} = ${2:value}"),
    Keyword("assume", "What the kernel may rely on at this place.", "assume ${1:p}"),
    Keyword("assert", "What must hold at this place, for every thread that comes here.", "assert ${1:p}"),
    Keyword("if", "Statements for the threads for which a condition holds.", "if ${1:p} {\n  $0\n}"),
    Keyword("for", "Statements for each number of a range, half-open.", "for ${1:i} in 0..${2:N} {\n  $0\n}"),
    Keyword("while", "Statements as long as a condition holds.", "while ${1:p} {\n  $0\n}"),
    Keyword("return", "The end of the kernel for this thread.", "return"),
)

KERNEL_ITEMS: Final = _by_text(
    Keyword("launch", "The launch: blocks of the grid, threads of a block.", "launch grid(${1:1}), block(${2:128})"),
    Keyword("requires", "A condition on sizes, integers and contents.", "requires ${1:0 < N}"),
    Keyword("ensures", "What the kernel computes. Not decided in this version.", "ensures ${1:p}"),
    Keyword("shared", "An array in shared memory, one for each block.", "shared ${1:tile}: ${2:f32}[${3:N}]"),
    Keyword("define", "A macro of the source, as `-DTILE=16`.", "define ${1:TILE} = ${2:16}"),
    *STATEMENTS.values(),
)

SIZE_FACT: Final = Keyword("requires", "What is known of sizes.", "requires ${1:t % 8 == 0}")

STEPS: Final = Keyword(
    "for", "Statements for each number of a range, gone through step by step.", "for ${1:i} in 0..${2:4} {\n  $0\n}"
)

REFINE_ITEMS: Final = _by_text(
    Keyword("expect", "The placement of a result.", "expect ${1:Y}: ${2:replicate}"),
    Keyword("using", "Lemmas by which the refinement may be proved.", "using ${1:lemma}"),
    SIZE_FACT,
)

LOOPS_ITEMS: Final = _by_text(
    Keyword("array", "An array of the nest.", "array ${1:A}: f64[${2:N}]"),
    KERNEL_ITEMS["requires"],
    Keyword(
        "private", "Arrays that hold values for a while; what is in them at the end is not used.", "private ${1:s}"
    ),
    Keyword("reduction", "Statements such as `s += e` that may be executed in any order.", "reduction ${1:S}"),
    Keyword("parallel", "A loop whose iterations may run at once.", "parallel for ${1:i} in 0..${2:N} {\n  $0\n}"),
    *STATEMENTS.values(),
)

LIFT_ITEMS: Final = _by_text(
    Keyword("expect", "The formula that is expected.", "expect ${1:y} = ${2:value}"),
    *(KERNEL_ITEMS[word] for word in ("launch", "requires", "define", "let")),
)

ITEMS: Final[Mapping[str, Mapping[str, Keyword]]] = MappingProxyType(
    {
        "rule": RULE_ITEMS,
        "lemma": RULE_ITEMS,
        "kernel": KERNEL_ITEMS,
        "graph": _by_text(STATEMENTS["let"], SIZE_FACT, STEPS),
        "refine": REFINE_ITEMS,
        "loops": LOOPS_ITEMS,
        "transform": LOOPS_ITEMS,
        "lift": LIFT_ITEMS,
    }
)
"""The items of each kind of declaration."""

ATTRIBUTES: Final = _by_text(
    Keyword("expect", "The verdict that is expected; without it, that it is right.", "expect(${1:refuted})"),
    Keyword("budget", "How many times the usual steps a question may take.", "budget(${1:3})"),
    Keyword("forall", "Sizes or integer parameters of a kernel, any value of which counts.", "forall(${1:N})"),
    Keyword("source", "Where the rule comes from.", 'source("${1:…}")'),
)

QUANTIFIERS: Final = _by_text(
    Keyword("some", "Holds if the formula holds on some axis of the group.", "some ${1:A}: ${2:p}"),
    Keyword("every", "Holds if the formula holds on every axis of the group.", "every ${1:A}: ${2:p}"),
    Keyword("forall", "Holds if the formula holds at every index.", "forall ${1:i} on ${2:A}: ${3:p}"),
)

JOINTS: Final = _by_text(
    Keyword("on", "The group of a map or of a bound index; of a graph, its mesh.", "on"),
    Keyword("over", "The element types of `check over`.", "over"),
    Keyword("from", "The source that defines a kernel, or the program of a lift.", 'from "${1:kernel.cu}"::${2:entry}'),
    Keyword("of", "The graph that is refined, or the nest that is transformed.", "of"),
    Keyword("at", "The sizes at which a transformation is looked at; of a refinement, those of the mesh.", "at"),
    Keyword("in", "The parameter is read, not written; of a loop, its range.", "in"),
    Keyword("out", "The parameter is written.", "out"),
    Keyword("inout", "The parameter is read and written.", "inout"),
    Keyword("else", "Statements for the other threads.", "else {\n  $0\n}"),
    Keyword("step", "The distance of the numbers of a range.", "step"),
    Keyword("and", "Both hold; evaluated from left to right, as far as needed.", "and"),
    Keyword("or", "One of them holds; evaluated from left to right, as far as needed.", "or"),
    Keyword("not", "It does not hold.", "not"),
)
"""Words within a declaration or an item."""

BUILT_INS: Final = _by_text(
    Keyword("elem", "The element that an integer is.", "elem(${1:k})"),
    Keyword("prod", "The product of a map over the axes of its group.", "prod(${1:n})"),
    Keyword("identity", "The neutral element of a monoid.", "identity(${1:op})"),
    Keyword("lowest", "Less than every element: −∞ over `int` and `real`.", "lowest"),
    Keyword("highest", "Greater than every element: +∞ over `int` and `real`.", "highest"),
    Keyword("true", "The truth value.", "true"),
    Keyword("false", "The truth value.", "false"),
)

TYPES: Final = MappingProxyType(
    {
        "any": "anything: data is only moved and selected",
        "num": "`int` and `real`, two questions",
        "int": "the integers, without overflow",
        "real": "the real numbers, without rounding",
        "pred": "true and false, false < true",
    }
)
"""What the element types mean that are no machine types."""


def explained(word: str, declaration: str) -> str | None:
    """What a word means in a declaration of a kind, None for what is no word of the language."""
    tables = (ITEMS.get(declaration, {}), DECLARATIONS, ATTRIBUTES, JOINTS, QUANTIFIERS, BUILT_INS)
    if word in TYPES:
        return TYPES[word]
    return next((table[word].meaning for table in tables if word in table), None)


def word_around(text: bytes, offset: int) -> str:
    """The word of UTF-8 text that an offset touches; empty in comments, in strings, and elsewhere."""
    for match in WORD.finditer(text):
        if match.end() >= offset:
            word = match[0].decode(errors="replace")
            return word if match.start() <= offset and word.isidentifier() else ""
    return ""
