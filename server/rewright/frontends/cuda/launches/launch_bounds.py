"""`__launch_bounds__` of a kernel: threads that a block of it has at most, as a requirement of each launch.

CUDA refuses a launch with more. Must not know where launches are said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import prod

from rewright.frontends.cuda.launches.signatures import Signature
from rewright.frontends.cuda.launches.text import WORD
from rewright.model.body import Expression
from rewright.model.index import Name
from rewright.model.kernel import Kernel
from rewright.model.scalars import integer
from rewright.model.simt.constants import NoValue

_BOUNDS = re.compile(r"__launch_bounds__\s*\(\s*(\w+)\s*[,)]")
_BLOCK = re.compile(r"\bblock\s*\(")
_CONSTANT = r"(?:#[ \t]*define[ \t]+{0}[ \t]+|\b{0}\s*=\s*)\(?([0-9]+)\)?[ \t]*(?:[;,\n]|//|/\*|$)"


def bounds_in(head: str, texts: Iterable[str]) -> str:
    """The first number of `__launch_bounds__` in what stands before a kernel's name, empty if it has none.

    It is a literal, a constant of the texts that has one value there, or the name of a parameter of a template.
    """
    found = _BOUNDS.search(head)
    if found is None or not WORD.fullmatch(found[1]):
        return found[1] if found is not None and found[1].isdigit() else ""
    constant = re.compile(_CONSTANT.format(re.escape(found[1])))
    values = {each for text in texts for each in constant.findall(text)}
    return values.pop() if len(values) == 1 else found[1]


def most_threads(signature: Signature, arguments: Mapping[str, str]) -> int | None:
    """The threads of a block of a kernel with these arguments of its template, None if that is not known."""
    said = arguments.get(signature.bounds, signature.bounds)
    return int(said) if said.isdigit() else None


def within_bounds(launch: str, most: int | None) -> str:
    """That a launch in our syntax has so many threads in a block, as a requirement; empty if its text says how many."""
    begin = _BLOCK.search(launch)
    if begin is None or most is None:
        return ""
    sizes, depth = [""], 1
    for character in launch[begin.end() :]:
        depth += (character == "(") - (character == ")")
        if depth == 0:
            break
        if character == "," and depth == 1:
            sizes.append("")
        else:
            sizes[-1] += character
    if all(each.strip().isdigit() for each in sizes):
        return ""
    return f"requires {' * '.join(f'({each.strip()})' for each in sizes)} <= {most}"


def beyond_bounds(kernel: Kernel, most: int | None) -> str:
    """Why a launch whose sizes are known is not possible; empty if it is, or if they are not known."""
    if most is None:
        return ""
    values: dict[Name, int | float] = {}
    try:
        for each in (*kernel.sizes, *kernel.parameters):
            value: Expression | None = getattr(each, "value", None)
            values |= {} if value is None else {each.name: integer(value, values)}
        threads = prod(integer(each, values) for each in kernel.launch.block)
    except NoValue:
        return ""
    if threads <= most:
        return ""
    return f"no GPU takes it: `__launch_bounds__` allows {most} threads in a block, this launch has {threads}"
