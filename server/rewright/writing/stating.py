"""The relation that was found of a proved refinement, written as what is expected of its results.

Owns the text. What it states is what was proved and replayed, so a refinement with it is proved like the one without.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.syntax import nodes
from rewright.syntax.formatting import INDENT, formatted
from rewright.syntax.text import Text


def unstated(refinement: nodes.RefineDecl, found: Mapping[str, str]) -> Mapping[str, str]:
    """The placements, by the names of results, of which nothing is expected yet."""
    stated = set[str]()
    for item in refinement.items:
        match item:
            case nodes.Expect(what=nodes.Placement(name=name)):
                stated.add(name.text)
            case nodes.Expect(what=nodes.Assign(target=nodes.Name(text=text))):
                stated.add(text)
            case _:
                pass
    return {name: placement for name, placement in found.items() if name not in stated}


def stating(written: str, placements: Mapping[str, str]) -> str | None:
    """A refinement, as it is written, that expects these placements of results; None if it is not written to its end.

    >>> print(stating("refine a of b", {"y": "shard(0, tp)"}))
    refine a of b {
      expect y: shard(0, tp)
    }
    """
    lines = [f"{' ' * INDENT}expect {name}: {placement}" for name, placement in placements.items()]
    text = written.rstrip()
    if "{" not in text:
        return "\n".join([f"{text} {{", *lines, "}"])
    if not text.endswith("}"):
        return None
    made = "\n".join([text[:-1].rstrip(), *lines, "}"])
    return formatted(Text.of("", made)).rstrip("\n")
