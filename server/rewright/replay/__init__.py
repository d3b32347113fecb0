"""Concrete evaluation, independent evidence for every counterexample.

Imports only the rule's value, the verdict's plain data and NumPy: it shares neither code nor approach with the symbolic
semantics, so that a counterexample that replays is right whatever the prover got wrong.
"""
