"""Runs a kernel once more, one thread at a time, to confirm what was found: evidence that is independent.

`replayed.replay` is the entry. Shares no code with lock-step execution: operators, memory, barriers and the order of
events are implemented again, over plain Python numbers. Must not know how a violation was found.
"""
