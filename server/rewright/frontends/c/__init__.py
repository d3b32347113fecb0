"""C: loop nests as they stand in functions, between pragmas, or as output of a compiler.

Owns the way from a text in C to `model.nest`, every statement, access and loop with its place. What is not affine is
refused on the exact expression. Must not know what is proved of a nest.
"""
