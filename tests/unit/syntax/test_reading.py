"""From text to typed nodes, in whole and in half-typed declarations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

import pytest

from rewright.syntax import nodes as n
from rewright.syntax.cut import cut
from rewright.syntax.parsed import Parsed, parse
from rewright.syntax.text import Span, Text

PAGE = (Path(__file__).parents[3] / "tests" / "spec" / "declarations.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```rw\n(.*?)^```", PAGE, re.S | re.M)

D = TypeVar("D")


def read(source: str, previous: Parsed | None = None) -> Parsed:
    return parse(Text.of("file:///a.rw", source), previous)


def only(source: str, kind: type[D]) -> D:
    (placed,) = read(source).file.declarations
    assert isinstance(placed.node, kind)
    return placed.node


def item(source: str) -> n.RuleItem:
    (found,) = only(f"rule r {{\n{source}\n}}", n.RuleDecl).items
    return found


def statement(source: str) -> n.KernelItem:
    (found,) = only(f"kernel k {{\n{source}\n}}", n.KernelDecl).items
    return found


def value(source: str) -> n.Expression:
    found = item(f"let e = {source}")
    assert isinstance(found, n.Let)
    return found.value


def binder(found: n.Binder) -> str:
    domain = f" in {show(found.within)}" if found.within else f" on {found.on.text}" if found.on else ""
    return f"{found.name.text if found.name else '_'}{domain}"


def show(expression: n.Expression | n.Argument) -> str:
    """The expression with all its brackets."""
    match expression:
        case n.Name(text=text) | n.Number(text=text):
            return text
        case n.String(value=text):
            return repr(text)
        case n.Hole():
            return "?"
        case n.Missing():
            return "_"
        case n.Call(callee=callee, arguments=found):
            return f"{callee.text}({', '.join(map(show, found))})"
        case n.Index(base=base, entries=found):
            return f"{show(base)}[{', '.join(map(show, found))}]"
        case n.Field(base=base, name=name):
            return f"{show(base)}.{name.text}"
        case n.Unary(operator=operator, operand=operand):
            return f"({operator}{show(operand)})"
        case n.Not(operand=operand):
            return f"(not {show(operand)})"
        case n.Binary(left=left, operator=operator, right=right) | n.Compare(left=left, operator=operator, right=right):
            return f"({show(left)} {operator} {show(right)})"
        case n.And(left=left, right=right):
            return f"({show(left)} and {show(right)})"
        case n.Or(left=left, right=right):
            return f"({show(left)} or {show(right)})"
        case n.Range(low=low, high=high, step=step):
            return f"({show(low)}..{show(high)}{'' if step is None else ' step ' + show(step)})"
        case n.Quantified(word=word, binders=binders, body=body):
            return f"({word} {', '.join(map(binder, binders))}: {show(body)})"
        case n.ListExpr(entries=found):
            return f"[{', '.join(map(show, found))}]"
        case n.Tuple(entries=found):
            return f"({', '.join(map(show, found))},)"
        case n.Positional(value=inner):
            return show(inner)
        case n.Keyed(name=name, value=inner):
            return f"{name.text} = {show(inner)}"
        case n.Grouped(name=name, value=inner):
            return f"{name.text}: {show(inner)}"
        case n.Renaming(source=source, target=target):
            return f"{show(source)} -> {show(target)}"
        case n.Spread(value=inner):
            return f"{show(inner)}..."


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("a - b - c", "((a - b) - c)"),
        ("a + b * -c.x[0] @ d", "(a + ((b * (-c.x[0])) @ d))"),
        ("a | b ^ c & d << 1 + 2", "(a | (b ^ (c & (d << (1 + 2)))))"),
        ("a or b and not c == d", "(a or (b and (not (c == d))))"),
        ("not a and b", "((not a) and b)"),
        ("a or b..c + 1 step 2 * 3", "((a or b)..(c + 1) step (2 * 3))"),
        ("some A: p and q", "(some A: (p and q))"),
        ("not every A: p or q", "(not (every A: (p or q)))"),
        ("forall i in 0..N: x[i] < y[i]", "(forall i in (0..N): (x[i] < y[i]))"),
        ("forall i on A: p", "(forall i on A: p)"),
        ("some + every(forall)", "(some + every(forall))"),
        ("(a + b) * c", "((a + b) * c)"),
        ("(a, b)", "(a, b,)"),
        ("(a,)", "(a,)"),
        ("()", "(,)"),
        ("f(X, A: (s, e), k = 1, I -> [A: n], [] -> D)", "f(X, A: (s, e,), k = 1, I -> [A: n], [] -> D)"),
        ("f(low = ?)", "f(low = ?)"),
        ('f("a \\"b\\" \\\\")', "f('a \"b\" \\\\')"),
        ("0x1F + 1_000 + 1e-6 + 0.5", "(((0x1F + 1_000) + 1e-6) + 0.5)"),
        ("变量 + élan", "(变量 + élan)"),
        ("thread.", "thread."),
        ("f(A: )", "f(A: _)"),
        ("a <= b <= c", "((a <= b) and (b <= c))"),
        ("a < b == c < d", "(((a < b) and (b == c)) and (c < d))"),
    ],
)
def test_expressions(source: str, shown: str) -> None:
    assert show(value(source)) == shown


def names(found: tuple[n.Name, ...]) -> list[str]:
    return [name.text for name in found]


def test_items_of_rules() -> None:
    axes = item("axes I ~ J+, K")
    assert isinstance(axes, n.Axes)
    assert [[(g.name.text, g.plus) for g in c.groups] for c in axes.classes] == [
        [("I", False), ("J", True)],
        [("K", False)],
    ]
    mapped = item("map n, m on A")
    assert isinstance(mapped, n.MapItem) and names(mapped.names) == ["n", "m"] and mapped.on and mapped.on.text == "A"
    tensor = item("tensor X, Y: T[A: n, 2]")
    assert isinstance(tensor, n.TensorItem) and tensor.type and tensor.type.shape
    assert [(e.axis.text if e.axis else None, show(e.size)) for e in tensor.type.shape] == [("A", "n"), (None, "2")]
    scalar = item("scalar c: T")
    assert isinstance(scalar, n.ScalarItem) and scalar.type and scalar.type.shape is None
    empty = item("tensor X: T[]")
    assert isinstance(empty, n.TensorItem) and empty.type and empty.type.shape == ()
    function = item("fn f: (T, S) -> W")
    assert isinstance(function, n.FnItem) and function.type and function.type.result and function.type.result.element
    assert [p.element.text for p in function.type.parameters if p.element] == ["T", "S"]
    assert function.type.result.element.text == "W"
    assert isinstance(item("monoid op: T"), n.MonoidItem)
    axis = item("axis d, m ~ k")
    assert isinstance(axis, n.AxisItem)
    assert [[g.name.text for g in c.groups] for c in axis.classes] == [["d"], ["m", "k"]]
    assert isinstance(item("int k"), n.IntItem)
    several = item("let (v, i) = sort(X)")
    assert isinstance(several, n.Let) and names(several.targets) == ["v", "i"]
    example = item("example { A = 2; n = [2, 5] }")
    assert isinstance(example, n.Example)
    assert [(a.name.text, show(a.value)) for a in example.assignments] == [("A", "2"), ("n", "[2, 5]")]
    check = item("check over s32, f32")
    assert isinstance(check, n.CheckOver) and names(check.types) == ["s32", "f32"]
    where = item("where p, q")
    assert isinstance(where, n.Where) and len(where.predicates) == 2
    assert isinstance(item("assume p"), n.Assume)
    rewrite = item("X\n\n  <=> Y")
    assert isinstance(rewrite, n.Rewrite) and rewrite.arrow and rewrite.arrow.text == "<=>"


def test_statements_of_kernels() -> None:
    assert isinstance(statement("requires p"), n.Requires)
    assert isinstance(statement("ensures p"), n.Ensures)
    launch = statement("launch grid(2), block(256)")
    assert isinstance(launch, n.Launch) and [show(c) for c in launch.clauses] == ["grid(2)", "block(256)"]
    shared = statement("shared s, t: s32[B]")
    assert isinstance(shared, n.Shared) and names(shared.names) == ["s", "t"]
    define = statement("define W = 32")
    assert isinstance(define, n.Define) and define.name and show(define.value) == "32"
    var = statement("var a: f32[4]")
    assert isinstance(var, n.Var) and var.value is None and var.type
    assign = statement("s[i] += 1")
    assert isinstance(assign, n.Assign) and (assign.operator, show(assign.target)) == ("+=", "s[i]")
    branch = statement("if a { return } else if b { assert p } else { barrier() }")
    assert isinstance(branch, n.If) and isinstance(branch.otherwise, n.If)
    assert isinstance(branch.then.statements[0], n.Return) and isinstance(branch.otherwise.otherwise, n.Block)
    loop = statement("for i in 0..N step 2, j in i..N { x = 1 }")
    assert isinstance(loop, n.For) and [show(h.range) for h in loop.heads] == ["(0..N step 2)", "(i..N)"]
    assert isinstance(statement("while p { }"), n.While)
    call = statement("barrier()")
    assert isinstance(call, n.ExprStatement) and show(call.value) == "barrier()"


def test_declarations_of_the_language_page() -> None:
    parsed = read("".join(BLOCKS))
    assert parsed.problems == ()
    by_name = {d.node.head.name.text if d.node.head.name else "": d.node for d in parsed.file.declarations}
    rule = by_name["dynamic_slice_to_slice"]
    assert isinstance(rule, n.RuleDecl)
    assert rule.head.doc == "A dynamic slice whose start is known to be in range is a slice."
    assert [a.name.text for a in rule.head.attributes if a.name] == ["source"]
    assert [(p.name.text, p.bound.text) for p in rule.type_parameters if p.bound] == [("T", "any")]
    online = by_name["online"]
    assert isinstance(online, n.KernelDecl) and online.source and online.source.entry
    assert (online.source.path.value, online.source.entry.text) == ("online_softmax.cu", "softmax")
    assert [show(a) for a in online.source.arguments] == ["128"]
    assert [(p.name.text, p.mode) for p in online.parameters] == [("x", "in"), ("y", "out"), ("n", None)]
    graph = by_name["mlp_tp"]
    assert isinstance(graph, n.RefineDecl) and graph.target and graph.target.text == "mlp"
    transform = by_name["rec"]
    assert isinstance(transform, n.TransformDecl)
    assert [(k.name.text, show(k.value)) for k in transform.at if isinstance(k, n.Keyed)] == [("T", "20"), ("N", "200")]
    kinds = [type(d.node).__name__ for d in parsed.file.declarations]
    assert kinds.count("GraphDecl") == 3 and kinds.count("EquivalentDecl") == 1 and kinds.count("LiftDecl") == 1


def test_graphs_loops_lifts_and_refinements() -> None:
    graph = only("graph g(X: f32[m]) -> Y, Z on mesh(dp = 2) {\n (Y, Z) = f(X)\n}", n.GraphDecl)
    assert names(graph.results) == ["Y", "Z"] and graph.mesh and show(graph.mesh) == "mesh(dp = 2)"
    refine = only("refine a of b {\n X: shard(0, dp), replicate\n expect Y: replicate\n x = f(y)\n}", n.RefineDecl)
    placement, expect, relation = refine.items
    assert isinstance(placement, n.Placement) and [show(p) for p in placement.placements] == [
        "shard(0, dp)",
        "replicate",
    ]
    assert isinstance(expect, n.Expect) and isinstance(expect.what, n.Placement)
    assert isinstance(relation, n.Assign)
    loops = only("loops s(T) {\n array A: f64[T]\n for t in 0..T { S: A[t] = 0 }\n}", n.LoopsDecl)
    assert isinstance(loops.items[0], n.ArrayItem) and isinstance(loops.items[1], n.For)
    assert isinstance(loops.items[1].body.statements[0], n.Labelled)
    lift = only('lift a from "f.py"::g {\n q: in f32[i: N], s: in f32\n expect o = q * s\n}', n.LiftDecl)
    assert isinstance(lift.items[0], n.ParameterItem) and len(lift.items[0].parameters) == 2
    assert isinstance(lift.items[1], n.Expect) and isinstance(lift.items[1].what, n.Assign)
    imported = only('import "other.rw"', n.ImportDecl)
    assert imported.path and imported.path.value == "other.rw"


def test_spans_count_from_the_declaration() -> None:
    source = "// é\n\n/// doc\n@budget(2)\nrule r { X => Y }\n// after\n"
    (placed,) = read(source).file.declarations
    assert placed.start == source.encode().index(b"///") and placed.node.span.start == 0
    assert placed.node.head.name is not None
    place = placed.absolute(placed.node.head.name.span)
    assert source.encode()[place.start : place.end] == b"r"
    assert source.encode()[placed.span.start : placed.span.end].endswith(b"}")
    assert placed.local(place.start) == placed.node.head.name.span.start


def test_every_node_stands_where_its_text_is() -> None:
    parsed = read("".join(BLOCKS))
    for placed in parsed.file.declarations:
        for name in _all(placed.node, n.Name):
            assert parsed.text.slice(placed.absolute(name.span)) == name.text


def _all(value: object, kind: type[D]) -> list[D]:
    if isinstance(value, tuple):
        return [found for part in value for found in _all(part, kind)]
    slots = [slot for base in type(value).__mro__ for slot in getattr(base, "__slots__", ())]
    own = [value] if isinstance(value, kind) else []
    return own + [found for slot in slots for found in _all(getattr(value, slot), kind)]


def test_an_edit_reads_one_declaration() -> None:
    before = read("rule a { X => X }\n\nrule b { Y => Y }\n\nrule c { Z => Z }\n")
    after = read("// moved\nrule a { X => X }\n\nrule b { Y => W }\n\nrule c { Z => Z }\n", before)
    first, second, third = before.file.declarations
    assert after.file.declarations[0].node is first.node
    assert after.file.declarations[1].node != second.node
    assert after.file.declarations[2].node is third.node
    assert after.file.declarations[2].start == third.start + len("// moved\n")


def test_a_digest_is_of_the_declaration_alone() -> None:
    (plain,) = read("rule a { X => X }").file.declarations
    (followed,) = read("rule a { X => X }\n// comment\n").file.declarations
    (other,) = read("rule a { X => Y }").file.declarations
    (commented,) = read("rule a { X => X /* */ }").file.declarations
    assert plain.digest == followed.digest and plain.node == followed.node
    assert len({plain.digest, other.digest, commented.digest}) == 3


@pytest.mark.parametrize("block", BLOCKS)
def test_half_typed_text_never_reaches_the_next_declaration(block: str) -> None:
    for end in range(0, len(block), 5):
        last = read(block[:end] + "\nrule zz { X => Y }\n").file.declarations[-1]
        assert last.node.head.name is not None and last.node.head.name.text == "zz" and last.problems == ()


def test_items_above_a_half_typed_line_are_read() -> None:
    rule = only("rule a {\n axes A\n map n on A\n tensor X: T[A: n\n", n.RuleDecl)
    assert [type(found) for found in rule.items][:2] == [n.Axes, n.MapItem]
    below = only("rule a {\n axes A\n map n on\n tensor X:\n where\n X => Y\n}", n.RuleDecl)
    assert [type(found) for found in below.items] == [n.Axes, n.MapItem, n.TensorItem, n.Where, n.Rewrite]


def test_attributes_and_documentation_belong_to_the_declaration_below() -> None:
    source = 'rule a {\n axes A\n/// b\n@source("x\\"y)" ,\n  k = (1)\n)\n\n// c\n/// d\nrule b { X => Y }'
    first, second = read(source).file.declarations
    assert first.node.head.attributes == () and second.node.head.doc == "b\nd"
    assert [a.name.text for a in second.node.head.attributes if a.name] == ["source"]
    assert second.start == source.index("/// b")


@pytest.mark.parametrize(
    ("source", "starts"),
    [
        ("", [0]),
        ("rule a {}", [0]),
        ("// x\nrule a {}", [0, 5]),
        ("ruler\nrule_ x\n rule", [0, 15]),
        ('rule a {}\r\n  lemma b {}\rimport "x"', [0, 13, 24]),
        ('@a rule a {}\n@b("rule ") // rule c\nlemma d', [0, 13]),
        ("/// x\n\n@a\nrule", [0]),
        ("x\n)\nrule", [0, 4]),
        ("@a(\n(1)\n)\nrule", [0]),
    ],
)
def test_cuts(source: str, starts: list[int]) -> None:
    assert list(cut(source.encode()).starts()) == starts


def test_declarations_on_one_line() -> None:
    parsed = read('rule a { X => X } rule b { Y => Y }; import "x.rw"; rule c { }')
    assert [type(d.node) for d in parsed.file.declarations] == [n.RuleDecl, n.RuleDecl, n.ImportDecl, n.RuleDecl]
    assert [d.node.span.start for d in parsed.file.declarations] == [0, 0, 0, 0]


@pytest.mark.parametrize(("line", "typed"), [("// why\n", "/"), ("a\n", "@"), ("(\n1)\n", "@a")])
def test_what_is_typed_above_a_declaration_belongs_to_it(line: str, typed: str) -> None:
    above, below = "rule a {}\n", "rule b {}\n"
    before = read(above + line + below)
    after = parse(before.text.edited(Span(len(above), len(above)), typed), before)
    assert [start for start, _ in before.pieces] == [0, len(above + line)]
    assert [start for start, _ in after.pieces] == [0, len(above)]
    assert after.heads == read(above + typed + line + below).heads
