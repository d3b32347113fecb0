"""The documents are true where a test can tell: the list of packages, the length of the page, the links."""

import re
from pathlib import Path

import pytest
from test_imports import FLOORS

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "server" / "rewright"
PAGES = [
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    *("docs/tutorial.md", "docs/soundness.md", "docs/kernels.md"),
]


def test_architecture_lists_the_packages_in_the_order_of_their_floors() -> None:
    listed = re.findall(r"^\| `(\w+)/`", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.MULTILINE)
    there = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert sorted(listed) == sorted(there)
    heights = [next(height for height, floor in enumerate(FLOORS) if name in floor) for name in listed]
    assert heights == sorted(heights)


def test_architecture_is_one_page() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) <= 90


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert ((ROOT / page).parent / target).exists(), target
