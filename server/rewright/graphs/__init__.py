"""Refinements of graphs: does what the ranks of a distributed graph compute give what the sequential one computes?

One pass over both graphs gives each tensor its block normal form, and a relation is found by comparing these. Owns the
normal form and the search for a relation. Must not know rules, kernels, places or words.
"""
