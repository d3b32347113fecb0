"""The front end for CUDA C: one `.cu` text in, the SIMT form of one of its kernels out.

Reads a subset with tree-sitter-cuda and says at its place what is outside of it. Must not know lanes.
"""
