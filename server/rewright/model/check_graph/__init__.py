"""Checks graphs and refinements: from their nodes to `model.graph`.

Owns names, shapes at symbolic sizes, and what is wrong with them. Must not know how a refinement is decided.
"""
