"""Front ends: one room for each source language, from text to a value of the model, every expression with its place.

`table` says which language a path is in. Must not know how anything is decided.
"""
