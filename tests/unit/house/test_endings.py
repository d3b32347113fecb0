"""What a source is by its path is said in one table, and asked of it everywhere else."""

import ast

import pytest
from package_trees import MODULES, PACKAGE, nodes

from rewright.frontends.table import ENDINGS, GRAPH_LANGUAGES, LANGUAGES, NEST_LANGUAGES, SETTINGS, kind_of
from rewright.model.source_kind import SourceKind

TABLE = PACKAGE / "frontends" / "table.py"


def test_no_ending_stands_outside_of_the_table() -> None:
    known = {SETTINGS, *ENDINGS, *(ending.removeprefix(".") for ending in ENDINGS if len(ending) > 2)}
    assert TABLE in MODULES
    for file in set(MODULES) - {TABLE}:
        found = {node.value for node in nodes(file) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        assert not found & known, file


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/a/b.rw", SourceKind.DECLARATIONS),
        ("b.cu", SourceKind.KERNELS),
        ("/a/b.cuh", SourceKind.KERNELS),
        ("/a/b.h", SourceKind.INCLUDED),
        ("/a/b.mlir", SourceKind.GRAPHS),
        ("/a/b.c", SourceKind.LOOPS),
        ("/a/b.hlo.txt", SourceKind.GRAPHS),
        ("/a/rewright.toml", SourceKind.SETTINGS),
        ("/a/other.toml", SourceKind.OTHER),
        ("/a/rw", SourceKind.OTHER),
        ("untitled:Untitled-1#.rw", SourceKind.DECLARATIONS),
    ],
)
def test_the_table_says_what_a_source_is(path: str, kind: SourceKind) -> None:
    assert kind_of(path) is kind


def test_no_two_languages_have_an_ending() -> None:
    endings = [ending for language in LANGUAGES for ending in (*language.endings, *language.included)]
    endings += [ending for language in (*GRAPH_LANGUAGES, *NEST_LANGUAGES) for ending in language.endings]
    assert len(set(ENDINGS)) == len(endings) + 1
