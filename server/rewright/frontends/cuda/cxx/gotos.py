"""`goto` and labels. A `goto` leads forward, out of blocks and never into one, as a `break` of any statement does.

Invariant: code keeps the order of the text, so a jump back would be a loop that nothing announces: it is refused. Must
not know other statements.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter
from rewright.frontends.cuda.cxx.frames import FunctionFrame
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.reading.tree import parts, text, walk

_FUNCTIONS = ("function_definition", "lambda_expression")


def goto(lowering: Lowering, node: Node) -> None:
    """Goes on at a label further down."""
    emitter, frame = lowering.emitter, lowering.names.frame
    name, around = text(parts(node)[0]), _around(node)
    labels = [each for each in walk(around[-1]) if each.type == "labeled_statement" and text(parts(each)[0]) == name]
    if not labels:
        emitter.refuse(node, f"there is no label `{name[:40]}`")
    if labels[0].start_byte < node.start_byte:
        emitter.refuse_construct(node, "a `goto` back")
    if labels[0].parent not in around:
        emitter.refuse_construct(node, "a `goto` into a block")
    emitter.builder.jump(frame.labels.setdefault(name, Label()), emitter.place(node))
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
