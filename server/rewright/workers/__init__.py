"""The processes that answer what is asked: `full` all of it, checks and searches for fixes; `kernels` is there sooner
for a run in which no rule is asked about; `front` only lowers.

Must not know files or the protocol.
"""
