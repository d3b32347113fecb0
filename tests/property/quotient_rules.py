"""Random rules about sums of exponentials, quotients by sums, counts and extrema: an element and what became of it.

Owns the drawing. A side is an expression over rows (along M) and what lies along K, a group, or k, a single axis. The
other side is made by steps, some of which keep the value only where a range has an index, a divisor is not 0, or a
number is above 0, and some of which do not keep it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

DECLARED = """axes M, K
axis k
map m on M
map n on K
int a, b
scalar s: T
tensor X, Y: T[M: m, k: a]
tensor Z: T[M: m, k: b]
tensor G, H: T[M: m, K: n]
tensor A, B: T[M: m]
"""
ROW, ALONG, GROUP, LONG = "row", "k: a", "K: n", "k: a + b"
SECOND = "k: b"
AXIS = {ALONG: "k", GROUP: "K", LONG: "k", SECOND: "k"}
COUNT = {ALONG: "elem(T, a)", GROUP: "elem(T, prod(n))", LONG: "elem(T, a + b)", SECOND: "elem(T, b)"}
NUMBERS = ("elem(T, 0)", "elem(T, 1)", "elem(T, 2)", "s")
GUARDS = ("a >= 1", "n >= 1", "some K: n >= 1", "b >= 1", "a >= 0", "n == 1", "a == 0", "s > 0", "s >= 0", "s <= 0")


@dataclass(frozen=True)
class Node:
    """An operator with its operands, and along what its result lies; a leaf is its text."""

    shape: str
    operator: str
    operands: tuple[Node, ...] = ()

    def text(self) -> str:
        """As it is written."""
        parts = [operand.text() for operand in self.operands]
        match self.operator:
            case "+" | "-" | "*" | "/":
                return f"({parts[0]} {self.operator} {parts[1]})"
            case "add" | "max of" | "min of" | "multiply":
                reducer = self.operator.removesuffix(" of")
                return f"reduce({reducer}, {parts[0]}, {AXIS[self.operands[0].shape]})"
            case "broadcast":
                return f"broadcast({parts[0]}, {self.shape})"
            case "concatenate":
                return f"concatenate({parts[0]}, {parts[1]}, k)"
            case "neg":
                return f"(-{parts[0]})"
            case _ if parts:
                return f"{self.operator}({', '.join(parts)})"
            case _:
                return self.operator


def drawn_rule(rng: random.Random) -> str:
    """The items of a rule over reals."""
    left = _row(rng, 3) if rng.random() < 0.7 else _along(rng, rng.choice([ALONG, GROUP]), 3)
    right = left
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        right = _changed(rng, right)
    guards = rng.sample(GUARDS, rng.choice([0, 0, 1, 1, 2]))
    where = f"\nwhere {', '.join(guards)}" if guards else ""
    sides = [left.text(), right.text()]
    rng.shuffle(sides)
    return f"{DECLARED}{sides[0]} => {sides[1]}{where}\n"


def _row(rng: random.Random, depth: int) -> Node:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(
            [Node(ROW, "A"), Node(ROW, "B"), _number(ROW, rng.choice(["elem(T, 0)", "elem(T, 1)", "elem(T, 2)", "s"]))]
        )
    match rng.randrange(9):
        case 0 | 1:
            return Node(ROW, rng.choice("+-*/"), (_row(rng, depth - 1), _row(rng, depth - 1)))
        case 2:
            return Node(ROW, rng.choice(["exp", "abs", "neg"]), (_row(rng, depth - 1),))
        case 3:
            return Node(ROW, rng.choice(["max", "min"]), (_row(rng, depth - 1), _row(rng, depth - 1)))
        case _:
            reducer = rng.choice(["add"] * 6 + ["max of", "min of", "multiply"])
            return Node(ROW, reducer, (_along(rng, rng.choice([ALONG, GROUP, LONG]), depth - 1),))


def _number(shape: str, text: str) -> Node:
    return Node(shape, f"broadcast({text}, {'M: m' if shape == ROW else f'M: m, {shape}'})")


def _along(rng: random.Random, shape: str, depth: int) -> Node:
    leaves = {ALONG: ["X", "Y"], GROUP: ["G", "H"], LONG: ["concatenate(X, Z, k)"]}[shape]
    if depth == 0 or rng.random() < 0.2:
        return Node(shape, rng.choice(leaves))
    match rng.randrange(8):
        case 0 | 1 | 2:
            return Node(shape, rng.choice("+-**/"), (_along(rng, shape, depth - 1), _along(rng, shape, depth - 1)))
        case 3 | 4:
            return Node(shape, rng.choice(["exp", "exp", "exp", "abs", "neg"]), (_along(rng, shape, depth - 1),))
        case 5 | 6:
            spread = Node(shape, "broadcast", (_row(rng, depth - 1),))
            return Node(shape, rng.choice("+-**/"), (_along(rng, shape, depth - 1), spread))
        case _:
            return Node(shape, "broadcast", (_row(rng, depth - 1),))


def _changed(rng: random.Random, node: Node) -> Node:
    """The expression with a step made somewhere in it."""
    places = list(_places(node))
    for _ in range(40):
        place = rng.choice(places)
        inner = _at(node, place)
        made = rng.choice(STEPS)(rng, inner)
        if made is not None and made != inner:
            return _put(node, place, made)
    return node


def _places(node: Node, here: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    yield here
    for at, operand in enumerate(node.operands):
        yield from _places(operand, (*here, at))


def _at(node: Node, place: tuple[int, ...]) -> Node:
    for at in place:
        node = node.operands[at]
    return node


def _put(node: Node, place: tuple[int, ...], made: Node) -> Node:
    if not place:
        return made
    at, *rest = place
    operands = list(node.operands)
    operands[at] = _put(operands[at], tuple(rest), made)
    return Node(node.shape, node.operator, tuple(operands))


Step = Callable[[random.Random, Node], Node | None]


def _of(node: Node, operator: str) -> tuple[Node, ...]:
    return node.operands if node.operator == operator else ()


def _sum_of_sum(rng: random.Random, node: Node) -> Node | None:
    """Σ (f ± g) = Σ f ± Σ g."""
    (inner,) = _of(node, "add") or (None,)
    if inner is None or inner.operator not in "+-" or len(inner.operands) != 2:
        return None
    return Node(ROW, inner.operator, tuple(Node(ROW, "add", (part,)) for part in inner.operands))


def _factor_out(rng: random.Random, node: Node) -> Node | None:
    """Σ (f·c) = (Σ f)·c and Σ (f/c) = (Σ f)/c; the same is wrong of other reducers."""
    if node.operator not in ("add", "max of", "multiply", "min of"):
        return None
    (inner,) = node.operands
    if inner.operator not in ("*", "/") or inner.operands[1].operator != "broadcast":
        return None
    return Node(ROW, inner.operator, (Node(ROW, node.operator, inner.operands[:1]), inner.operands[1].operands[0]))


def _shift_out(rng: random.Random, node: Node) -> Node | None:
    """max (f + c) = max f + c; of a sum that is wrong."""
    if node.operator not in ("add", "max of", "min of"):
        return None
    (inner,) = node.operands
    if inner.operator not in ("+", "-") or inner.operands[1].operator != "broadcast":
        return None
    return Node(ROW, inner.operator, (Node(ROW, node.operator, inner.operands[:1]), inner.operands[1].operands[0]))


def _exponent(rng: random.Random, node: Node) -> Node | None:
    """exp(p ± q) = exp(p) ·or/ exp(q)."""
    (inner,) = _of(node, "exp") or (None,)
    if inner is None or inner.operator not in ("+", "-") or len(inner.operands) != 2:
        return None
    joined = {"+": "*", "-": "/"}[inner.operator]
    return Node(node.shape, joined, tuple(Node(node.shape, "exp", (part,)) for part in inner.operands))


def _counted(rng: random.Random, node: Node) -> Node | None:
    """Σ c is c as often as there are indices; the wrong count now and then."""
    (inner,) = _of(node, "add") or (None,)
    if inner is None or inner.operator != "broadcast":
        return None
    count = COUNT[inner.shape] if rng.random() < 0.8 else rng.choice([*COUNT.values(), "elem(T, a - 1)", "elem(T, 1)"])
    return Node(ROW, "*", (inner.operands[0], _number(ROW, count)))


def _cancelled(rng: random.Random, node: Node) -> Node | None:
    """x = x·d/d, for a d that may be 0."""
    if node.shape not in (ROW, ALONG, GROUP):
        return None
    divisor = _divisor(rng) if node.shape == ROW else Node(node.shape, "broadcast", (_divisor(rng),))
    if rng.random() < 0.5:
        divisor = Node(node.shape, "exp", (divisor,))
    return Node(node.shape, "/", (Node(node.shape, "*", (node, divisor)), divisor))


def _divisor(rng: random.Random) -> Node:
    shape = rng.choice([ALONG, GROUP, LONG])
    inner = Node(shape, {ALONG: "X", GROUP: "G", LONG: "concatenate(X, Z, k)"}[shape])
    if rng.random() < 0.6:
        inner = Node(shape, "exp", (inner,))
    elif rng.random() < 0.5:
        inner = Node(shape, "*", (inner, inner))
    return rng.choice([Node(ROW, "add", (inner,)), Node(ROW, "A"), _number(ROW, COUNT[shape])])


def _quotient_of_product(rng: random.Random, node: Node) -> Node | None:
    """(x·y)/z = x·(y/z), and x/z + y/z = (x + y)/z."""
    if node.operator == "/" and node.operands[0].operator == "*":
        (first, second), divisor = node.operands[0].operands, node.operands[1]
        return Node(node.shape, "*", (first, Node(node.shape, "/", (second, divisor))))
    if node.operator == "/" and node.operands[0].operator in ("+", "-") and len(node.operands[0].operands) == 2:
        inner = node.operands[0]
        parts = tuple(Node(node.shape, "/", (part, node.operands[1])) for part in inner.operands)
        return Node(node.shape, inner.operator, parts)
    return None


def _split(rng: random.Random, node: Node) -> Node | None:
    """What is folded over a concatenation, by parts."""
    if node.operator not in ("add", "max of", "min of", "multiply") or node.operands[0].shape != LONG:
        return None
    first, second = _part(node.operands[0], "X", ALONG), _part(node.operands[0], "Z", SECOND)
    if first is None or second is None:
        return None
    joined = {"add": "+", "max of": "max", "min of": "min", "multiply": "*"}[node.operator]
    return Node(ROW, joined, (Node(ROW, node.operator, (first,)), Node(ROW, node.operator, (second,))))


def _part(node: Node, tensor: str, shape: str) -> Node | None:
    if node.shape != LONG:
        return node
    if not node.operands and node.operator.startswith("concatenate"):
        return Node(shape, tensor)
    if not node.operands:
        return Node(shape, node.operator.replace(LONG, shape))
    parts = tuple(_part(operand, tensor, shape) for operand in node.operands)
    return None if None in parts else Node(shape, node.operator, tuple(part for part in parts if part))


def _swapped(rng: random.Random, node: Node) -> Node | None:
    """Operands in another order, which is wrong of − and /."""
    return Node(node.shape, node.operator, node.operands[::-1]) if len(node.operands) == 2 else None


def _other_operator(rng: random.Random, node: Node) -> Node | None:
    """Another operator, mostly wrong."""
    if rng.random() < 0.7:
        return None
    if node.operator in ("+", "-", "*", "/"):
        return Node(node.shape, rng.choice("+-*/"), node.operands)
    if node.operator in ("exp", "abs", "neg"):
        return Node(node.shape, rng.choice(["exp", "abs", "neg"]), node.operands)
    if node.operator in ("add", "max of", "min of", "multiply"):
        return Node(node.shape, rng.choice(["add", "max of", "min of", "multiply"]), node.operands)
    return None


def _dropped(rng: random.Random, node: Node) -> Node | None:
    """An operand alone, mostly wrong."""
    return rng.choice(node.operands) if rng.random() < 0.3 and len(node.operands) == 2 else None


def _squared(rng: random.Random, node: Node) -> Node | None:
    """|x|·|x| = x·x."""
    if node.operator == "*" and all(part.operator == "abs" for part in node.operands):
        return Node(node.shape, "*", tuple(part.operands[0] for part in node.operands))
    return Node(node.shape, "abs", (node,)) if node.operator in ("exp", "abs", "add") else None


STEPS: tuple[Step, ...] = (
    _sum_of_sum,
    _factor_out,
    _factor_out,
    _shift_out,
    _exponent,
    _exponent,
    _counted,
    _cancelled,
    _quotient_of_product,
    _split,
    _split,
    _swapped,
    _other_operator,
    _dropped,
    _squared,
)
