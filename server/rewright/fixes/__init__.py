"""From something that is wrong to what mends it: searched for, checked, and only then offered.

`preconditions/` is for rules, `kernels/` for kernels; `table` makes the question for either and answers it. Must not
know files or the protocol.
"""
