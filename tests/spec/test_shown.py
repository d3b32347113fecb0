"""What the documents show beside rules and kernels is what comes out: commands and their output, JSON, settings.

A `console` block has commands after `$ `, each with its whole output. They run in a folder that holds the blocks of the
page that have a title. Times are left out of the comparison. A block in a language that no test knows is a failure.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from literate import blocks
from test_spec import DOCS, ROOT

from rewright.checks.table import rule_questions
from rewright.fixes.preconditions.edits import title
from rewright.fixes.preconditions.rule_fixes import rule_fixes
from rewright.model.file import check_file
from rewright.model.rule import Rule, holes
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

PAGES = [ROOT / "README.md", *DOCS]
FENCE = re.compile(r"^ *```(\w*)(?: title=\"([^\"\n]*)\")?\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
RUN_ELSEWHERE = {"rw", "c", "cuda", "toml", "ebnf"}
"""`rw` and `cuda` by `test_spec.py`, `toml` by `test_settings.py`, `ebnf` by `test_grammar_page.py`, `c` here."""
ILLUSTRATIONS = {"hlo", "text", "elisp", "lua"}
"""What other programs read; the set-up of Neovim is run by `tests/e2e/test_neovim.py`."""
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
TIMES = re.compile(r" +[\d.]+ m?s\b")
SHELL = re.compile(
    r"make (?P<target>[\w-]+)|rewright (?P<command>\w+)|git clone|cd |python3 -m http\.server|\.venv/bin/python -m "
)


def shown(page: Path, language: str) -> list[tuple[str, str]]:
    """The title and the text of each block of a page in one language."""
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [(title, text) for name, title, text in found if name == language]


def with_blocks(language: str) -> list[Any]:
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES if shown(page, language)]


def fixes(page: Path) -> Iterator[tuple[str, list[str]]]:
    """The names of rules' files and the titles of the quick fixes that a page shows for them."""
    for name, text in shown(page, "text"):
        if name.startswith("fixes of "):
            yield name.removeprefix("fixes of "), text.splitlines()


@pytest.fixture
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Commands by their names, wide lines, and an empty cache."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")), "COLUMNS": "200"}


def folder_of(page: Path, folder: Path) -> Path:
    """The folder, with each titled block of a page as a file."""
    for block in blocks(page):
        if block.title is not None:
            (folder / block.title).write_text(block.text, encoding="utf-8")
    for name, text in shown(page, "c"):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(command: str, folder: Path, environment: dict[str, str]) -> str:
    words = shlex.split(command)
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_language_of_every_block_is_known(page: Path) -> None:
    languages = {name for name, _, _ in FENCE.findall(page.read_text(encoding="utf-8"))}
    assert languages <= RUN_ELSEWHERE | ILLUSTRATIONS | {"console", "json", "sh", "yaml"}


@pytest.mark.parametrize("page", with_blocks("console"))
def test_a_command_prints_what_the_page_shows(page: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    folder_of(page, tmp_path)
    for _, text in shown(page, "console"):
        for command, output in COMMAND.findall(text):
            assert compared(run(command, tmp_path, environment)) == compared(output)


def compared(output: str) -> str:
    return "\n".join(line.rstrip() for line in TIMES.sub("", output).strip().splitlines())


@pytest.mark.parametrize("page", with_blocks("json"))
def test_json_is_part_of_a_report(page: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """The title of such a block is the command; an object may leave members out, a list may not."""
    folder_of(page, tmp_path)
    for command, text in shown(page, "json"):
        hold_part(json.loads(text), json.loads(run(command, tmp_path, environment)))


def test_the_page_of_json_has_every_member_of_the_schema() -> None:
    page = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    schema = json.loads((ROOT / "server" / "rewright" / "report" / "report.schema.json").read_text(encoding="utf-8"))
    kinds = [schema, schema["properties"]["summary"], *schema["$defs"].values()]
    members = {name for kind in kinds for name in kind.get("properties", {})}
    assert members - set(re.findall(r"`([a-z_]+)`", page)) == set()


def hold_part(part: Any, whole: Any) -> None:
    match part:
        case dict():
            for name, value in part.items():
                if name != "ms":
                    hold_part(value, whole[name])
        case list():
            assert len(part) == len(whole)
            for one, other in zip(part, whole, strict=True):
                hold_part(one, other)
        case _:
            assert part == whole


@pytest.mark.parametrize("page", [page for page in PAGES if any(fixes(page))], ids=lambda page: page.stem)
def test_the_fixes_that_a_page_shows_are_offered(page: Path, tmp_path: Path) -> None:
    folder_of(page, tmp_path)
    for name, text in fixes(page):
        (declared,) = check_file(parse(Text.of(name, (tmp_path / name).read_text())), lambda path: None).declarations
        assert isinstance(declared.value, Rule)
        found = rule_fixes(rule_questions(declared.value), holes(declared.value))
        assert [title(each) for each in found.found] == text


@pytest.mark.parametrize("page", with_blocks("sh"))
def test_commands_that_are_not_run_are_there(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for _, text in shown(page, "sh"):
        for line in filter(None, (each.partition("#")[0].strip() for each in text.splitlines())):
            found = SHELL.match(line)
            assert found, line
            assert found["target"] is None or found["target"] in targets
            assert found["command"] in {None, "check", "explain", "query"}
