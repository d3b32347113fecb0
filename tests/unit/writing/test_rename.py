"""Renamed names: every name of a library rule can be renamed, and all is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from written import problems, read

from rewright.model.declared import SymbolKind
from rewright.syntax.text import Text
from rewright.writing.rename import changes_meaning, unusable

RULES = sorted((Path(__file__).parents[3] / "rules" / "nn").glob("*.rw"))[:2]


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_every_name_of_a_rule_can_be_another_one(path: Path) -> None:
    parsed, model = read(path.read_text(encoding="utf-8"))
    for placed, declared in list(zip(parsed.file.declarations, model.declarations, strict=True))[:6]:
        for symbol in declared.symbols:
            if symbol.kind is not SymbolKind.DECLARATION:
                spans = [placed.absolute(span) for span in (symbol.definition, *symbol.uses)]
                assert changes_meaning(parsed.text, placed, spans, "renamed") is None, (declared.name, symbol.name)


def test_a_size_of_a_graph_is_renamed_where_it_names_a_dimension_too() -> None:
    text = "graph g(x: f32[m / tp, k]) -> y on mesh(tp = 2) {\n  y = all_gather(x, m, over = tp)\n}\n"
    parsed, model = read(text)
    placed, declared = parsed.file.declarations[0], model.declarations[0]
    symbol = next(symbol for symbol in declared.symbols if symbol.name == "m")
    assert len(symbol.uses) == 1
    spans = [placed.absolute(span) for span in (symbol.definition, *symbol.uses)]
    assert changes_meaning(parsed.text, placed, spans, "rows") is None


def test_a_name_that_another_place_would_take_is_refused() -> None:
    text = (
        "rule r<T: any> {\n  axes A; map n on A\n  tensor X: T[A: n]\n  assume forall i on A: X[i] == X[i]\n  X => X\n}"
    )
    parsed, model = read(text)
    placed, declared = parsed.file.declarations[0], model.declarations[0]
    symbol = next(symbol for symbol in declared.symbols if symbol.name == "i")
    spans = [placed.absolute(span) for span in (symbol.definition, *symbol.uses)]
    assert changes_meaning(parsed.text, placed, spans, "X") is not None
    assert changes_meaning(Text.of("", text), placed, spans, "j") is None
    assert problems(text.replace("i on", "j on").replace("[i]", "[j]")) == problems(text)


def test_words_with_a_meaning_are_no_names() -> None:
    for name in ("rule", "slice", "max", "any", "f32", "thread", "1a", "", "a b", "prod"):
        assert unusable(name) is not None
    for name in ("size", "näme", "_x", "in"):
        assert unusable(name) is None
