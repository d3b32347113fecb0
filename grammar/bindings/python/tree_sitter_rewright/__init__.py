"""The tree-sitter grammar of the Rewright language and its queries."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from tree_sitter_rewright._binding import language

__all__ = ["FOLDS_QUERY", "HIGHLIGHTS_QUERY", "LOCALS_QUERY", "language"]


def _queries() -> Traversable:
    """The folder of the queries: inside the package once installed, beside the grammar in the source tree."""
    installed = files(__name__) / "queries"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "queries"


HIGHLIGHTS_QUERY = (_queries() / "highlights.scm").read_text(encoding="utf-8")
FOLDS_QUERY = (_queries() / "folds.scm").read_text(encoding="utf-8")
LOCALS_QUERY = (_queries() / "locals.scm").read_text(encoding="utf-8")
