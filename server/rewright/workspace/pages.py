"""What comes with the program to be read: its documentation, and the library.

A wheel has both inside the package; where the package is used from its repository, they stand there. A page is named by
its path without ending: `language`, `reference/types`, `codes/RW201`.
"""

from __future__ import annotations

from pathlib import Path

from rewright.report import codes

PACKAGE = Path(__file__).parents[1]
REPOSITORY = PACKAGE.parents[1]

CODES = "codes/"


def names() -> tuple[str, ...]:
    """The names of all pages but those of the diagnostic codes."""
    folder = _pages()
    found = (page.relative_to(folder).with_suffix("").as_posix() for page in folder.rglob("*.md"))
    return tuple(sorted(name for name in found if not name.startswith(CODES)))


def text(name: str) -> str | None:
    """The Markdown of a page, None if there is none of this name."""
    code = codes.lookup(name.removeprefix(CODES)) if name.startswith(CODES) else None
    if code is not None:
        return codes.page(code)
    return (_pages() / f"{name}.md").read_text(encoding="utf-8") if name in names() else None


def file(name: str) -> Path:
    """Where the page of this name stands on disk."""
    return _pages() / f"{name}.md"


def library() -> str:
    """The folder of the rules and kernels that come with the program."""
    return str(_folder("library", "rules"))


def _pages() -> Path:
    return _folder("pages", "docs")


def _folder(installed: str, in_repository: str) -> Path:
    inside = PACKAGE / installed
    return inside if inside.is_dir() else REPOSITORY / in_repository
