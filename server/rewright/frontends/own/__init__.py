"""Kernels in our own syntax: from a checked body to a program of the SIMT form."""
