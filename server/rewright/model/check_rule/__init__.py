"""Rules and lemmas: from a declaration's node to a `rule.Rule`, or to what is wrong with it.

`declaration` is the way in; the rest has a module for each kind of thing that is written in a rule. Invariant: what is
wrong is reported once, at its place, and gives None, of which nothing above it says anything more. Must not know how a
rule is decided.
"""
