"""The front end for CUDA C++: texts in, per kernel a program of the SIMT form out, or where and why there is none.

A preprocessor with a source map, tree-sitter-cuda, and a lowering that folds constants, inlines device functions and
instantiates templates. Never raises on bad text. Must not know how programs are executed.
"""
