"""What operators mean as terms: when an expression is valid, its shape, and its element at every index.

Every rank is stated at once: sizes and indices stand for "the" axis of a group. Must not know what is asked of the
terms, nor how an expression is evaluated on numbers.

Source: the denotational semantics of TensorRight (POPL 2025), section 5, with sizes, validity and infinities
stated too.
"""
