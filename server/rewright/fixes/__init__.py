"""Fixes of what is wrong: searched for, checked, and only then offered.

`preconditions/` is for rules, `kernels/` for kernels; `table` makes the question for either and answers it; `offering`
says what is searched for and what is offered of what came back. Must not know files or the protocol.
"""
