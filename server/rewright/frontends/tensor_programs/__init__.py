"""Tensor programs that compilers print: operations as they are read, and the graphs that they come to.

Shared by the front ends for MLIR and for HLO texts: both give operations with StableHLO's names and attributes. Never
raises on bad text: an operation that is not taken is a problem at its place, and opaque from there.
"""
