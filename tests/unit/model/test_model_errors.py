"""Every error of names, types and shapes stands exactly at its place, with the facts that its message is made of."""

from __future__ import annotations

import pytest
from model_texts import Found, errors, findings_at_marks, rule_text

from rewright.report import codes
from rewright.verdict.diagnostics.untyped import Untyped

STATED = """
«Q» => X
    RW101 what=name | name=Q | nearest=
slice(X, «strat», e) => slice(X, s, e); let start = s
    RW101 what=name | name=strat | nearest=start
reverse(X, «Z») => X
    RW101 what=axis | name=Z | nearest=
tensor Z: «U»[A: n]; Z => Z
    RW101 what=element type | name=U | nearest=
map q on «Q»; slice(X, q) => X
    RW101 what=axis | name=Q | nearest=
map «X» on A; X => X
    RW102 name=X | by=declaration
map «add» on A; X => X
    RW102 name=add | by=built-in
int «elem»; X => X
    RW102 name=elem | by=built-in
scalar «s32»: T; X => X
    RW102 name=s32 | by=built-in
X + «n» => X
    RW103 name=n | kind=a map | wanted=a tensor or a scalar | fix=`elem(n)` is the element of an integer
slice(X, «Y») => X
    RW103 name=Y | kind=a tensor | wanted=a map or an integer | fix=
slice(X, «A») => X
    RW103 name=A | kind=an axis group | wanted=a map or an integer | fix=
slice(X, «z») => X
    RW103 name=z | kind=an element of `T` | wanted=a map or an integer | fix=declare it by `int`
X + elem(«n») => X
    RW103 name=n | kind=a map on `A` | wanted=an integer | fix=`prod(n)` is the product over its axes
«X»(Y) => X
    RW103 name=X | kind=a tensor | wanted=an operator | fix=
reverse(X, «n») => X
    RW103 name=n | kind=a map | wanted=an axis group | fix=
slice(X, «m») => X
    RW104 name=m | on=B | used=A
slice(X, s, «h» + e) => X
    RW104 name=h | on=I | used=A
tensor Z: T[A: «m»]; Z => Z
    RW104 name=m | on=B | used=A
X => X; where n < «m»
    RW104 name=m | on=B | used=A
X => X; where some B: m == 1 or «n» == 1
    RW104 name=n | on=A | used=B
let both = m + 1; slice(X, «both») => X
    RW104 name=both | on=B | used=A
X + «D» => X
    RW105 operator=+ | left=`[A]` | right=`[A, d]`
X => «D»
    RW105 operator==> | left=`[A]` | right=`[A, d]`
X - X => «z»
    RW105 operator==> | left=`[A]` | right=no axis groups
dynamic_update_slice(X, «D», 0) => X
    RW105 operator=dynamic_update_slice | left=`[A]` | right=`[A, d]`
X => X; assume forall i on A: «D[i]» < z
    RW105 operator=D[…] | left=`[A, d]` | right=`[A]`
reverse(X, «B») => X
    RW114 group=B | operator=reverse | problem=absent | groups=`[A]`
slice(X, «B»: (0, m)) => X
    RW114 group=B | operator=slice | problem=absent | groups=`[A]`
slice(D, A: s, «A»: s) => D
    RW114 group=A | operator=slice | problem=twice
broadcast(X, «A»: n) => X
    RW114 group=A | operator=broadcast | problem=present | groups=`[A]`
tensor Z: T[A: n, «A»: n]; X => X
    RW114 group=A | operator= | problem=twice | groups=`[A]`
concatenate(X, Y, «A») => X
    RW110 operator=concatenate | group=A
iota(T, «A», A: n) => X
    RW110 operator=iota | group=A
iota(T, «d», A: n) => X
    RW114 group=d | operator=iota | problem=absent | groups=`[A]`
transpose(X, A -> «B») => X
    RW121 source=A | target=B
transpose(M, I -> «J») => M
    RW114 group=J | operator=transpose | problem=twice | groups=`[J, J]`
X + «P» => X
    RW106 operator=+ | left=T | right=pred
X => «P»
    RW106 operator==> | left=T | right=pred
select(«X», X, X) => X
    RW106 operator=select | left=pred | right=T
pad(X, «true») => X
    RW106 operator=pad | left=T | right=pred
«P + P» => P
    RW115 operator=+ | type=pred | constraint=pred | need=numbers
«P < P» => P
    RW115 operator=< | type=pred | constraint=pred | need=an order
«not X» => X
    RW115 operator=not | type=T | constraint=num | need=truth values
X + «0.5» => X
    RW115 operator=0.5 | type=T | constraint=num | need=fractions
«reduce(add, P, A)» => true
    RW115 operator=reduce | type=pred | constraint=pred | need=numbers
broadcast(«0», A: n) => broadcast(0, A: n)
    RW107 what=0 | fix=elem(T, 0)
«iota(d, d: k)» => iota(d, d: k)
    RW107 what=iota | fix=iota(T, d, …)
«elem(c)» => elem(c)
    RW107 what=elem | fix=elem(T, …)
«lowest» => lowest
    RW107 what=lowest | fix=
«max»(X) => X
    RW108 operator=max | problem=count | wanted=2 | given=1
max(X, Y, «at» = A) => X
    RW108 operator=max | problem=unknown | attribute=at | accepted=
reshape(D, «B» -> []) => X
    RW114 group=B | operator=reshape | problem=absent | groups=`[A, d]`
reshape(X, [] -> «A») => X
    RW114 group=A | operator=reshape | problem=present | groups=`[A]`
reshape(D, [d, «d»] -> []) => X
    RW114 group=d | operator=reshape | problem=twice | groups=`[A, d]`
reshape(D, d -> [], [] -> «d») => D
    RW114 group=d | operator=reshape | problem=twice | groups=`[A, d]`
reshape(D, «n» -> []) => X
    RW103 name=n | kind=a map | wanted=an axis group | fix=
reshape(D, [A, d] -> «Q») => X
    RW101 what=name | name=Q | nearest=
reshape(X, «[] -> []») => X
    RW117 what=`[] -> []` | wanted=`D -> []` or `[] -> D`
reshape(D, «d») => X
    RW117 what=`d` | wanted=`D -> []` or `[] -> D`
reshape(D, «d»: k) => X
    RW108 operator=reshape | problem=unknown | attribute=d | accepted=
«reshape»(X) => X
    RW108 operator=reshape | problem=missing | attribute=its axis groups, as in `D -> []` or `[] -> D`
«reshape»() => X
    RW108 operator=reshape | problem=count | wanted=1 | given=0
fn f: (T, T) -> T; «f»(X) => X
    RW108 operator=f | problem=count | wanted=2 | given=1
fn f: (T, T) -> T; f(X, Y, «z» = X) => X
    RW108 operator=f | problem=unknown | attribute=z | accepted=
fn f: (T, T) -> T; f(X, «D») => X
    RW105 operator=f | left=`[A]` | right=`[A, d]`
fn f: (T, pred) -> T; f(«P», «X») => X
    RW106 operator=f | operand=1 | left=T | right=pred
    RW106 operator=f | operand=2 | left=pred | right=T
fn f: (T) -> pred; f(X) => «X»
    RW106 operator==> | left=pred | right=T
fn f: (T) -> int; f(«true») => 0
    RW106 operator=f | operand=1 | left=T | right=pred
fn f: (T) -> int; slice(X, «f(z)») => X
    RW117 what=`f(…)` | wanted=a map or an integer, made of `+ - * / %`, `min`, `max` and `prod`
fn f: (T) -> T; X + «f» => X
    RW103 name=f | kind=a function | wanted=a tensor or a scalar | fix=
fn f: (T, T) -> T; reduce(«f», X, A) => z
    RW117 what=`f` | wanted=a commutative operator: `add`, `multiply`, `max`, `min`, `and`, `or`
fn f: (T) -> T; X => X; where «f(X)» == z
    RW117 what=a tensor over `[A]` | wanted=a scalar; contents of tensors are constrained by `assume forall i on A: …`
fn f: («U») -> T; f(X) => X
    RW101 what=element type | name=U | nearest=
fn f: «() -> T»; X => X
    RW118 item=fn | problem=parameters
fn f: («T[A: n]») -> «T[A: n]»; f(X) => X
    RW118 item=fn | problem=function shape
    RW118 item=fn | problem=function shape
fn «X»: (T) -> T; X => X
    RW102 name=X | by=declaration
«select»(P, X) => X
    RW108 operator=select | problem=count | wanted=3 | given=2
«slice»() => X
    RW108 operator=slice | problem=count | wanted=1 | given=0
«slice»(D, s, e) => D
    RW108 operator=slice | problem=by group | form=A: (start, limit, stride) | groups=`[A, d]`
«slice»(X, s, A: s) => X
    RW108 operator=slice | problem=mixed
slice(X, s, e, p, «s») => X
    RW108 operator=slice | problem=surplus | accepted=`start`, `limit`, `stride`
slice(X, «low» = s) => X
    RW108 operator=slice | problem=unknown | attribute=low | accepted=`start`, `limit`, `stride`
slice(X, s, «start = s») => X
    RW108 operator=slice | problem=twice | attribute=start
dynamic_slice(X, «s») => X
    RW108 operator=dynamic_slice | problem=missing | attribute=`length`
«broadcast»(z, n) => X
    RW108 operator=broadcast | problem=by group | form=A: size | groups=
«broadcast»(z) => X
    RW108 operator=broadcast | problem=missing | attribute=a size, as in `A: n`
«reverse»(X) => X
    RW108 operator=reverse | problem=missing | attribute=the axis group
«transpose»(X) => X
    RW108 operator=transpose | problem=missing | attribute=a renaming `I -> J`
«slcie»(X, s, e) => X
    RW109 name=slcie | nearest=slice
«frobnicate»(X) => X
    RW109 name=frobnicate | nearest=
slice(X, «0.5») => X
    RW117 what=`0.5` | wanted=an integer
slice(X, «[s, e]») => X
    RW117 what=a list | wanted=a map or an integer
X + «[1, 2]» => X
    RW117 what=a list | wanted=a tensor or a scalar
pad(X, «Y», s) => X
    RW117 what=a tensor over `[A]` | wanted=a scalar
X => X; where «n»
    RW117 what=`n` | wanted=a condition, such as a comparison
X => X; where «X» > 0
    RW117 what=a tensor over `[A]` | wanted=a scalar; contents of tensors are constrained by `assume forall i on A: …`
X => X; where «forall i on A: X[i] > 0»
    RW117 what=`forall` | wanted=a condition; contents stand in `assume forall`
X => X; assume «n > 0»
    RW117 what=a comparison | wanted=`forall i on A: …`; conditions on maps, integers and scalars stand in `where`
reduce(«subtract», X, A) => z
    RW117 what=`subtract` | wanted=a commutative operator: `add`, `multiply`, `max`, `min`, `and`, `or`
tensor Z: T[«n»]; X => X
    RW118 item=tensor | problem=group
scalar y: «T[A: n]»; X => X
    RW118 item=scalar | problem=shape
let a = b + 1; let b = «a» + 1; slice(X, a) => X
    RW119 name=a
X => X; «Y => Y»
    RW112 count=2
X => X; check over «pred»
    RW122 type=pred | name=T | constraint=num
X => X; example { A = «-1» }
    RW116 name=A | problem=rank | value=-1 | accepted=0 to 16
X => X; example { d = «2» }
    RW116 name=d | problem=rank | value=2 | accepted=1
X => X; example { A = 2; n = «[1]» }
    RW116 name=n | problem=axes | value=1 | group=A | accepted=2
X => X; example { X = «[[1, 2], [3]]» }
    RW117 what=a ragged list | wanted=rows of one length
X => X; example { n = [«0.5»] }
    RW117 what=`0.5` | wanted=an integer
X => X; scalar j: int; example { j = «0.5» }
    RW117 what=`1/2` | wanted=an element of `int`
X => X; example { P = [true, «0»]; X = [1, «true»] }
    RW117 what=`0` | wanted=an element of `pred`
    RW117 what=`true` | wanted=an element of `T`
X => X; example { «q» = 1 }
    RW101 what=name | name=q | nearest=
"""


def cases() -> list[tuple[str, list[Found]]]:
    """The bodies above, each with the findings that the indented lines below it state."""
    found: list[tuple[str, list[Found]]] = []
    for line in STATED.strip().splitlines():
        if not line.startswith(" "):
            found.append((line, []))
            continue
        code, _, facts = line.strip().partition(" ")
        arguments = dict(fact.partition("=")[::2] for fact in facts.split(" | "))
        found[-1][1].append((code, arguments))
    return found


CASES = cases()


@pytest.mark.parametrize(("body", "expected"), CASES, ids=[case[0][:60] for case in CASES])
def test_error(body: str, expected: list[Found]) -> None:
    assert errors(body) == expected


@pytest.mark.parametrize(("body", "expected"), CASES, ids=[case[0][:60] for case in CASES])
def test_the_message_has_all_it_needs(body: str, expected: list[Found]) -> None:
    for code, arguments in expected:
        message = codes.sentence(Untyped(code, tuple(arguments.items())))
        assert message
        assert not message.endswith(".")


def test_every_code_of_names_and_shapes_is_made_somewhere() -> None:
    made = {code for _, expected in CASES for code, _ in expected}
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


def test_a_wrong_let_is_reported_once_wherever_it_is_used() -> None:
    assert len(errors("let y = X + «Q»\n y + y => y")) == 1


def test_type_parameters() -> None:
    assert findings_at_marks("rule r<«T»> { axes A\n map n on A\n tensor X: T[A: n]\n X => X }") == [
        ("RW118", {"item": "T", "problem": "constraint"})
    ]
    assert findings_at_marks("rule r<T: any = «5»> { axes A\n map n on A\n tensor X: T[A: n]\n X => X }") == [
        ("RW118", {"item": "T", "problem": "value"})
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
    assert findings_at_marks("rule «r»<T: any> { axes A }") == [("RW112", {"count": "0"})]


def test_check_over() -> None:
    text = "rule r { axis d\n map n on d\n iota(int, d, d: n) => iota(int, d, d: n)\n check over «f32» }"
    assert findings_at_marks(text) == [("RW118", {"item": "check over", "problem": "no type parameter"})]
    ((code, arguments),) = findings_at_marks(rule_text("X => X\n check over «float»"))
    assert (code, arguments["name"]) == ("RW120", "float")


def test_attributes_in_the_language_of_machine_types_are_checked() -> None:
    found = findings_at_marks(
        "@expect(«wrong»)\n@expect(refuted, over = «f32»)\n@«frob»\n@budget(«0»)\n" + rule_text("X => X")
    )
    assert [(code, arguments["problem"]) for code, arguments in found] == [
        ("RW111", "argument"),
        ("RW111", "not asked"),
        ("RW111", "unknown"),
        ("RW111", "argument"),
    ]
    assert found[1][1]["accepted"] == "`int`, `real`"


def test_attributes_that_are_given_twice() -> None:
    found = findings_at_marks("@budget(2)\n@«budget»(3)\n" + rule_text("X => X"))
    assert found == [("RW111", {"attribute": "budget", "problem": "twice"})]


def test_the_message_of_a_map_on_another_group_is_the_one_promised() -> None:
    assert codes.sentence(Untyped("RW104", (("name", "stride"), ("on", "A"), ("used", "B")))) == (
        "`stride` is a map on `A`, used on `B`"
    )
