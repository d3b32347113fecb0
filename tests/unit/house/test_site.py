"""The site's check finds what a page asks another host for; the navigation has every page, and only pages there are."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PROJECT = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
NAVIGATION = PROJECT["nav"]

ASKING = {
    "a script": '<script src="https://unpkg.com/x.js"></script>',
    "a script without a scheme": '<script src="//unpkg.com/x.js"></script>',
    "a style sheet": '<link rel="stylesheet" href="https://fonts.googleapis.com/css">',
    "a connection made early": '<link rel="preconnect" href="https://fonts.gstatic.com" crossorigin>',
    "an image": "<img src='https://a.org/b.png'>",
    "a style": "<style>@font-face { src: url(https://a.org/b.woff2) }</style>",
    "an import in a style": "<style>@import 'https://a.org/b.css'</style>",
    "a style of one element": '<p style="background: url(//a.org/b.png)">x</p>',
    "a script in the page": '<script>fetch("https://a.org/b.json")</script>',
    "a diagram": '<pre class="mermaid"><code>graph LR</code></pre>',
}
NOT_ASKING = {
    "a link to follow": '<a href="https://zensical.org/">made with</a>',
    "the page's own address": '<link rel="canonical" href="https://a.org/b.html">',
    "an address in the text": "<p>https://a.org/b.js</p><code>url(https://a.org)</code>",
    "a file of the site": '<script src="assets/x.js"></script><link rel="stylesheet" href="./x.css">',
}


def checked(site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / ".ci" / "same_host.py"), str(site)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("page", ASKING.values(), ids=ASKING.keys())
def test_a_page_that_asks_another_host_is_found(page: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(f"<html><body>{page}</body></html>", encoding="utf-8")
    found = checked(tmp_path)
    assert (found.returncode, found.stdout.count("page.html asks another host")) == (1, 1)


def test_a_style_sheet_that_asks_another_host_is_found(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<html></html>", encoding="utf-8")
    (tmp_path / "x.css").write_text('@import url("https://a.org/b.css");', encoding="utf-8")
    assert checked(tmp_path).returncode == 1


@pytest.mark.parametrize("page", NOT_ASKING.values(), ids=NOT_ASKING.keys())
def test_what_is_no_request_passes(page: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(f"<html><body>{page}</body></html>", encoding="utf-8")
    found = checked(tmp_path)
    assert found.returncode == 0, found.stdout


def test_a_site_without_pages_is_a_failure(tmp_path: Path) -> None:
    assert checked(tmp_path).returncode == 1


def named(entries: Any) -> set[str]:
    """The pages that a part of the navigation names."""
    match entries:
        case str():
            return {entries}
        case list():
            return {page for entry in entries for page in named(entry)}
    return named(list(entries.values()))


def test_the_navigation_has_every_page() -> None:
    assert named(NAVIGATION) == {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}


def test_the_table_of_codes_has_every_page_of_a_code() -> None:
    table = (DOCS / "codes.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((codes/RW\d+\.md)\)", table) == sorted(
        str(path.relative_to(DOCS)) for path in (DOCS / "codes").glob("*.md")
    )


def test_the_script_that_runs_the_search_in_files_is_ours() -> None:
    """Zensical adds one from another host unless a script has its name, be it after a question mark."""
    assert PROJECT["plugins"]["offline"]["enabled"]
    (script,) = (each["path"] for each in PROJECT["extra"]["polyfills"])
    path, _, name = script.partition("?")
    assert (name, (DOCS / path).is_file()) == ("iframe-worker", True)


def test_pages_show_pictures_that_are_there() -> None:
    for page in DOCS.rglob("*.md"):
        for picture in re.findall(r"!\[.+?\]\((.+?)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / picture).is_file()
