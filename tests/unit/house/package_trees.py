"""The modules of the package as syntax trees, each read once for all tests of a process."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "server" / "rewright"
MODULES = sorted(PACKAGE.rglob("*.py"))


@cache
def tree(file: Path) -> ast.Module:
    """What a module says. Nobody changes it."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Every node of a module."""
    return tuple(ast.walk(tree(file)))


@cache
def imports(file: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """What a module imports, wherever in it that stands."""
    return tuple(node for node in nodes(file) if isinstance(node, ast.Import | ast.ImportFrom))


def modules_in(folder: Path) -> list[Path]:
    """The modules in a folder of the package and in those below it."""
    return [file for file in MODULES if file.is_relative_to(folder)]
