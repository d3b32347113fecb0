"""`goto` and labels. A `goto` leads out of blocks and never into one: forward as a `break` of any statement does, back
as a `continue` does of a loop without a test: all from the label to the last `goto` to it, which is left at its end.

Invariant: code keeps the order of the text, and every jump back is the end of a loop that is announced. Must not know
other statements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter
from rewright.frontends.cuda.cxx.frames import FunctionFrame
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.reading.tree import parts, text, walk

_FUNCTIONS = ("function_definition", "lambda_expression")


def in_order(lowering: Lowering, statements: Sequence[Node], lower: Callable[[Lowering, Node], None]) -> None:
    """Lowers the statements of a block; what a `goto` leads back to is lowered as a loop."""
    frame = lowering.names.frame
    rest = list(statements)
    while rest:
        length = _repeated(rest)
        if length:
            _loop(lowering, rest[:length], lower)
        elif not frame.has_ended or rest[0].type == "labeled_statement":
            lower(lowering, rest[0])
        del rest[: length or 1]


def _repeated(statements: Sequence[Node]) -> int:
    """How many of the statements, from a label on, some `goto` to it repeats; 0 if none does."""
    if statements[0].type != "labeled_statement":
        return 0
    name = _name(statements[0])
    leading = [number for number, each in enumerate(statements, 1) if name in _led_to(each)]
    return max(leading, default=0)


def _loop(lowering: Lowering, statements: Sequence[Node], lower: Callable[[Lowering, Node], None]) -> None:
    """From a label to the last `goto` back to it."""
    emitter, frame = lowering.emitter, lowering.names.frame
    node, place, name = statements[0], emitter.place(statements[0]), _name(statements[0])
    if any(inner in frame.labels for each in statements for inner in _labels(each) if inner != name):
        with emitter.noting():
            emitter.refuse_construct(node, "a `goto` into what another one repeats")
    head, again, end = Label(), Label(), Label()
    label_of(lowering, node)
    with emitter.builder.loop(place):
        emitter.land(head)
        frame.repeated[name] = again
        lower(lowering, parts(node)[-1])
        in_order(lowering, statements[1:], lower)
        del frame.repeated[name]
        if not frame.has_ended:
            emitter.builder.jump(end, place)
        emitter.land(again)
        emitter.builder.jump(head, place)
    emitter.land(end)


def _name(labeled: Node) -> str:
    return text(parts(labeled)[0])


def _labels(node: Node) -> set[str]:
    return {_name(each) for each in walk(node) if each.type == "labeled_statement"}


def _led_to(node: Node) -> set[str]:
    """The labels that a `goto` in a statement names."""
    return {text(parts(each)[0]) for each in walk(node) if each.type == "goto_statement"}


def goto(lowering: Lowering, node: Node) -> None:
    """Goes on at a label."""
    emitter, frame = lowering.emitter, lowering.names.frame
    name, around = text(parts(node)[0]), _around(node)
    labels = [each for each in walk(around[-1]) if each.type == "labeled_statement" and text(parts(each)[0]) == name]
    if not labels:
        emitter.refuse(node, f"there is no label `{name[:40]}`")
    if labels[0].parent not in around:
        emitter.refuse_construct(node, "a `goto` into a block")
    is_back = labels[0].start_byte < node.start_byte
    if is_back and name not in frame.repeated:
        emitter.refuse_construct(node, "such a `goto` back")
    target = frame.repeated[name] if is_back else frame.labels.setdefault(name, Label())
    emitter.builder.jump(target, emitter.place(node))
    frame.has_ended = True


def label_of(lowering: Lowering, node: Node) -> None:
    """Places the label of a statement."""
    frame = lowering.names.frame
    lowering.emitter.land(frame.labels.setdefault(text(parts(node)[0]), Label()))
    frame.has_ended = False


def check_labels(emitter: Emitter, frame: FunctionFrame, body: Node) -> None:
    """Refuses a function with a label that was left out, as one in an `if constexpr` is."""
    if any(each.at is None for each in frame.labels.values()):
        emitter.refuse_construct(body, "a `goto` to a label that is left out")


def _around(node: Node) -> list[Node]:
    """What a node is in, up to its function."""
    found: list[Node] = []
    while node.parent is not None and node.type not in _FUNCTIONS:
        node = node.parent
        found.append(node)
    return found
