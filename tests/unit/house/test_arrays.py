"""Whoever takes or gives a NumPy array says its shape and its dtype: where it stands, or once at an alias."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from package_trees import MODULES, PACKAGE, tree

WITH_ARRAYS = [file for file in MODULES if "numpy" in file.read_text(encoding="utf-8")]

SHAPE = re.compile(r"\(\)|[(\[][\w ]+,[^)\]]*[)\]]")
DTYPE = re.compile(r"\b(dtypes?|bool|object|u?int\d+|float\d+|intp)\b")

Alias = tuple[ast.expr, str]
"""What an alias stands for, and its docstring."""


def says(text: str) -> bool:
    return bool(SHAPE.search(text) and DTYPE.search(text))


def docstring(node: ast.stmt) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
        case _:
            return ""


@cache
def aliases(file: Path) -> dict[str, Alias]:
    """By name, the aliases that a module makes, and those that it imports."""
    body = tree(file).body
    found: dict[str, Alias] = {}
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        match node:
            case ast.ImportFrom(module=str(name)) if name.startswith("rewright."):
                source = PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py")
                known = aliases(source) if source in WITH_ARRAYS else {}
                found |= {each.name: known[each.name] for each in node.names if each.name in known}
            case ast.AnnAssign(ast.Name(id=name), ast.Name(id="TypeAlias"), ast.expr() as value):
                found[name] = value, docstring(following)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as value):
                found[name] = value, docstring(following)
    return found


def silent(annotation: ast.expr, file: Path) -> bool:
    """Whether an annotation has an array in it of which no alias says what it is."""
    for part in ast.walk(annotation):
        name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
        if name in ("NDArray", "ndarray"):
            return True
        if name in aliases(file):
            stands_for, said = aliases(file)[name]
            if not says(said) and (ast.unparse(stands_for) == "Any" or silent(stands_for, file)):
                return True
    return False


def annotated(node: ast.FunctionDef) -> Iterator[ast.expr]:
    arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
    yield from (each.annotation for each in arguments if each.annotation is not None)
    if node.returns is not None:
        yield node.returns


def held(node: ast.ClassDef) -> Iterator[ast.expr]:
    """The annotations of public fields: of the class, and of those that its methods set first."""
    for each in ast.walk(node):
        if isinstance(each, ast.AnnAssign) and (each in node.body or isinstance(each.target, ast.Attribute)):
            name = ast.unparse(each.target).removeprefix("self.")
            yield from () if name.startswith("_") else (each.annotation,)


def public(body: list[ast.stmt]) -> Iterator[tuple[str, str, list[ast.expr]]]:
    """The public functions and classes, with what they say and the annotations of what they take, give and hold."""
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, ast.get_docstring(node) or "", list(annotated(node))
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, ast.get_docstring(node) or "", list(held(node))
            yield from public(node.body)


@pytest.mark.parametrize("file", WITH_ARRAYS, ids=lambda file: file.stem)
def test_shapes_and_dtypes_of_arrays_are_said(file: Path) -> None:
    found = [
        name
        for name, said, used in public(tree(file).body)
        if not says(said) and any(silent(each, file) for each in used)
    ]
    assert found == []
