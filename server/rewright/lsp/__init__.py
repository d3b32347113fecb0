"""The language server: one of two faces of the report, over the Language Server Protocol on standard input and output.

Invariant: a request or command answers from the report at hand or enqueues work; nothing here decides, solves or waits.
Every view is made from one immutable report; only this package imports pygls, and only here do spans become ranges.
Must not know how anything is decided, nor the command line.
"""
