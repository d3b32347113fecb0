"""Changes of a transform or a loop nest that may make it right.

Each is a guess: whoever offers one proves the changed declaration before.
"""
