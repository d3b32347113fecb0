"""Names and docstrings: a class name means one thing, and a public function says that it raises."""

import ast
from collections import defaultdict
from collections.abc import Iterator

import pytest
from package_trees import MODULES, PACKAGE, tree

FORMS = (
    "syntax/nodes/",
    "model/tensor.py",
    "model/formula.py",
    "model/index.py",
    "model/body.py",
    "model/simt/instructions.py",
    "terms/node.py",
)
"""Forms of the same constructs, one below the other: a sum as text, as a checked expression, as a term. Each calls a
construct by its one name; where two meet, they are written `nodes.Binary`, `simt.Binary`."""

OWN = {"AssertionError", "NotImplementedError", "typer.Exit", "SystemExit"}
"""What no caller catches."""


def _classes() -> dict[str, list[str]]:
    found = defaultdict(list)
    for file in MODULES:
        place = file.relative_to(PACKAGE).as_posix()
        if not place.startswith(FORMS):
            for node in tree(file).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(place)
    return found


def test_a_public_class_name_means_one_thing() -> None:
    assert {name: places for name, places in _classes().items() if len(places) > 1} == {}


def _raised(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """What the function raises itself, not by what it calls."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
        waiting.extend(ast.iter_child_nodes(node))


def _public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _public(node.body)


@pytest.mark.parametrize("package", sorted({file.relative_to(PACKAGE).parts[0] for file in MODULES}))
def test_a_public_function_that_raises_says_so(package: str) -> None:
    silent = []
    for file in MODULES:
        if file.relative_to(PACKAGE).parts[0] == package:
            for function in _public(tree(file).body):
                said = ast.get_docstring(function) or ""
                if set(_raised(function)) - OWN and "aises" not in said and "efuse" not in said:
                    silent.append(f"{file.relative_to(PACKAGE)}: {function.name}")
    assert silent == []
