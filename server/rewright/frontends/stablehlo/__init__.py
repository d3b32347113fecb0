"""The front end for StableHLO in MLIR's text, pretty or generic, with Shardy or GSPMD's custom calls.

tree-sitter-mlir finds where operations begin, end and nest, in half-typed texts too; what stands in one is read by a
reader of our own (`operations`), since the grammar gives no more than tokens inside operations of other dialects.
"""
