"""The layout of random programs: the same tree and words, comments kept, and nothing changes the second time."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

from printing import rule_text
from random_rules import random_rules

from rewright.syntax.formatting import formatted
from rewright.syntax.leaves import leaves
from rewright.syntax.text import Text
from rewright.syntax.tree import tree_of

ROOT = Path(__file__).parents[2]
COUNT = 2000 if os.environ.get("REWRIGHT_SOAK") else 60
APART = re.compile(r"\w\w|[^\w\s()\[\],;]{2}")
"""Two characters that would be read as one word, or might be."""


def test_a_layout_changes_blanks_alone_and_once() -> None:
    draw, changed = random.Random(7), 0
    for text in islice(programs(), COUNT):
        spaced = disordered(text, draw)
        result = formatted(Text.of("a.rw", spaced))
        assert read(result) == read(spaced), spaced
        assert formatted(Text.of("a.rw", result)) == result, spaced
        changed += spaced != text
    assert changed > COUNT // 2


def programs() -> Iterator[str]:
    """Declarations of the library and of the page about syntax, then random rules."""
    page = (ROOT / "tests" / "spec" / "declarations.md").read_text(encoding="utf-8")
    files = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules" / "kernels").glob("*.rw")))
    yield from islice((text for text in (*re.findall(r"^```rw\n(.*?)^```", page, re.S | re.M), *files)), COUNT // 2)
    yield from (rule_text(drawn.rule) for drawn in random_rules(seed=11, count=COUNT))


def read(text: str) -> tuple[str, list[bytes]]:
    """The tree of a text and its words."""
    data = text.encode()
    root = tree_of(data).root_node
    return str(root), [data[leaf.start : leaf.end].rstrip() for leaf in leaves(root)]


def disordered(text: str, draw: random.Random) -> str:
    """The text with other blanks between its words and a few comments, if that is the same to who reads it."""
    data = text.encode()
    words, parts = list(leaves(tree_of(data).root_node)), []
    for a, b in pairwise(words):
        gap = data[a.end : b.start].decode()
        if "\n" in gap:
            comment = "  // said" if draw.random() < 0.1 and not a.is_comment else ""
            lines = draw.choice(("\n", " \n", "\n\n", "\n\n\n"))
            gap = f"{comment}{lines}{' ' * draw.randrange(6)}"
        else:
            joined = (data[a.end - 1 : a.end] + data[b.start : b.start + 1]).decode(errors="replace")
            gap = draw.choice((" ", "   ", "\t") if APART.fullmatch(joined) else ("", " ", "   "))
        parts += [data[a.start : a.end].decode(), gap]
    changed = "".join((*parts, data[words[-1].start : words[-1].end].decode(), "\n")) if words else text
    before, after = read(text), read(changed)
    kept = [word for word in after[1] if word != b"// said"]
    return changed if kept == before[1] and "ERROR" not in after[0] and "MISSING" not in after[0] else text
