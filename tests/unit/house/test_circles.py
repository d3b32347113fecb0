"""Modules that import each other, directly or by way of others: in one package only, and there for a reason."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import package_trees
from package_trees import MODULES, PACKAGE

CIRCLES = {
    "equality": [
        ("definitions facts", "what is defined is expanded with facts, and facts speak of what is defined"),
        (
            "closed_sums distribution element_tests fractions logarithms signs whole_powers",
            "tests lose factors of known sign and logarithms of what is above 0; signs are known of tests in that form",
        ),
    ],
    "frontends.cuda.cxx": [
        (
            "__init__ assembly assignments calls casts choices classes closures construct declarations "
            "device_variables discarded expressions functions initial inline loops names operands overloads packs "
            "statements static_contents templates type_names",
            "C++ is mutually recursive: calls have bodies, types have lengths, both have expressions",
        ),
    ],
    "model.check_kernel": [
        ("calls expressions operations", "an expression may be a call, its operands are expressions")
    ],
    "lsp": [("protocol server", "the protocol has the type of the server that speaks it")],
    "solve": [("encoding expansion functions", "a term is encoded by parts that encode terms")],
    "terms": [("node text", "a term shows itself as text")],
}
"""The circles, by package: the modules of each, and what makes them one."""

ROOMS = ["reading", "cxx", "intrinsics", "lower", "launches"]
"""The rooms of the front end for CUDA, ground floor first."""


@cache
def imports() -> dict[str, set[str]]:
    """For each module, by its dotted name in the package, the modules that it imports, wherever in it that stands."""
    files = {_name(file): file for file in MODULES}
    return {name: set(_imported(file, files)) - {name} for name, file in files.items()}


def _name(file: Path) -> str:
    return ".".join(file.relative_to(PACKAGE).with_suffix("").parts)


def _imported(file: Path, files: Mapping[str, Path]) -> Iterator[str]:
    for node in package_trees.imports(file):
        # a name that is imported from somewhere is a module, or else is in the module that it is imported from
        above = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        names = [above + alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            inside = [".".join(parts[1:end]) for end in (len(parts), len(parts) - 1)] if parts[0] == "rewright" else []
            found = (known for each in inside for known in (each, f"{each}.__init__") if known in files)
            yield from list(found)[:1]


def reached(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """For each module, all that it leads to."""
    found: dict[str, set[str]] = {}
    for start in graph:
        seen, waiting = set[str](), [start]
        while waiting:
            for following in graph[waiting.pop()] - seen:
                seen.add(following)
                waiting.append(following)
        found[start] = seen
    return found


@cache
def circles() -> set[tuple[str, ...]]:
    """The largest sets of modules that all lead to each other."""
    leads = reached(imports())
    return {tuple(sorted(each for each in leads[name] if name in leads[each])) for name in leads if name in leads[name]}


def _package(name: str) -> str:
    return name.rpartition(".")[0]


def test_no_circle_spans_two_packages() -> None:
    for circle in circles():
        assert len({_package(name) for name in circle}) == 1, circle


def test_each_circle_is_named_with_its_reason() -> None:
    found = {(_package(circle[0]), " ".join(name.rpartition(".")[2] for name in circle)) for circle in circles()}
    assert found == {(package, modules) for package, listed in CIRCLES.items() for modules, _ in listed}


def test_who_leads_back_by_the_package_says_why() -> None:
    for file in (PACKAGE / "frontends" / "cuda" / "cxx").glob("*.py"):
        lines = file.read_text(encoding="utf-8").splitlines()
        back = [line for line in lines if line.startswith("from rewright.frontends.cuda import cxx")]
        assert all("  # " in line for line in back), file


def test_rooms_for_cuda_import_only_from_those_below() -> None:
    assert {path.name for path in (PACKAGE / "frontends" / "cuda").iterdir() if path.is_dir()} - {"__pycache__"} == {
        *ROOMS
    }
    for name, following in imports().items():
        for other in following:
            rooms = [each.split(".")[2] for each in (name, other) if each.startswith("frontends.cuda.")]
            if len(rooms) == 2 and "__init__" not in rooms:
                assert ROOMS.index(rooms[1]) <= ROOMS.index(rooms[0]), f"{name} imports {other}"
