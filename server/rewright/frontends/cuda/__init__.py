"""The front end for CUDA C++: texts in, per kernel a program of the SIMT form out, or where and why there is none.

Text goes through the preprocessor, which keeps a map to the source, and tree-sitter-cuda (`reading`); what the trees
say in C++ (`cxx`) is emitted as typed values and instructions (`emit`), built-in functions from their tables
(`intrinsics`); `lower` makes the program of a kernel so, and `launches` reads what the text says of its launches.
Constants are folded, device functions inlined and templates instantiated on the way. Never raises on bad text. Must
not know how programs are executed.

The subset of C++ is read by our own code, not by a compiler's. Measured against libclang: it finds errors in 36 to 46 %
of the files of two corpora of kernels, for lack of headers; at a syntax error it loses whole statements, and a check of
what is left would be a check of another kernel; and its wheel has 24 MB. In a tree of tree-sitter what is broken has a
place, and a name whose header is missing is a problem only of the kernels that use it.
"""
