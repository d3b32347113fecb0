"""Programs that are not affine against the nest that they transform, at given sizes: Algorithm A of PolyCheck.

Owns an interpreter that builds closures, and the check of one operation after another. It makes no source text, and
nothing but these closures is executed. Must not know any source language, nor isl.
"""
