"""Kernels: from a declaration's node to a `kernel.Kernel`, with a body in the own syntax, or to what is wrong with it.

`declaration` is the way in. Invariant: what is wrong is reported once, at its place, and gives None, of which nothing
above it says anything more. Must not know how a kernel runs, nor the other front ends.

An expression may be a call, whose operands are expressions, so `expressions`, `calls` and `operations` import each
other: `expressions` is loaded here, before anything asks for one of the others.
"""

from rewright.model.check_kernel import expressions

__all__ = ["expressions"]
