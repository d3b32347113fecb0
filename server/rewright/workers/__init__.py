"""The processes that answer what is asked: `full` all of it, checks and searches for fixes, `front` only lowerings.

Must not know files or the protocol.
"""
