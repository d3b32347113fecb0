"""Sources, the project that is known of them as one immutable value, and the drivers that move it on.

Owns which texts there are, what is known about them, and what is to be asked next. The report is a pure function of
the texts, the declarations in them and the answers so far. Must not know any editor's protocol.
"""
