"""Graphs evaluated at concrete sizes, on one device or on every rank of a mesh, and inputs at which a refinement fails.

Shares no code with what decides refinements: of the model it takes the graph as data, of the replay its elements.
"""
