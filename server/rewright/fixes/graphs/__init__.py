"""Changes of a distributed graph, or of what is said of it, that may let a refinement hold.

Each is a guess: whoever offers one proves the changed refinement before.
"""
