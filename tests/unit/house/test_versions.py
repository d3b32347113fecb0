"""`versions.toml` lists everything that the manifests ask for, in a version that they allow."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

ROOT = Path(__file__).parents[3]
TRIED = tomllib.loads((ROOT / "versions.toml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = {"extension": ROOT / "vscode-extension", "editor": ROOT / "tests" / "e2e" / "editor"}


def test_what_python_packages_were_tried_is_allowed() -> None:
    extras = [each for extra in PROJECT["optional-dependencies"].values() for each in extra]
    asked = {each.name: each.specifier for each in map(Requirement, [*PROJECT["dependencies"], *extras])}
    assert set(asked) == set(TRIED["python"])
    assert [name for name, version in TRIED["python"].items() if version not in asked[name]] == []
    assert TRIED["platform"]["python"] in SpecifierSet(PROJECT["requires-python"])


def test_what_is_asked_for_is_installed() -> None:
    """Else tests fail that say nothing of it."""
    needed = map(Requirement, PROJECT["dependencies"])
    installed = {each.name.lower().replace("_", "-") for each in distributions()}
    absent = [each.name for each in needed if each.name.lower() not in installed]
    assert absent == [], "run `make .venv/.installed-test`"


def test_the_oldest_that_is_allowed_was_tried() -> None:
    """Ranges are tried at both ends: `oldest` is what a resolver takes that is asked for the lowest versions."""
    asked = {each.name: each.specifier for each in map(Requirement, PROJECT["dependencies"])}
    lowest = {name: min(Version(s.version) for s in bounds if s.operator == ">=") for name, bounds in asked.items()}
    assert {name: Version(version) for name, version in TRIED["oldest"].items()} == lowest


@pytest.mark.parametrize("section", PACKAGES)
def test_what_node_packages_were_tried_is_what_is_installed(section: str) -> None:
    manifest = json.loads((PACKAGES[section] / "package.json").read_text(encoding="utf-8"))
    asked = {**manifest.get("dependencies", {}), **manifest.get("devDependencies", {})}
    other = manifest.get("optionalDependencies", {})
    assert asked.items() <= TRIED[section].items() <= {**asked, **other}.items()
    lock = json.loads((PACKAGES[section] / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert {name: lock[f"node_modules/{name}"]["version"] for name in TRIED[section]} == TRIED[section]


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "grammar/regenerate.sh"])
def test_the_command_that_makes_the_parser_is_the_one_that_was_tried(page: str) -> None:
    asked = re.findall(r"tree-sitter-cli --version (\S+)", (ROOT / page).read_text(encoding="utf-8"))
    assert asked and set(asked) == {TRIED["platform"]["tree-sitter-cli"]}


def test_what_the_extension_installs_was_tried() -> None:
    """Its requirements name every dependency with one version and its hashes."""
    text = (ROOT / "vscode-extension" / "install" / "requirements.txt").read_text(encoding="utf-8")
    chosen = dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE))
    asked = [Requirement(each).name for each in PROJECT["dependencies"]]
    assert {name: Version(chosen[name]) for name in asked} == {name: Version(TRIED["python"][name]) for name in asked}
    hashed = re.findall(r"^[\w.-]+==[^\n]*\\\n +--hash=sha256:", text, re.MULTILINE)
    assert len(hashed) == len(chosen)
