"""Loop nests run at given sizes, one operation at a time: what confirms a refutation, or that nothing shows.

Shares no code with what decides loop nests, and knows no sets: an operation has its iterators as numbers.
"""
