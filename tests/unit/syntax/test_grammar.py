"""The grammar: its corpus, the language page, and that what is generated is up to date."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
import tree_sitter_rewright
from grammar_corpus import GRAMMAR, Case, cases, one_line
from tree_sitter import Language, Node, Parser, Query

ROOT = Path(__file__).parents[3]
LANGUAGE = Language(tree_sitter_rewright.language())
CASES = cases()
BLOCKS = re.findall(
    r"^```rw\n(.*?)^```", (ROOT / "tests" / "spec" / "declarations.md").read_text(encoding="utf-8"), re.S | re.M
)


def tree(source: bytes) -> Node:
    return Parser(LANGUAGE).parse(source).root_node


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_corpus(case: Case) -> None:
    assert one_line(str(tree(case.source))) == case.tree


def test_the_corpus_was_found() -> None:
    assert len(CASES) == sum(
        len(re.findall(rb"^={3,}\n.*\n={3,}$", file.read_bytes(), re.M)) for file in (GRAMMAR / "test").rglob("*.txt")
    )
    assert len(CASES) > 60


def test_every_named_node_occurs_in_the_corpus() -> None:
    named = {entry["type"] for entry in json.loads((GRAMMAR / "src" / "node-types.json").read_text()) if entry["named"]}
    seen = {name for case in CASES for name in re.findall(r"\(([a-z_]+)", case.tree)}
    assert named - seen == set()


def test_the_corpus_is_free_of_errors_except_where_it_is_about_them() -> None:
    with_errors = {case.name for case in CASES if "ERROR" in case.tree or "MISSING" in case.tree}
    assert {name for name in with_errors if not name.startswith("half_typed: ")} == set()


@pytest.mark.parametrize("block", BLOCKS)
def test_the_language_page_parses(block: str) -> None:
    root = tree(block.encode())
    assert not root.has_error, str(root)


def test_the_language_page_has_all_kinds_of_declaration() -> None:
    expected = ["rule", "kernel", "equivalent", "graph", "refine", "loops", "transform", "lift"]
    kinds = {child.type for block in BLOCKS for child in tree(block.encode()).children if child.is_named}
    assert kinds >= {f"{kind}_declaration" for kind in expected}


def test_generated_files_are_up_to_date() -> None:
    lines = [line.split("  ") for line in (GRAMMAR / "src" / "hashes.txt").read_text().splitlines()]
    noted = {name: digest for digest, name in lines}
    assert set(noted) == {"grammar.js", "src/parser.c"}
    for name, digest in noted.items():
        found = hashlib.sha256((GRAMMAR / name).read_bytes()).hexdigest()
        assert found == digest, f"{name} changed since the parser was generated, run `make grammar`"


@pytest.mark.parametrize("name", ["HIGHLIGHTS_QUERY", "FOLDS_QUERY", "LOCALS_QUERY"])
def test_queries_fit_the_grammar(name: str) -> None:
    assert Query(LANGUAGE, getattr(tree_sitter_rewright, name)).pattern_count > 0


def test_declaration_words_are_the_same_in_grammar_and_server() -> None:
    from rewright.syntax.cut import WORDS

    listed = re.search(r"const DECLARATION_WORDS = \[(.*?)\]", (GRAMMAR / "grammar.js").read_text(), re.S)
    assert listed is not None
    assert set(re.findall(r"'(\w+)'", listed.group(1))) == set(WORDS)


def test_a_half_typed_declaration_leaves_the_next_one_whole() -> None:
    """Cuts every declaration of the page at every place; brackets opened twice may take the next one with them."""
    swallowed = total = 0
    for block in BLOCKS:
        for end in range(4, len(block), 3):
            names = [
                child.child_by_field_name("name")
                for child in tree((block[:end] + "\nrule zz { X => Y }\n").encode()).children
            ]
            swallowed += b"zz" not in [name.text for name in names if name]
            total += 1
    assert total > 1000
    assert swallowed / total < 0.03
