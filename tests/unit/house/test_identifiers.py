"""Identifiers: the field's words, no private ones; a switch is passed by its name."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from package_trees import MODULES, PACKAGE, nodes

PRIVATE = {
    "told": "reported, known, given",
    "telling": "relevant",
    "wanted": "expected, requested, needed",
    "lookout": "watchpoint, search plan",
    "filling": "synthesis, contents, instantiation",
    "fillings": "syntheses, contents, instantiations",
    "stray": "outside",
    "astray": "diverted",
    "mend": "fix",
    "mended": "fixed",
    "mending": "quick fix",
    "vain": "failed, forever",
    "lack": "missing",
    "lacks": "missing",
    "lacking": "missing",
    "behind": "after",
    "from_": "start, source, origin",
}
"""What no identifier is called or made of, each with what is said in its place."""

VALUES = {"Truth", "truth", "intern", "filled"}
"""What takes a truth as its value, not as a switch."""


@cache
def _names(file: Path) -> frozenset[str]:
    """The identifiers that a module introduces, its own name among them."""
    return frozenset((file.stem, *_introduced(file)))


def _introduced(file: Path) -> Iterator[str]:
    for node in nodes(file):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.alias(asname=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def _words(name: str) -> set[str]:
    return {name, *(word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name))}


def _place(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def test_identifiers_have_no_private_words() -> None:
    found = {
        f"{_place(file)}: {name}": PRIVATE[word]
        for file in MODULES
        for name in _names(file)
        for word in _words(name) & PRIVATE.keys()
    }
    assert found == {}


def test_switches_are_passed_by_keyword() -> None:
    """`_Ran(depends, is_excluded=True)`: a `True` by itself does not say what is true."""
    own = {name for file in MODULES for name in _names(file)} - VALUES
    bare = []
    for file in MODULES:
        for node in nodes(file):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=given) if name in own:
                    if any(isinstance(each, ast.Constant) and isinstance(each.value, bool) for each in given):
                        bare.append(f"{_place(file)}:{node.lineno}: {name}")
    assert bare == []
