"""The names of a text before any of it is read: what it declares outside functions, and what is built in.

Must not know what is asked of them.
"""

from __future__ import annotations

from rewright.frontends.cuda.cxx.lowering import NamesInScope
from rewright.frontends.cuda.cxx.outer import enter
from rewright.frontends.cuda.cxx.scopes import Scope
from rewright.frontends.cuda.intrinsics import BUILT_INS
from rewright.frontends.cuda.reading.texts import ReadText


def names_of(read: ReadText) -> NamesInScope:
    """What names mean outside functions of a text."""
    scope = Scope(None)
    for tree in read.trees:
        enter(scope, tree)
    return NamesInScope(scope, BUILT_INS, read.addressing, read.changed)
