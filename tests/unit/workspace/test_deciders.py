"""What a question's key says of the program: every package that answering it may run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rewright.model.graph import Refinement
from rewright.model.kernel import Kernel
from rewright.model.rule import Rule
from rewright.workspace.jobs import DECIDERS, SEARCHERS

SERVER = Path(__file__).parents[3] / "server"
READ_BEFORE = "rewright.syntax"
"""A question of a rule or a kernel holds values, no text: that was read before it was asked."""


@pytest.mark.parametrize(
    ("kind", "answering", "besides"),
    [
        (Rule, "rewright.checks.rule", (READ_BEFORE,)),
        (Rule, "rewright.checks.second_opinion", (READ_BEFORE,)),
        (Kernel, "rewright.checks.kernel", (READ_BEFORE,)),
        (Refinement, "rewright.checks.refinement", (READ_BEFORE,)),
        (Rule, "rewright.fixes.preconditions.rule_fixes", SEARCHERS),
        (Kernel, "rewright.fixes.kernels.search", SEARCHERS),
    ],
)
def test_what_is_imported_to_answer_a_question_is_in_its_key(
    kind: type, answering: str, besides: tuple[str, ...]
) -> None:
    known = (*DECIDERS[kind], *besides)
    loaded = _loaded(answering)
    assert len(loaded) > 50
    assert {name for name in loaded if not any(f"{name}.".startswith(f"{each}.") for each in known)} == set()


def _loaded(name: str) -> set[str]:
    """The modules of ours that hold code and that a module imports, and those import, wherever the import stands."""
    seen: set[str] = set()
    rest = [name]
    while rest:
        name = rest.pop()
        if name not in seen and _tree(name) is not None:
            seen.add(name)
            rest += _imported(name)
    return {name for name in seen if (tree := _tree(name)) is not None and len(tree.body) > 1}


@cache
def _tree(name: str) -> ast.Module | None:
    """What a module says, None if a name is that of none."""
    path = SERVER / name.replace(".", "/")
    file = next((each for each in (path / "__init__.py", path.with_suffix(".py")) if each.exists()), None)
    return None if file is None else ast.parse(file.read_text(encoding="utf-8"))


@cache
def _imported(name: str) -> frozenset[str]:
    """The names that a module imports, with the packages that they are in."""
    tree = _tree(name)
    return frozenset(() if tree is None else _imports(tree))


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found = [each.name for each in names]
            case ast.ImportFrom(module=str(module), names=names):
                found = [f"{module}.{each.name}" for each in names]
            case _:
                continue
        for parts in (name.split(".") for name in found if name.startswith("rewright.")):
            yield from (".".join(parts[:length]) for length in range(2, len(parts) + 1))
