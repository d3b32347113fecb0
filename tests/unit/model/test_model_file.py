"""Files: each declaration is checked for itself, once per change; duplicates, imports, syntax errors, symbols."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_texts import declared_rule, model, parsed, rule_text, span_of

from rewright.model.declared import Declared, Expectation, SymbolKind, accepted, accepted_overall
from rewright.model.file import FileModel, check_file
from rewright.model.imports import NoDeclarations
from rewright.model.rule import Rule
from rewright.syntax.parsed import Parsed, parse
from rewright.syntax.text import Span, Text
from rewright.verdict import InSource
from rewright.verdict.diagnostics.names import ImportClash, ImportFault, NameTaken, TakenBy, UnusableImport

LANGUAGE = Path(__file__).parents[3] / "tests" / "spec" / "declarations.md"
GOOD = "rule {name}<T: any> {{\n  axes A\n  map n on A\n  tensor X: T[A: n]\n  reverse(reverse(X, A), A) => X\n}}\n"


def good(name: str) -> str:
    return GOOD.format(name=name)


def codes_of(declared: Declared) -> list[str]:
    return [finding.code for finding in declared.findings]


def test_a_bad_declaration_leaves_the_others_alone() -> None:
    file = model(good("one") + "rule bad<T: any> {\n  axes A\n  Q => Q\n\n" + good("two"))
    assert [declared.name for declared in file.declarations] == ["one", "bad", "two"]
    assert [isinstance(declared.value, Rule) for declared in file.declarations] == [True, False, True]
    assert codes_of(file.declarations[1]) == ["RW003", "RW101"]


def test_a_syntax_error_outside_any_declaration_is_the_file_s() -> None:
    file = model(") \n" + good("one"))
    (finding,) = file.findings
    assert finding.code.startswith("RW00")
    assert finding.place == InSource("test.rw", 0, 1)
    assert isinstance(file.declarations[0].value, Rule)


def test_a_syntax_error_has_its_place_in_the_declaration() -> None:
    (declared,) = model("\n\n" + good("one").replace("reverse(X, A), A)", "reverse(X, A), A) )")).declarations
    assert declared.value is None
    assert declared.has_errors
    span = span_of(declared, declared.findings[0])
    assert good("one").replace("reverse(X, A), A)", "reverse(X, A), A) )")[span.start : span.end].startswith(")")


def test_what_did_not_change_is_the_same_object_wherever_it_moved() -> None:
    first = check_file(parsed(good("one") + good("two")), nothing)
    again = check_file(parsed("// moved\n\n" + good("one") + good("two").replace("=> X", "=>  X")), nothing, first)
    assert again.declarations[0] is first.declarations[0]
    assert again.declarations[1] is not first.declarations[1]
    assert again.declarations[0] == first.declarations[0]


def test_renaming_one_declaration_leaves_the_others_as_they_are() -> None:
    first = check_file(parsed(good("one") + good("two")), nothing)
    again = check_file(parsed(good("one") + good("other")), nothing, first)
    assert again.declarations[0] is first.declarations[0]


def test_a_duplicate_is_reported_at_the_later_one_and_fixed_by_renaming() -> None:
    first = check_file(parsed(good("one") + good("one")), nothing)
    assert [codes_of(declared) for declared in first.declarations] == [[], ["RW102"]]
    assert first.declarations[1].value is None
    again = check_file(parsed(good("zero") + good("one")), nothing, first)
    assert [codes_of(declared) for declared in again.declarations] == [[], []]


def test_a_name_that_is_taken_above_is_noticed_below() -> None:
    before = parsed(good("one") + good("two"))
    after = parse(Text.of(before.text.uri, good("two") + good("two")), before)
    assert after.file.declarations[1].node is before.file.declarations[1].node
    made = check_file(after, nothing, check_file(before, nothing))
    assert [codes_of(declared) for declared in made.declarations] == [[], ["RW102"]]


FILES = {
    "lib.rw": good("helper"),
    "a.rw": 'import "b.rw"\n' + good("a"),
    "b.rw": 'import "a.rw"\n' + good("b"),
    "sub/c.rw": 'import "../main.rw"\n',
    "deep.rw": 'import "sub/d.rw"\n' + good("deep"),
    "sub/d.rw": 'import "e.rw"\n' + good("inner"),
    "sub/e.rw": good("innermost"),
}


def nothing(path: str) -> Parsed | None:
    return None


def importer(path: str) -> Parsed | NoDeclarations | None:
    if path.endswith(".cu"):
        return NoDeclarations()
    text = FILES.get(path)
    return None if text is None else parsed(text, path)


def imports(text: str) -> FileModel:
    return check_file(parsed(text, "main.rw"), importer)


def test_an_import_brings_names() -> None:
    file = imports('import "lib.rw"\n' + good("mine"))
    assert [codes_of(declared) for declared in file.declarations] == [[], []]
    clash = imports('import "lib.rw"\n' + good("helper"))
    assert [each.diagnosis for each in clash.declarations[1].findings] == [NameTaken("helper", TakenBy.IMPORT)]


def test_two_imports_must_not_bring_one_name() -> None:
    other = {"other.rw": good("helper"), "./lib.rw": FILES["lib.rw"]}
    text = 'import "lib.rw"\nimport "lib.rw"\nimport "./lib.rw"\nimport "other.rw"\n'

    def both(path: str) -> Parsed | NoDeclarations | None:
        return parsed(other[path], path.removeprefix("./")) if path in other else importer(path)

    found = [declared.findings for declared in check_file(parsed(text, "main.rw"), both).declarations]
    assert found[:3] == [(), (), ()]
    assert found[3][0].diagnosis == ImportClash("other.rw", "helper")


def test_an_import_brings_no_names_of_imports() -> None:
    file = imports('import "deep.rw"\n' + good("inner") + good("innermost"))
    assert all(codes_of(declared) == [] for declared in file.declarations)


@pytest.mark.parametrize(
    ("path", "problem"), [("none.rw", "missing"), ("main.rw", "missing"), ("lib.cu", "foreign"), ("sub/c.rw", "cycle")]
)
def test_an_import_that_cannot_be_used(path: str, problem: str) -> None:
    own = f'import "{path}"\n'
    files = {"main.rw": own} if problem == "cycle" else {}
    file = check_file(
        parsed(own, "main.rw"), lambda name: parsed(files[name], name) if name in files else importer(name)
    )
    (declared,) = file.declarations
    (finding,) = declared.findings
    assert finding.diagnosis == UnusableImport(path, ImportFault(problem))
    span = span_of(declared, finding)
    assert own[span.start : span.end] == f'"{path}"'


def test_imports_beyond_what_is_followed_are_reported_and_bring_nothing() -> None:
    """100 of a file, 500 in all; a net of imports is looked through once, not once for each way through it."""
    names = [f"n{number}.rw" for number in range(120)]
    net = {name: "".join(f'import "{each}"\n' for each in names) + good(name[:-3]) for name in names}
    text = "".join(f'import "{name}"\n' for name in names) + good("n0") + good("n110")
    files = {name: parsed(source, name) for name, source in net.items()}
    asked: list[str] = []

    def read(name: str) -> Parsed | None:
        asked.append(name)
        return files.get(name)

    model = check_file(parsed(text, "main.rw"), read)
    many = [each.name for each in model.declarations if import_fault(each) is ImportFault.MANY]
    assert many == names[100:]
    assert [len(each.findings) for each in model.declarations[-2:]] == [1, 0], "n0 is taken, n110 was not brought"
    assert len(asked) < 15_000

    chain = {f"c{n}.rw": parsed(f'import "c{n + 1}.rw"\n', f"c{n}.rw") for n in range(600)}
    long = check_file(parsed('import "c0.rw"\nimport "c300.rw"\n', "main.rw"), chain.get)
    assert [import_fault(each) for each in long.declarations] == [ImportFault.MANY] * 2


def import_fault(declared: Declared) -> ImportFault | None:
    said = (each.diagnosis for each in declared.findings)
    return next((each.fault for each in said if isinstance(each, UnusableImport)), None)


def test_a_file_that_imports_itself_is_a_cycle() -> None:
    text = 'import "a.rw"\n'
    (declared,) = check_file(parsed(text, "a.rw"), lambda path: parsed(text, "a.rw")).declarations
    assert import_fault(declared) is ImportFault.CYCLE


def test_a_cycle_elsewhere_ends() -> None:
    (declared,) = imports('import "a.rw"\n').declarations
    assert declared.findings == ()


def test_other_kinds_say_that_they_are_not_supported() -> None:
    text = """
graph g(X: f32[m]) -> X { Y = X }
graph h(X: f32[m]) -> X { Y = X }
refine h of g { X: replicate }
loops l(N) { array A: f64[N] }
transform t of l { }
lift f from "flash.py"::fwd { }
equivalent g ~ nowhere
transform u of g { }
"""
    file = model(text)
    kinds = [declared.kind.value for declared in file.declarations]
    assert kinds == ["graph", "graph", "refinement", "loops", "transform", "lift", "equivalence", "transform"]
    assert all(declared.unsupported[0].reason == "not supported yet" for declared in file.declarations[5:7])
    assert [codes_of(declared) for declared in file.declarations] == [[], [], [], [], [], [], ["RW101"], ["RW103"]]
    assert [declared.name for declared in file.declarations][2] == "h of g"
    assert [declared.name for declared in file.declarations][6] == "g ~ nowhere"


def test_attributes() -> None:
    (declared,) = model(
        '@expect(refuted, over = int, code = RW201)\n@budget(3)\n@source("there")\n' + rule_text("X => X")
    ).declarations
    assert declared.findings == ()
    assert declared.expectations == (Expectation(("refuted",), "int", None, "RW201"),)
    assert (declared.budget, declared.source) == (3, "there")
    assert accepted(declared, "int", "=>").verdicts == ("refuted",)
    assert accepted(declared, "real", "=>").verdicts == ("proved",)
    assert accepted_overall(declared) == ("proved", "refuted")


def test_the_more_precise_expectation_counts() -> None:
    text = '@expect(refuted)\n@expect(proved, unknown, over = int)\n@expect(refuted, over = int, direction = "<=")\n'
    (declared,) = model(text + rule_text("X <=> X")).declarations
    assert accepted(declared, "real", "=>").verdicts == ("refuted",)
    assert accepted(declared, "int", "=>").verdicts == ("proved", "unknown")
    assert accepted(declared, "int", "<=").verdicts == ("refuted",)


def test_documentation_is_kept() -> None:
    (declared,) = model("/// Twice is not at all.\n" + good("one")).declarations
    assert declared.doc.strip() == "Twice is not at all."


def test_symbols_know_their_definition_and_uses() -> None:
    text = rule_text("let y = slice(X, s)\n y + Y => X\n where s >= 0\n assume forall i on A: X[i] < z")
    (declared,) = model(text).declarations
    symbols = {symbol.name: symbol for symbol in declared.symbols}
    assert at(text, symbols["s"].definition) == "s"
    assert [at(text, use) for use in symbols["s"].uses] == ["s", "s"]
    assert symbols["s"].detail == "map s on A"
    assert symbols["X"].detail == "tensor X: T[A]"
    assert len(symbols["X"].uses) == 3
    assert {name: symbols[name].kind for name in ("r", "T", "A", "d", "c", "z", "y", "i")} == {
        "r": SymbolKind.DECLARATION,
        "T": SymbolKind.TYPE,
        "A": SymbolKind.GROUP,
        "d": SymbolKind.AXIS,
        "c": SymbolKind.INTEGER,
        "z": SymbolKind.SCALAR,
        "y": SymbolKind.LET,
        "i": SymbolKind.BOUND,
    }
    assert declared.symbol_at(symbols["y"].uses[0].start) is symbols["y"]
    (call,) = declared.operators
    assert (at(text, call.span), call.operator) == ("slice", "slice")
    assert declared.operator_at(call.span.start) is call


def test_types_of_expressions_are_known_by_site() -> None:
    text = rule_text("reduce(add, D, d) < 2 => P")
    (declared,) = model(text).declarations
    types = {at(text, declared.sites[site]): type_ for site, type_ in declared.types}
    assert types == {
        "D": "T[A, d]",
        "reduce(add, D, d)": "T[A]",
        "2": "T",
        "reduce(add, D, d) < 2": "pred[A]",
        "P": "pred[A]",
    }


def test_names_may_be_of_any_alphabet_and_keywords_of_other_places() -> None:
    text = (
        "rule größe<T: any> {\n axes Ä\n map où, map, on, where on Ä\n tensor in: T[Ä: où]\n in => slice(in, 0, où)\n}"
    )
    (declared,) = model(text).declarations
    assert declared.findings == ()
    assert isinstance(declared.value, Rule)


def at(text: str, span: Span) -> str:
    return text.encode()[span.start : span.end].decode()


def half_typed() -> list[str]:
    """Every beginning of every kind of declaration."""
    page = LANGUAGE.read_text(encoding="utf-8")
    blocks = [block.partition("\n")[2] for block in page.split("```")[1::2]]
    texts = [*blocks, rule_text("let y = slice(X, s)\n y + Y => X\n where s >= 0\n assume forall i on A: X[i] < z")]
    return [text[:end] for text in texts for end in range(0, len(text), 7)]


def test_half_typed_declarations_never_raise_and_are_never_asked() -> None:
    for text in half_typed():
        file = parsed(text)
        found = check_file(file, nothing)
        assert len(found.declarations) == len(file.file.declarations)
        for declared, placed in zip(found.declarations, file.file.declarations, strict=True):
            assert all(0 <= finding.place.number < len(declared.sites) for finding in declared.findings)  # type: ignore[union-attr]
            assert not (placed.problems and declared.value is not None)


def test_each_kind_of_damage_never_raises() -> None:
    text = rule_text("let y = slice(X, s)\n y + Y => X\n where some A: s >= 0\n assume forall i on A: X[i] < z")
    tokens = text.split(" ")
    for position in range(len(tokens)):
        for damaged in ("", "[A]", "(", "?", "0.5", "forall i on A:", "n -> m", "A: n", "=>"):
            check_file(parsed(" ".join([*tokens[:position], damaged, *tokens[position + 1 :]])), nothing)


def test_half_typed_declarations_still_give_names() -> None:
    (declared,) = model("rule r<T: any> {\n axes A\n map n on A\n tensor X: T[A: n]\n slice(X, ").declarations
    assert {"T", "A", "n", "X"} <= {symbol.name for symbol in declared.symbols}
    assert "RW112" not in codes_of(declared)


def test_unused_declarations_are_no_error() -> None:
    assert declared_rule("X => X").findings == ()
