"""C++ as far as it is read: types, scopes, overloads, classes, templates, names; expressions and statements.

Each emits what it comes to. Must not know which built-in functions there are, nor how a kernel is launched.
"""
