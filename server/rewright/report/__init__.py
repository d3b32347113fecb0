"""Rendering: one immutable report of a snapshot, and its views as text, JSON and Markdown.

Owns wording: the message and page of each diagnostic code, tables of counterexamples. Every view is a pure function of
`document.Report`. Must not know how things are decided.
"""
