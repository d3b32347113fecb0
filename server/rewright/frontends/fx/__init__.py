"""The front end for graphs that torch.fx and torch.export print: Python text that is read and never executed.

tree-sitter-python gives the statements, in half-typed texts too. A call of an ATen operator becomes the operations with
StableHLO's names that compute it; a functional collective names its group of ranks, and the declaration the mesh.
"""
