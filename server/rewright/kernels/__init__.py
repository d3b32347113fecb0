"""Front ends of kernels, lockstep execution, race, barrier and bounds checks.

Every thread of a block is a NumPy lane; integers, addresses and control are concrete, floats have no values. Must not
know the other checkers, nor how a violation is replayed or shown.
"""
