"""Texts of rules/loops in C, compiled and run by gcc: what each transform leaves in its arrays.

Shares nothing with the front end or with isl. Every right side is replaced by a 64-bit mix of its statement and of what
it reads, so two programs leave the same arrays exactly if the same values flow the same way.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_STATEMENT = re.compile(r"^#define ([A-Z_]+)\(([\w, ]*)\) *(.*)$", re.MULTILINE)
_FUNCTION = re.compile(r"^void (\w+)\(([^)]*)\) \{", re.MULTILINE)
_TRANSFORM = re.compile(
    r"^#pragma rewright transform (\w+)(?:\((\w+)\))? of \w+(?: at \w+ = ([\d, ]+?))?( expect refuted)?$", re.MULTILINE
)
_ACCESS = re.compile(r"\b[A-Za-z_]\w*(?:\[[^\[\]]*\])*")
_CALLS = re.compile(r"\b(?:sqrt|max)\b")


@dataclass(frozen=True, slots=True)
class Agreement:
    """A transform, whether its text says that it is wrong, and at which sizes it leaves what its specification does."""

    name: str
    is_refuted: bool
    agrees: tuple[bool, ...]


def agreements(file: Path, folder: Path, sizes: Sequence[Sequence[int]]) -> list[Agreement]:
    """What the transforms of a text leave; each of `sizes` has a number for each integer parameter, others left out."""
    return agreements_of(file.read_text(), folder, sizes)


def agreements_of(text: str, folder: Path, sizes: Sequence[Sequence[int]]) -> list[Agreement]:
    """As `agreements`, of a text. A transform that crashes or does not end in some seconds leaves something else."""
    program = folder / "program.c"
    program.write_text(_program(text, sizes))
    subprocess.run(["gcc", "-O1", "-w", "-o", folder / "program", program], check=True)
    ran = subprocess.run([folder / "program"], check=True, capture_output=True, text=True).stdout
    said: dict[str, list[bool]] = {}
    for line in ran.splitlines():
        name, equal = line.split()
        said.setdefault(name, []).append(equal == "1")
    return [Agreement(name, bool(wrong), tuple(said[name])) for name, _, _, wrong in _TRANSFORM.findall(text)]


def _program(text: str, sizes: Sequence[Sequence[int]]) -> str:
    text = text.replace("\\\n", " ")
    mixed = _STATEMENT.sub(_mixed, text).replace("double ", "uint64_t ")
    name, parameters = _FUNCTION.findall(text)[0]
    written = [each.split() for each in " ".join(parameters.split()).split(", ")]
    integers = [each[1] for each in written if each[0] == "int"]
    arrays = [(each[1].partition("[")[0], each[1]) for each in written if each[0] == "double"]
    lines = [f"static void compare({', '.join(f'int {each}' for each in integers)}) {{"]
    declared = "; ".join(f"uint64_t {full}, {_renamed(full)}" for _, full in arrays)
    lines.append(f"  int status; {declared};")
    given: dict[str, str] = dict(_FUNCTION.findall(text))
    for other, tile, size in _sized(text):
        lines.append("  fflush(stdout);")
        lines.append("  if (!fork()) {")
        lines.append("  alarm(5);")
        for which, called in (("", name), ("_", other)):
            for array, full in arrays:
                target = f"{array}{which}"
                fill = f"fill(&{target}, sizeof {target}, {len(full)});"
                lines.append(f"  {fill}")
            passed = [each.split()[1].partition("[")[0] for each in given[called].split(",")]
            values = {each: each for each in integers} | {tile: size}
            arguments = ", ".join(values.get(each, f"{each}{which}") for each in passed)
            lines.append(f"  {called}({arguments});")
        equal = " && ".join(f"!memcmp(&{array}, &{array}_, sizeof {array})" for array, _ in arrays)
        lines.append(f'  printf("{other} %d\\n", {equal});')
        lines.append("  fflush(stdout); _exit(0); }")
        lines.append(f'  wait(&status); if (status) printf("{other} 0\\n");')
    lines.append("}")
    calls = [f"  compare({', '.join(str(each[at % len(each)]) for at in range(len(integers)))});" for each in sizes]
    return "\n".join([_BEGIN, mixed, *lines, "int main(void) {", *calls, "  return 0;", "}"])


def _sized(text: str) -> Iterator[tuple[str, str, str]]:
    """The transforms of a text, with each value of a tile size that one lists."""
    for name, tile, sizes, _ in _TRANSFORM.findall(text):
        for size in sizes.split(", "):
            yield name, tile, size


def _renamed(declared: str) -> str:
    array, bracket, rest = declared.partition("[")
    return f"{array}_{bracket}{rest}"


def _mixed(match: re.Match[str]) -> str:
    """A statement whose right side is a mix of what it reads; macros that are no statement stay."""
    name, parameters, body = match.groups()
    assigned = re.match(r"(\w+(?:\[[^=]*?\])*) ([-+*/]?)= (.*)", body)
    if assigned is None:
        return match[0]
    target, operator, right = assigned.groups()
    reads = _ACCESS.findall(_CALLS.sub("", right))
    given = [target, *reads] if operator else reads
    mix = f"mix({sum(map(ord, name)) * 7919 + len(name)}ull, 0)"
    for each in given:
        mix = f"mix({mix}, {each})"
    return f"#define {name}({parameters}) {target} = {mix}"


_BEGIN = """\
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t z = (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9ull;
  return (z ^ (z >> 29)) * 0x94d049bb133111ebull;
}
static void fill(void *to, size_t bytes, uint64_t seed) {
  uint64_t *cells = to;
  for (size_t each = 0; each < bytes / 8; each++) cells[each] = mix(seed, each);
}
"""
