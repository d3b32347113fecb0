"""The floors of the house: a package imports only from packages below it, and each library enters by one door."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from package_trees import MODULES, PACKAGE, imports, modules_in, nodes

FLOORS = [
    {"verdict"},
    {"syntax"},
    {"model"},
    {"terms"},
    {"solve"},
    {"equality"},
    {"meaning"},
    {"emit"},
    {"frontends"},
    {"rules", "kernels", "graphs", "loops"},
    {"replay"},
    {"report", "writing"},
    {"engine"},
    {"checks"},
    {"fixes"},
    {"workers"},
    {"workspace"},
    {"cli", "lsp"},
]
BELOW = {name: set().union(*FLOORS[:height]) for height, floor in enumerate(FLOORS) for name in floor}
IMPORTED = {
    "verdict": "",
    "syntax": "verdict",
    "model": "syntax verdict",
    "terms": "",
    "solve": "terms",
    "equality": "solve terms",
    "meaning": "equality model terms",
    "emit": "model verdict",
    "frontends": "emit model syntax verdict",
    "rules": "equality meaning model solve terms verdict",
    "kernels": "model verdict",
    "graphs": "model terms verdict",
    "loops": "model",
    "replay": "model verdict",
    "report": "model syntax verdict",
    "writing": "model syntax verdict",
    "engine": "",
    "checks": "emit frontends graphs kernels loops meaning model replay rules solve verdict",
    "fixes": "checks engine frontends graphs kernels loops meaning model replay report rules solve syntax terms "
    "verdict",
    "workers": "checks engine fixes frontends rules solve verdict",
    "workspace": "checks engine fixes frontends model report rules syntax verdict",
    "cli": "engine frontends model report rules syntax workspace",
    "lsp": "engine frontends model report syntax verdict workspace writing",
}
"""The packages that each one imports, no more and no less."""

DOORS = {
    "z3": {"solve"},
    "cvc5": {"solve"},
    "pygls": {"lsp"},
    "lsprotocol": {"lsp"},
    "typer": {"cli"},
    "rich": {"cli"},
    "sqlite3": {"engine"},
    "numpy": {"replay", "kernels"},
    "flint": {"replay"},
    "islpy": {"loops"},
    "tree_sitter": {"syntax", "emit", "frontends", "fixes"},
    "tree_sitter_rewright": {"syntax"},
    "tree_sitter_c": {"frontends"},
    "tree_sitter_cuda": {"frontends"},
    "tree_sitter_mlir": {"frontends"},
    "tree_sitter_python": {"frontends"},
}
SENTINELS = {"DECLARED"}
"""A value of the model that stands for itself only."""

PACKAGES = sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__")


def imported(file: Path) -> Iterator[str]:
    """Dotted names that a module imports, wherever in it the import stands."""
    for node in imports(file):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            assert node.level == 0, f"{file}: relative import"
            yield node.module or ""


def test_every_package_has_a_floor() -> None:
    assert set(PACKAGES) <= set(BELOW)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_from_below(package: str) -> None:
    assert set(IMPORTED[package].split()) <= BELOW[package]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_what_is_listed(package: str) -> None:
    found: dict[str, Path] = {}
    for file in modules_in(PACKAGE / package):
        for name in imported(file):
            parts = name.split(".")
            if parts[0] == "rewright" and len(parts) > 1 and parts[1] != package:
                found.setdefault(parts[1], file.relative_to(PACKAGE))
    listed = set(IMPORTED[package].split())
    assert {name: file for name, file in found.items() if name not in listed} == {}, "imported, but not listed"
    assert listed - found.keys() == set(), "listed, but not imported"


@pytest.mark.parametrize("package", PACKAGES)
def test_each_library_enters_by_its_door(package: str) -> None:
    for file in modules_in(PACKAGE / package):
        for name in imported(file):
            library = name.split(".")[0]
            assert package in DOORS.get(library, {package}), f"{file.relative_to(PACKAGE)} imports {name}"


def test_every_folder_with_modules_is_a_package() -> None:
    """A folder without `__init__.py` is left out of the wheel, and nobody would notice in this tree."""
    folders = {file.parent for file in MODULES}
    assert {folder for folder in folders if not (folder / "__init__.py").exists()} == set()


def test_only_workspace_and_command_line_open_files() -> None:
    """Reading a file needs `open` or a `Path`; the engine keeps its own cache and knows its own sources."""
    for package in set(PACKAGES) - {"workspace", "cli", "engine"}:
        for file in modules_in(PACKAGE / package):
            for node in nodes(file):
                match node:
                    case (
                        ast.Call(func=ast.Name(id="open"))
                        | ast.Attribute(attr="read_text" | "read_bytes" | "write_text")
                    ):
                        pytest.fail(f"{file.relative_to(PACKAGE)}:{node.lineno} reads a file")


def test_what_replays_takes_only_data_from_the_model() -> None:
    """Classes, and modules of them: no function and no constant, which it would share with what it confirms."""
    for file in modules_in(PACKAGE / "replay"):
        for node in imports(file):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("rewright.model"):
                for name in [alias.name for alias in node.names]:
                    is_class = name[0].isupper() and not name.isupper()
                    is_module = (
                        PACKAGE / node.module.removeprefix("rewright.").replace(".", "/") / f"{name}.py"
                    ).exists()
                    assert is_class or is_module or name in SENTINELS, f"{file.relative_to(PACKAGE)} imports {name}"
