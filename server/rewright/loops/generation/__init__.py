"""Other orders of a loop nest: what is asked for, whether dependences allow it, and the loops that run it.

Nothing here is trusted: what is generated is printed, read again and proved like any transform.
"""
