"""Rewrite rules: bounds on ranks, the questions of a rule and their answers as proofs or models.

`decide` answers a question; `models` finds concrete inputs at one rank vector; `smtlib` prints what the solver is
asked. Must not know kernels, graphs, loops, lifts, nor how a rule is replayed or shown.
"""
