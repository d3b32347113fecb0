"""Preconditions found for a rule where one is missing, and expressions for its holes.

`rule_fixes` is the whole search: small inputs that are replayed, a grammar of formulas, conjunctions that exclude what
fails, and the proof of what is offered. `edits` makes changes of the rule's text of what was found.
"""
