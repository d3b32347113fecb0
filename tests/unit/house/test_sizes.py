"""No package is most of the house, and no folder has more modules than a reader goes through."""

from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "server" / "rewright"

MOST_OF_ALL = 1 / 5
MOST_MODULES = 60
ROOMS = PACKAGE / "frontends"
"""A package of rooms, one for each language, that know nothing of one another: each counts by itself."""

LISTS = {PACKAGE / "report" / "codes"}
"""Folders with a module for each of many things, all alike."""


def test_no_package_holds_most_of_the_lines() -> None:
    lines = {file: file.read_bytes().count(b"\n") for file in PACKAGE.rglob("*.py")}
    for package in (path for path in (*PACKAGE.iterdir(), *ROOMS.iterdir()) if path.is_dir() and path != ROOMS):
        inside = sum(count for file, count in lines.items() if package in file.parents)
        assert inside <= MOST_OF_ALL * sum(lines.values()), f"{package.name} has {inside} lines"


def test_no_folder_has_too_many_modules() -> None:
    for folder in {file.parent for file in PACKAGE.rglob("*.py")} - LISTS:
        assert len(list(folder.glob("*.py"))) <= MOST_MODULES, folder
