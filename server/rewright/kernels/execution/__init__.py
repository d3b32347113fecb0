"""Runs programs of the SIMT form: all threads of one block in lock step, and finds what goes wrong.

`run` is the entry. Must not know any front end, how settings are chosen, or how a violation is shown.
"""
