"""Assignments of a loop nest: the element that is written, those that are read, and the rest as a signature.

Invariant: two right sides have one signature exactly if they are the same function of what they read, as it is written.
A parameter or an iterator in a right side is a read of its value. Source: PolyCheck, section 4.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from rewright.model.check_loops.integers import affine
from rewright.model.check_loops.scope import NestScope
from rewright.model.index import Name
from rewright.model.nest import ElementAccess, NestStatement
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.loops import SubscriptCount
from rewright.verdict.diagnostics.names import CannotStandHere


def statement(scope: NestScope, written: nodes.Assign, label: nodes.Name | None) -> NestStatement | None:
    """The assignment; None, noted, if something in it is wrong."""
    write = _access(scope, written.target)
    if write is None and not isinstance(written.target, nodes.Name | nodes.Index | nodes.Missing):
        scope.notes.error(CannotStandHere(kind_of(written.target), "an element of an array"), written.target.span)
    right = _RightSide(scope)
    if written.operator == "=":
        signature = right.text(written.value)
    else:
        if write is not None:
            right.reads.append(write)
        operator = written.operator.removesuffix("=")
        signature = f"(#0{operator}{right.text(written.value)})"
    if write is None or right.wrong:
        return None
    site = scope.notes.site(written.span)
    return NestStatement(label.text if label is not None else "", write, tuple(right.reads), signature, site)


def _access(scope: NestScope, written: nodes.Expression) -> ElementAccess | None:
    """The element that is written down; None, noted if there is no array of this name."""
    match written:
        case nodes.Name() as name:
            subscripts: Sequence[nodes.Argument] = ()
        case nodes.Index(base=nodes.Name() as name, entries=entries):
            subscripts = entries
        case _:
            return None
    array = scope.arrays.get(name.text)
    if array is None:
        if name.text in scope.integers:
            scope.notes.error(CannotStandHere(f"`{name.text}`", "an element of an array"), name.span)
        else:
            scope.unknown("array", name)
        return None
    scope.used(name)
    if len(subscripts) != len(array.sizes):
        scope.notes.error(SubscriptCount(name.text, len(array.sizes), len(subscripts)), written.span)
        return None
    made = [affine(scope, each.value) if isinstance(each, nodes.Positional) else None for each in subscripts]
    if any(each is None for each in made):
        return None
    return ElementAccess(
        Name(name.text), tuple(each for each in made if each is not None), scope.notes.site(written.span)
    )


class _RightSide(Struct):
    """A right side while its reads are collected; `wrong` once something in it has no meaning."""

    scope: NestScope
    reads: list[ElementAccess] = field(default_factory=list)
    wrong: bool = False

    def text(self, written: nodes.Expression) -> str:
        """The signature of an expression."""
        match written:
            case nodes.Number(text=text):
                return text
            case nodes.Name(text=text) if text in self.scope.integers:
                self.scope.used(written)
                site = self.scope.notes.site(written.span)
                return self._read(ElementAccess(None, (self.scope.integers[text],), site))
            case nodes.Name() | nodes.Index(base=nodes.Name()):
                return self._read(_access(self.scope, written))
            case nodes.Unary(operator=operator, operand=operand):
                return f"({operator}{self.text(operand)})"
            case nodes.Binary(left=left, operator=operator, right=right):
                return f"({self.text(left)}{operator}{self.text(right)})"
            case nodes.Compare(left=left, operator=comparison, right=right):
                return f"({self.text(left)}{comparison}{self.text(right)})"
            case nodes.And(left=left, right=right):
                return f"({self.text(left)} and {self.text(right)})"
            case nodes.Or(left=left, right=right):
                return f"({self.text(left)} or {self.text(right)})"
            case nodes.Not(operand=operand):
                return f"(not {self.text(operand)})"
            case nodes.Call(callee=callee, arguments=arguments):
                return f"{callee.text}({','.join(self._argument(each) for each in arguments)})"
            case nodes.Missing():
                self.wrong = True
                return ""
            case _:
                self.scope.notes.error(CannotStandHere(kind_of(written), "a value"), written.span)
                self.wrong = True
                return ""

    def _argument(self, written: nodes.Argument) -> str:
        match written:
            case nodes.Positional(value=value):
                return self.text(value)
            case _:
                self.scope.notes.error(CannotStandHere("a name", "a value"), written.span)
                self.wrong = True
                return ""

    def _read(self, access: ElementAccess | None) -> str:
        if access is None:
            self.wrong = True
            return ""
        self.reads.append(access)
        return f"#{len(self.reads) - 1}"
