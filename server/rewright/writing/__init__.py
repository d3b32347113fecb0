"""Help for who writes declarations: what can stand at a place, how an operator is called, what a word means.

    offers(at, scope, ...)     what can be written there, with snippets          `completion`
    signature(at, scope)       the call around a place and its current argument  `signature`

Everything is plain data about text and offsets. A place is read from the tokens before it, so half-typed text has one.
Must not know the protocol, nor files.
"""
