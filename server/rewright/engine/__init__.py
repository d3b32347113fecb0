"""Bytes to bytes: content keys, the cache of answers, worker processes and the scheduler that joins them.

A job is one declaration, a question one unit of the cache; both are opaque text. Invariants: every question that is
submitted ends, in a reply or a failure; a reply is in the cache before it is delivered; no worker outlives the process
that started it. Knows nothing of the language: what a question means, and what verdict a failure becomes, is the
caller's affair. Imports nothing else of this package, and a worker that imports `engine.worker` loads neither asyncio
nor SQLite.
"""
