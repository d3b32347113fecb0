"""C++ as far as it is read: names, types as written, classes, overloads, calls, expressions, statements.

C++ is mutually recursive: an expression may call a function whose body is statements, a type may be an array as long as
an expression says, a class is both. So most of this package is one knot, and says so: its modules import what stands
below them by name, and where the language leads back up a module goes by the package, `cxx.expressions.value(…)`, with
a word on why. The package loads the modules that are reached so. Whatever is in the knot takes a whole `Lowering`: even
the length of an array may be what a function returns, whose body sets variables. What is outside of it takes of the
emitter, the names and the state of registers only what it needs.

What is read is lowered on the way. What cannot be taken is refused: whoever is given an emitter, alone or in a
`Lowering`, may raise `Refused`; a statement or a declaration notes the problem, and the next one is read. Must not know
which built-in functions there are, nor how a kernel is launched.
"""

from rewright.frontends.cuda.cxx import casts, classes, construct, expressions, statements, type_names

__all__ = ["casts", "classes", "construct", "expressions", "statements", "type_names"]
