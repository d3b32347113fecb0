"""What the documents set as code is there: paths, modules, make targets, options of the command line, settings, names.

Tolerant on purpose: a word passes if any source, test, rule or fenced example has it, so keywords and names of examples
do. What stays is what a reader would look for and not find.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from rewright.cli.commands import app

ROOT = Path(__file__).parents[3]
PAGES = [
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "vscode-extension/README.md"),
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md"))),
]
FOLDERS = ("server", "tests", "grammar", "rules", "docs", "vscode-extension", ".ci")
FILES = ("Makefile", "pyproject.toml", "zensical.toml", "setup.py")
MADE = ("node_modules", "__pycache__", "dist", "rewright.egg-info")
BUILT = ("build/", ".venv/")
"""Where what is built stands, which is in no checkout."""

FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)*/?")
ENDING = re.compile(r"\.(py|ts|js|mjs|c|toml|json|md|sh|yml)$")
PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b|NNN")
NAME = re.compile(r"\b[A-Za-z_]\w*_\w+\b|\b[A-Z]?[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]{3,}\b")
"""Words that are no English: with an underscore, or with a capital where code has one."""

OF_USERS = {"rewright.toml", "compile_commands.json", "fx_graph_readable.py"}
"""Files that are in their folders, not in ours."""

FOREIGN = ("npm ", "cargo ", "python3 ", "rsync ", "cp ", ".venv/bin/python ", "$", "~", "#include", "// ")
"""What begins so is a command or a path of somebody else."""


def spans(page: str) -> list[str]:
    """What a page sets as code within a line of text."""
    text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    return [code.strip() for _, code in SPAN.findall(text) if not code.strip().startswith(FOREIGN)]


def sources() -> Iterator[Path]:
    """The files of the project in which somebody may have written a name down."""
    yield from (ROOT / file for file in FILES)
    for folder in FOLDERS:
        for place, folders, files in os.walk(ROOT / folder):
            folders[:] = [name for name in folders if name not in MADE]
            yield from (Path(place, name) for name in (*folders, *files))


@cache
def paths() -> frozenset[str]:
    """Every file and folder, and every module without its ending."""
    found = {str(path.relative_to(ROOT)) for path in sources()} | {*FOLDERS, *(path.name for path in ROOT.iterdir())}
    return frozenset(found | {path.removesuffix(".py") for path in found})


@cache
def listed_paths() -> str:
    """These in small letters, one a line: to search one text for a path is faster than to ask each."""
    return "\n".join(sorted(map(str.lower, paths())))


@cache
def words() -> frozenset[str]:
    """Every word of a source, and of the fenced examples of the documents."""
    found: set[str] = set()
    for path in sources():
        if path.is_file() and path.suffix not in {".png", ".gif", ".svg", ".so"} and path != Path(__file__):
            text = path.read_text(encoding="utf-8", errors="replace")
            read = text if path.suffix != ".md" else "\n".join(match[0] for match in FENCE.finditer(text))
            found |= set(re.findall(r"\w+", read))
    return frozenset(found)


@cache
def stablehlo() -> frozenset[str]:
    """The names of StableHLO's specification: where a page says what an operator is called there, or has besides."""
    page = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    paragraphs = re.findall(r"^(?:StableHLO|Not decided): .*?\n\n", page, re.MULTILINE | re.DOTALL)
    return frozenset(re.findall(r"\w+", "".join(paragraphs))) | frozenset(re.findall(r"StableHLO's\s`(\w+)`", page))


def is_there(path: str) -> bool:
    """Whether a path, of which the beginning may be left out, is that of a file, a folder or a module."""
    pattern = PLACEHOLDER.sub("*", path.strip("/")).lower()
    if path.startswith(BUILT) or pattern in {".", ".."}:
        return True
    written = re.escape(pattern).replace(re.escape("*"), ".*")
    return path in OF_USERS or re.search(rf"(?:^|/){written}$", listed_paths(), re.MULTILINE) is not None


def looks_like_a_path(code: str) -> bool:
    """Whether code is a path that has to be there: with a slash and nothing but names, or with an ending of ours."""
    whole = PATH.fullmatch(code) is not None and re.search(r"[a-z]{3}", code) is not None
    return whole and (("/" in code and not code.startswith(("/", "~"))) or bool(ENDING.search(code.lstrip("."))))


@pytest.mark.parametrize("page", PAGES)
def test_paths_and_modules_are_there(page: str) -> None:
    assert [code for code in spans(page) if looks_like_a_path(code) and not is_there(code)] == []


def test_make_has_its_targets() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = [(page, code) for page in PAGES for code in spans(page) if code.startswith("make ")]
    assert [each for each in named if each[1].split()[1] not in targets] == []


def test_the_command_line_has_its_options() -> None:
    command = get_command(app)
    parameters = [each for one in (command, *getattr(command, "commands", {}).values()) for each in one.params]
    options = {option for each in parameters for option in each.opts} | {"--help"}
    named = [(page, code) for page in PAGES for code in spans(page) if code.startswith(("rewright ", "--"))]
    assert [each for each in named if not set(re.findall(r"(?<!\S)--[a-z][a-z-]*", each[1])) <= options] == []


def test_settings_and_commands_of_the_editor_are_there() -> None:
    sources = ("vscode-extension/package.json", "server/rewright/lsp/commands.py")
    manifest = "".join((ROOT / source).read_text(encoding="utf-8") for source in sources)
    named = {code for page in PAGES for code in spans(page) if re.fullmatch(r"rewright\.\w+(\.\w+)*", code)}
    assert {code for code in named if f'"{code}"' not in manifest} <= OF_USERS


def test_a_slip_is_noticed() -> None:
    assert is_there("model/operator_table.py") and not is_there("model/operator_tabel.py")
    assert "reduce_window" in words() and not {"reduce_windw", "solverOnyl"} & words()


@pytest.mark.parametrize("page", PAGES)
def test_names_are_there(page: str) -> None:
    named = [name for code in spans(page) if not looks_like_a_path(code) for name in NAME.findall(code)]
    assert sorted({name for name in named if len(name) > 3} - words() - stablehlo()) == []
