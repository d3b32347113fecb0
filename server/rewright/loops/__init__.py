"""Loop nests as sets and maps of integers: is one a legal reordering of another, at every size?

Owns what isl is asked, and is the only package that imports it. Must not know rules, kernels, graphs, or any source
language. Sources: PolyCheck, sections 2 to 4; the correspondence is guessed and then proved.
"""
