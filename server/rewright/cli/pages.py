"""What comes with the program to be read: pages of the documentation, and the library.

A wheel has both inside the package; where the package is used from its repository, they stand there.
"""

from __future__ import annotations

from pathlib import Path

PAGES = ("language", "tutorial")

PACKAGE = Path(__file__).parents[1]
REPOSITORY = PACKAGE.parents[1]


def text(name: str) -> str:
    """The Markdown of one of `PAGES`."""
    return (_folder("pages", "docs") / f"{name}.md").read_text(encoding="utf-8")


def library() -> str:
    """The folder of the rules and kernels that come with the program."""
    return str(_folder("library", "rules"))


def _folder(installed: str, in_repository: str) -> Path:
    inside = PACKAGE / installed
    return inside if inside.is_dir() else REPOSITORY / in_repository
