"""Checks loop nests and transformations: from their nodes to `model.nest`.

Owns names, what is affine, and what is wrong with them. Must not know how a transformation is decided.
"""
