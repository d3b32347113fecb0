"""The front end for the text of HLO, as XLA prints it before and after optimisation: a reader of our own, line by line.

A computation becomes a function, an instruction an operation with StableHLO's name; tuples are taken apart.
"""
