"""What can be written in a comment that says how a kernel is launched: `// rewright: launch block(256); n = 1024`.

Owns the entries of such a comment and what may stand in each. The kernel's parameters are read off the text below the
comment, half typed as it may be: types that are not known here are left to who writes. Must not know what an entry
means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from rewright.writing.offer import Offer, Sort

COMMENT = re.compile(r"[ \t]*///?[ \t]*rewright:(?P<entries>.*)", re.DOTALL)
WORD = re.compile(r"[@\w]*\Z")

TYPES = {
    "char": "s8",
    "signed char": "s8",
    "unsigned char": "u8",
    "short": "s16",
    "unsigned short": "u16",
    "int": "s32",
    "unsigned": "u32",
    "unsigned int": "u32",
    "long long": "s64",
    "unsigned long long": "u64",
    "half": "f16",
    "__half": "f16",
    "__nv_bfloat16": "bf16",
    "float": "f32",
    "double": "f64",
}
"""What the elements of C's arrays are called."""

SIZE = "${1:n}"

_KERNEL = re.compile(r"__global__[^;{(]*?(?:__launch_bounds__\s*\([^)]*\)[^;{(]*?)?\b(?P<name>[A-Za-z_]\w*)\s*\(")
_QUALIFIERS = re.compile(r"\b(?:const|volatile|restrict|__restrict__|__restrict|__grid_constant__)\b")


class CParameter(Struct, frozen=True):
    """A parameter of a kernel as its text has it: an array of elements of a type, "" if not known, or a value."""

    name: str
    element: str | None
    constant: bool


ENTRIES = (
    Offer(
        "launch",
        Sort.WORD,
        "",
        "launch grid(${1:1}), block(${2:256})",
        "",
        "The blocks of the grid, the threads of a block.",
    ),
    Offer("requires", Sort.WORD, "", "requires ${1:0 < n}", "", "What holds of sizes and parameters at every launch."),
    Offer("forall", Sort.WORD, "", "forall ${1:n}", "", "Any value of these integers counts."),
    Offer("define", Sort.WORD, "", "define ${1:WARP} = ${2:32}", "", "A macro that the build defines."),
    Offer("@budget", Sort.WORD, "", "@budget(${1:4})", "", "How many times the usual steps the check may take."),
)
IN_LAUNCH = (
    Offer("grid", Sort.WORD, "", "grid(${1:1})", "", "The blocks along x, y, z."),
    Offer("block", Sort.WORD, "", "block(${1:256})", "", "The threads of a block along x, y, z."),
    Offer("shared", Sort.WORD, "", "shared(${1:1024})", "", "The bytes of dynamic shared memory."),
)
MODES = tuple(
    Offer(mode, Sort.WORD, "", mode, "", meaning)
    for mode, meaning in (
        ("in", "The kernel reads it."),
        ("out", "The kernel writes all that it reads of it."),
        ("inout", "The kernel reads and writes it."),
    )
)


def offers(line: str, below: str) -> list[Offer]:
    """What can be written after `line`, the text of a comment's line up to the cursor; `below` is all that follows."""
    match = COMMENT.fullmatch(line)
    if match is None:
        return []
    entry = match["entries"].rpartition(";")[2].lstrip()
    return list(_in_entry(entry, parameters_below(below)))


def word_before(line: str) -> str:
    """The word that is being written."""
    found = WORD.search(line)
    return found[0] if found is not None else ""


def _in_entry(entry: str, parameters: tuple[CParameter, ...]) -> Iterator[Offer]:
    said = entry[: len(entry) - len(word_before(entry))].strip()
    values = (each for each in parameters if each.element is None)
    if not said:
        yield from ENTRIES
        yield from map(_stated, parameters)
    elif said.count("(") > said.count(")") or re.match(r"requires\b|forall\b|[\w.]+\s*=|.*\[", said):
        yield from (Offer(each.name, Sort.NAME, "", each.name) for each in values)
        if said.startswith("requires"):
            arrays = (each for each in parameters if each.element is not None)
            yield from (Offer(each.name, Sort.NAME, "", f"{each.name}[${{1:i}}]") for each in arrays)
    elif said.startswith("launch"):
        yield from IN_LAUNCH
    elif said.endswith(":"):
        yield from MODES
    elif re.fullmatch(r".*:\s*(?:in|out|inout)", said):
        yield from (Offer(name, Sort.TYPE, "", f"{name}[{SIZE}]") for name in dict.fromkeys(TYPES.values()))


def _stated(each: CParameter) -> Offer:
    """The entry for a parameter: an array with its type, a value."""
    if each.element is None:
        return Offer(each.name, Sort.NAME, "a value", f"{each.name} = ${{1:1024}}")
    mode = "in" if each.constant else "${2:inout}"
    return Offer(each.name, Sort.NAME, "an array", f"{each.name}: {mode} {each.element or '${3:f32}'}[{SIZE}]")


def parameters_below(text: str) -> tuple[CParameter, ...]:
    """The parameters of the first kernel in a text; none if its list is not closed."""
    found = _KERNEL.search(text)
    if found is None:
        return ()
    depth, parts, start = 1, list[str](), found.end()
    for at in range(found.end(), len(text)):
        depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1, ">": -1}.get(text[at], 0)
        if depth == 0 or (depth == 1 and text[at] == ","):
            parts.append(text[start:at])
            start = at + 1
        if depth == 0:
            return tuple(each for part in parts if (each := _parameter(part)) is not None)
    return ()


def _parameter(text: str) -> CParameter | None:
    bare = " ".join(_QUALIFIERS.sub(" ", text).split())
    name = re.search(r"([A-Za-z_]\w*)\s*(\[[^\]]*\])?$", bare)
    if name is None:
        return None
    before = bare[: name.start()].strip()
    if "*" not in before and name[2] is None:
        return CParameter(name[1], None, constant=True) if before and "&" not in before else None
    constant = re.search(r"\bconst\b[^*]*\*", text if "*" in text else f"{text}*") is not None
    return CParameter(name[1], TYPES.get(before.rstrip("* ").strip(), ""), constant)
