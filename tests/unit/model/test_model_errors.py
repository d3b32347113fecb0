"""Every error of names, types and shapes stands exactly at its place, with the facts that its message is made of."""

from __future__ import annotations

import pytest
from model_texts import errors, facts, findings_at_marks, rule_text, said

from rewright.report import codes
from rewright.verdict.diagnostics.names import MapOnAnotherGroup, NotAskedOver, UnknownAttribute, WrongAttribute

STATED = """
«Q» => X
    RW101 UnknownName what=name | name=Q | nearest=
slice(X, «strat», e) => slice(X, s, e); let start = s
    RW101 UnknownName what=name | name=strat | nearest=start
reverse(X, «Z») => X
    RW101 UnknownName what=axis | name=Z | nearest=
tensor Z: «U»[A: n]; Z => Z
    RW101 UnknownName what=element type | name=U | nearest=
map q on «Q»; slice(X, q) => X
    RW101 UnknownName what=axis | name=Q | nearest=
map «X» on A; X => X
    RW102 NameTaken name=X | by=declaration
map «add» on A; X => X
    RW102 NameTaken name=add | by=built-in
int «elem»; X => X
    RW102 NameTaken name=elem | by=built-in
scalar «s32»: T; X => X
    RW102 NameTaken name=s32 | by=built-in
X + «n» => X
    RW103 AnotherKind name=n | kind=a map | expected=a tensor or a scalar | fix=`elem(n)` is the element of an integer
slice(X, «Y») => X
    RW103 AnotherKind name=Y | kind=a tensor | expected=a map or an integer | fix=
slice(X, «A») => X
    RW103 AnotherKind name=A | kind=an axis group | expected=a map or an integer | fix=
slice(X, «z») => X
    RW103 AnotherKind name=z | kind=an element of `T` | expected=a map or an integer | fix=declare it by `int`
X + elem(«n») => X
    RW103 AnotherKind name=n | kind=a map on `A` | expected=an integer | fix=`prod(n)` is the product over its axes
«X»(Y) => X
    RW103 AnotherKind name=X | kind=a tensor | expected=an operator | fix=
reverse(X, «n») => X
    RW103 AnotherKind name=n | kind=a map | expected=an axis group | fix=
slice(X, «m») => X
    RW104 MapOnAnotherGroup name=m | on=B | used=A
slice(X, s, «h» + e) => X
    RW104 MapOnAnotherGroup name=h | on=I | used=A
tensor Z: T[A: «m»]; Z => Z
    RW104 MapOnAnotherGroup name=m | on=B | used=A
X => X; where n < «m»
    RW104 MapOnAnotherGroup name=m | on=B | used=A
X => X; where some B: m == 1 or «n» == 1
    RW104 MapOnAnotherGroup name=n | on=A | used=B
let both = m + 1; slice(X, «both») => X
    RW104 MapOnAnotherGroup name=both | on=B | used=A
X + «D» => X
    RW105 GroupsDiffer operator=+ | left=A | right=A, d
X => «D»
    RW105 GroupsDiffer operator==> | left=A | right=A, d
X - X => «z»
    RW105 GroupsDiffer operator==> | left=A | right=
dynamic_update_slice(X, «D», 0) => X
    RW105 GroupsDiffer operator=dynamic_update_slice | left=A | right=A, d
X => X; assume forall i on A: «D[i]» < z
    RW105 GroupsDiffer operator=D[…] | left=A, d | right=A
reverse(X, «B») => X
    RW114 GroupAbsent operator=reverse | group=B | groups=A
slice(X, «B»: (0, m)) => X
    RW114 GroupAbsent operator=slice | group=B | groups=A
slice(D, A: s, «A»: s) => D
    RW114 GroupTwice group=A
broadcast(X, «A»: n) => X
    RW114 GroupPresent operator=broadcast | group=A | groups=A
tensor Z: T[A: n, «A»: n]; X => X
    RW114 GroupTwice group=A
concatenate(X, Y, «A») => X
    RW110 NeedsSingleAxis operator=concatenate | group=A
iota(T, «A», A: n) => X
    RW110 NeedsSingleAxis operator=iota | group=A
iota(T, «d», A: n) => X
    RW114 GroupAbsent operator=iota | group=d | groups=A
transpose(X, A -> «B») => X
    RW121 OtherRankClass source=A | target=B
transpose(X, «d» -> A) => X
    RW114 GroupAbsent operator=transpose | group=d | groups=A
axes Q ~ «I»; X => X
    RW121 RankClassTwice group=I
axis q ~ «d», «q»; X => X
    RW121 RankClassTwice group=d
    RW121 RankClassTwice group=q
axes Q ~ «d»; X => X
    RW121 MixedRankClass name=d | single=True
axis q ~ «A»; X => X
    RW121 MixedRankClass name=A | single=False
axis q ~ «q»; X => X
    RW102 NameTaken name=q | by=declaration
axis «q+» ~ r; X => X
    RW118 IncompleteDeclaration item=q | part=plus
transpose(M, I -> «J») => M
    RW114 GroupTwice group=J
X + «P» => X
    RW106 ElementTypesDiffer operator=+ | left=T | right=pred
X => «P»
    RW106 ElementTypesDiffer operator==> | left=T | right=pred
select(«X», X, X) => X
    RW106 ElementTypesDiffer operator=select | left=pred | right=T
pad(X, «true») => X
    RW106 ElementTypesDiffer operator=pad | left=T | right=pred
«P + P» => P
    RW115 NotDefinedOnType operator=+ | need=numbers | type=pred | constraint=pred
«P + P» => P
    RW115 NotDefinedOnType operator=+ | need=numbers | type=pred | constraint=pred
«not X» => X
    RW115 NotDefinedOnType operator=not | need=truth values | type=T | constraint=num
X + «0.5» => X
    RW115 NotDefinedOnType operator=0.5 | need=fractions | type=T | constraint=num
«reduce(add, P, A)» => true
    RW115 NotDefinedOnType operator=reduce | need=numbers | type=pred | constraint=pred
broadcast(«0», A: n) => broadcast(0, A: n)
    RW107 TypeNotUnique what=0 | fix=elem(T, 0)
«iota(d, d: k)» => iota(d, d: k)
    RW107 TypeNotUnique what=iota | fix=iota(T, d, …)
«elem(c)» => elem(c)
    RW107 TypeNotUnique what=elem | fix=elem(T, …)
«lowest» => lowest
    RW107 TypeNotUnique what=lowest | fix=
«max»(X) => X
    RW108 OperandCount operator=max | expected=2 | given=1
max(X, Y, «at» = A) => X
    RW108 UnknownOperatorAttribute operator=max | attribute=at | accepted=
reshape(D, «B» -> []) => X
    RW114 GroupAbsent operator=reshape | group=B | groups=A, d
reshape(X, [] -> «A») => X
    RW114 GroupPresent operator=reshape | group=A | groups=A
reshape(D, [d, «d»] -> []) => X
    RW114 GroupTwice group=d
reshape(D, d -> [], [] -> «d») => D
    RW114 GroupPresent operator=reshape | group=d | groups=A, d
reshape(D, «n» -> []) => X
    RW103 AnotherKind name=n | kind=a map | expected=an axis group | fix=
reshape(D, [A, d] -> «Q») => X
    RW101 UnknownName what=axis | name=Q | nearest=
axis t, f; reshape(D, d -> [«t», f: 2]) => X
    RW108 OperatorNeeds operator=reshape | attribute=the size of `t`
axis t, f; reshape(D, d -> [t: «n», f: 2]) => X
    RW104 MapOnAnotherGroup name=n | on=A | used=t
axis t, f; reshape(D, d -> [t: 1, «t»: 2]) => X
    RW114 GroupTwice group=t
axis t, f; reshape(D, «t» -> [f: 1]) => X
    RW114 GroupAbsent operator=reshape | group=t | groups=A, d
axis t, f; bitcast(D, d -> [t: 1, «f -> t»]) => X
    RW117 CannotStandHere what=this | expected=an axis with its size, as in `c: p`
reshape(X, «[] -> []») => X
    RW117 CannotStandHere what=`[] -> []` | expected=`D -> []`, `[] -> D` or `[a, b] -> [c: p, d: q]`
reshape(D, «d») => X
    RW117 CannotStandHere what=`d` | expected=`D -> []`, `[] -> D` or `[a, b] -> [c: p, d: q]`
reshape(D, «d»: k) => X
    RW108 UnknownOperatorAttribute operator=reshape | attribute=d | accepted=
«reshape»(X) => X
    RW108 OperatorNeeds operator=reshape | attribute=its axis groups, as in `D -> []`, `[] -> D` or `[a, b] -> [c: p, d: q]`
«reshape»() => X
    RW108 OperandCount operator=reshape | expected=1 | given=0
fn f: (T, T) -> T; «f»(X) => X
    RW108 OperandCount operator=f | expected=2 | given=1
fn f: (T, T) -> T; f(X, Y, «z» = X) => X
    RW108 UnknownOperatorAttribute operator=f | attribute=z | accepted=
fn f: (T, T) -> T; f(X, «D») => X
    RW105 GroupsDiffer operator=f | left=A | right=A, d
fn f: (T, pred) -> T; f(«P», «X») => X
    RW106 OperandType operator=f | operand=1 | expected=T | given=pred
    RW106 OperandType operator=f | operand=2 | expected=pred | given=T
fn f: (T) -> pred; f(X) => «X»
    RW106 ElementTypesDiffer operator==> | left=pred | right=T
fn f: (T) -> int; f(«true») => 0
    RW106 OperandType operator=f | operand=1 | expected=T | given=pred
fn f: (T) -> int; slice(X, «f(z)») => X
    RW117 CannotStandHere what=`f(…)` | expected=a map or an integer, made of `+ - * / %`, `min`, `max` and `prod`
fn f: (T) -> T; X + «f» => X
    RW103 AnotherKind name=f | kind=a function | expected=a tensor or a scalar | fix=
fn f: (T, T) -> T; reduce(«f», X, A) => z
    RW117 CannotStandHere what=`f` | expected=a commutative operator: `add`, `multiply`, `max`, `min`, `and`, `or`
fn f: (T) -> T; X => X; where «f(X)» == z
    RW117 NotAScalar groups=A | expected=a scalar; contents of tensors are constrained by `assume forall i on A: …`
fn f: («U») -> T; f(X) => X
    RW101 UnknownName what=element type | name=U | nearest=
fn f: «() -> T»; X => X
    RW118 IncompleteDeclaration item=fn | part=parameters
fn f: («T[A: n]») -> «T[A: n]»; f(X) => X
    RW118 IncompleteDeclaration item=fn | part=function shape
    RW118 IncompleteDeclaration item=fn | part=function shape
fn «X»: (T) -> T; X => X
    RW102 NameTaken name=X | by=declaration
«select»(P, X) => X
    RW108 OperandCount operator=select | expected=3 | given=2
«slice»() => X
    RW108 OperandCount operator=slice | expected=1 | given=0
«slice»(D, s, e) => D
    RW108 NeededByGroup operator=slice | form=A: (start, limit, stride) | groups=A, d
«slice»(X, s, A: s) => X
    RW108 MixedAttributes operator=slice
slice(X, s, e, p, «s») => X
    RW108 SurplusAttribute operator=slice | accepted=`start`, `limit`, `stride`
slice(X, «low» = s) => X
    RW108 UnknownOperatorAttribute operator=slice | attribute=low | accepted=`start`, `limit`, `stride`
slice(X, s, «start = s») => X
    RW108 OperatorAttributeTwice operator=slice | attribute=start
dynamic_slice(X, «s») => X
    RW108 OperatorNeeds operator=dynamic_slice | attribute=`length`
«broadcast»(z, n) => X
    RW108 NeededByGroup operator=broadcast | form=A: size | groups=
«broadcast»(z) => X
    RW108 OperatorNeeds operator=broadcast | attribute=a size, as in `A: n`
«reverse»(X) => X
    RW108 OperatorNeeds operator=reverse | attribute=the axis group
«transpose»(X) => X
    RW108 OperatorNeeds operator=transpose | attribute=a renaming `I -> J`
«slcie»(X, s, e) => X
    RW109 UnknownOperator name=slcie | nearest=slice
«frobnicate»(X) => X
    RW109 UnknownOperator name=frobnicate | nearest=
slice(X, «0.5») => X
    RW117 CannotStandHere what=`0.5` | expected=an integer
slice(X, «[s, e]») => X
    RW117 CannotStandHere what=a list | expected=a map or an integer
X + «[1, 2]» => X
    RW117 CannotStandHere what=a list | expected=a tensor or a scalar
pad(X, «Y», s) => X
    RW117 NotAScalar groups=A | expected=a scalar
X => X; where «n»
    RW117 CannotStandHere what=`n` | expected=a condition, such as a comparison
X => X; where «X» > 0
    RW117 NotAScalar groups=A | expected=a scalar; contents of tensors are constrained by `assume forall i on A: …`
X => X; where «forall i on A: X[i] > 0»
    RW117 CannotStandHere what=`forall` | expected=a condition; contents stand in `assume forall`
X => X; assume «n > 0»
    RW117 CannotStandHere what=a comparison | expected=`forall i on A: …`; conditions on maps, integers and scalars stand in `where`
reduce(«subtract», X, A) => z
    RW117 CannotStandHere what=`subtract` | expected=a commutative operator: `add`, `multiply`, `max`, `min`, `and`, `or`
tensor Z: T[«n»]; X => X
    RW118 IncompleteDeclaration item=tensor | part=group
scalar y: «T[A: n]»; X => X
    RW118 IncompleteDeclaration item=scalar | part=shape
let a = b + 1; let b = «a» + 1; slice(X, a) => X
    RW119 LetNeedsItself name=a
X => X; «Y => Y»
    RW112 AnotherRewrite
X => X; check over «pred»
    RW122 TypeNotAdmitted name=T | constraint=num | type=pred
X => X; example { A = «-1» }
    RW116 PinnedRank name=A | rank=-1 | accepted=0 to 16
X => X; example { d = «2» }
    RW116 PinnedRank name=d | rank=2 | accepted=1
X => X; example { A = 2; n = «[1]» }
    RW116 PinnedAxes name=n | group=A | rank=1 | known=2
X => X; example { X = «[[1, 2], [3]]» }
    RW117 CannotStandHere what=a ragged list | expected=rows of one length
X => X; example { n = [«0.5»] }
    RW117 CannotStandHere what=`0.5` | expected=an integer
X => X; scalar j: int; example { j = «0.5» }
    RW117 CannotStandHere what=`1/2` | expected=an element of `int`
X => X; example { P = [true, «0»]; X = [1, «true»] }
    RW117 CannotStandHere what=`0` | expected=an element of `pred`
    RW117 CannotStandHere what=`true` | expected=an element of `T`
X => X; example { «q» = 1 }
    RW101 UnknownName what=name | name=q | nearest=
"""  # noqa: E501


Said = tuple[str, str, dict[str, str]]
"""What an error says: its code, the class of its diagnosis, and that one's facts."""


def cases() -> list[tuple[str, list[Said]]]:
    """The bodies above, each with the findings that the indented lines below it state."""
    found: list[tuple[str, list[Said]]] = []
    for line in STATED.strip().splitlines():
        if not line.startswith(" "):
            found.append((line, []))
            continue
        code, kind, *rest = line.strip().split(" ", 2)
        arguments = dict(fact.partition("=")[::2] for fact in rest[0].split(" | ")) if rest else {}
        found[-1][1].append((code, kind, arguments))
    return found


CASES = cases()


@pytest.mark.parametrize(("body", "expected"), CASES, ids=[case[0][:60] for case in CASES])
def test_error(body: str, expected: list[Said]) -> None:
    found = said(rule_text(body))
    assert [(each.code, type(each).__name__, facts(each)) for each in found] == expected
    for message in map(codes.sentence, found):
        assert message and "\n" not in message and not message.endswith(".")


def test_every_code_of_names_and_shapes_is_made_somewhere() -> None:
    made = {code for _, expected in CASES for code, _, _ in expected}
    stated = {code.code for code in codes.every() if "RW101" <= code.code <= "RW122"}
    assert stated - made == {"RW111", "RW113", "RW120"}, "these are made by the tests below and those of files"


def test_all_errors_are_reported_and_none_twice() -> None:
    found = errors("slice(X, «m», «q») => reverse(«R», B)\n where «u» < 1, n < «v»\n assume forall i on «Z»: X[i] > 0")
    assert [code for code, _ in found] == ["RW104", *["RW101"] * 5]


def test_a_name_whose_declaration_is_wrong_is_reported_once() -> None:
    assert errors("tensor Z: «U»[A: n]\n map q on «Q»\n Z + slice(Z, q) => Z\n where q > 0") == [
        ("RW101", {"what": "element type", "name": "U", "nearest": ""}),
        ("RW101", {"what": "axis", "name": "Q", "nearest": ""}),
    ]


def test_an_unknown_name_is_reported_once_where_it_is_first_used() -> None:
    found = errors("where «q» > 0, «u» > 0; slice(X, q) => slice(X, q); assume forall i on «C»: X[i] > elem(u)")
    assert [(code, stated["name"]) for code, stated in found] == [("RW101", "q"), ("RW101", "u"), ("RW101", "C")]


def test_a_bound_index_has_a_range() -> None:
    assert errors("X => X\n assume forall i on A, j on d: X[i] == elem(«j»)") == [
        (
            "RW117",
            {"what": "this index", "expected": "one at which a tensor is read, which gives it its range along `d`"},
        )
    ]


def test_a_wrong_let_is_reported_once_wherever_it_is_used() -> None:
    assert len(errors("let y = X + «Q»\n y + y => y")) == 1


def test_type_parameters() -> None:
    assert findings_at_marks("rule r<«T»> { axes A\n map n on A\n tensor X: T[A: n]\n X => X }") == [
        ("RW118", {"item": "T", "part": "constraint"})
    ]
    assert findings_at_marks("rule r<T: any = «5»> { axes A\n map n on A\n tensor X: T[A: n]\n X => X }") == [
        ("RW118", {"item": "T", "part": "value"})
    ]
    ((code, arguments),) = findings_at_marks("rule r<T: «number»> { axes A\n map n on A\n tensor X: T[A: n]\n X => X }")
    assert (code, arguments["name"]) == ("RW120", "number")


def test_two_type_parameters_are_two_types() -> None:
    text = "rule r<T: any, U: any> { axes A\n map n on A\n tensor X: T[A: n]\n tensor Y: U[A: n]\n X => «Y» }"
    assert findings_at_marks(text) == [("RW106", {"operator": "=>", "left": "T", "right": "U"})]


def test_any_is_only_moved_and_selected() -> None:
    ((code, arguments),) = errors("«X + X» => X", parameters="<T: any>")
    assert (code, arguments["type"], arguments["constraint"]) == ("RW115", "T", "any")
    ((code, _),) = errors("«X == X» => P", parameters="<T: any>")
    assert code == "RW115"


def test_a_rule_needs_a_rewrite() -> None:
    assert findings_at_marks("rule «r»<T: any> { axes A }") == [("RW112", {})]


def test_check_over() -> None:
    text = "rule r { axis d\n map n on d\n iota(int, d, d: n) => iota(int, d, d: n)\n check over «f32» }"
    assert findings_at_marks(text) == [("RW118", {"item": "check over", "part": "no type parameter"})]
    ((code, arguments),) = findings_at_marks(rule_text("X => X\n check over «float»"))
    assert (code, arguments["name"]) == ("RW120", "float")


def test_attributes_in_the_language_of_machine_types_are_checked() -> None:
    found = said("@expect(«wrong»)\n@expect(refuted, over = «f32»)\n@«frob»\n@budget(«0»)\n" + rule_text("X => X"))
    assert [(each.code, type(each)) for each in found] == [
        ("RW111", WrongAttribute),
        ("RW111", NotAskedOver),
        ("RW111", UnknownAttribute),
        ("RW111", WrongAttribute),
    ]
    assert found[1] == NotAskedOver("f32", "`int`, `real`")


def test_attributes_that_are_given_twice() -> None:
    found = findings_at_marks("@budget(2)\n@«budget»(3)\n" + rule_text("X => X"))
    assert found == [("RW111", {"attribute": "budget"})]


def test_the_message_of_a_map_on_another_group_is_the_one_promised() -> None:
    assert codes.sentence(MapOnAnotherGroup("stride", on="A", used="B")) == ("`stride` is a map on `A`, used on `B`")
