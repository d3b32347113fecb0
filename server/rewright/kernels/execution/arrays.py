"""The kinds of NumPy arrays that a run is made of, each by its shape and dtype.

`lanes` are those of the group at hand, in its order; `threads` are those of the block, by lane; `rows` are those of a
table whose columns are arrays of one length. Numbers are int64, which NumPy calls intp where it finds them itself. Must
not know what the numbers mean.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

LaneValues: TypeAlias = NDArray[Any]
"""(lanes,) of the dtype of a scalar type (`numbers.DTYPES`): a value for each lane."""

LaneNumbers: TypeAlias = NDArray[np.signedinteger[Any]]
"""(lanes,) int64: a number for each lane, or the lanes themselves by number."""

LaneFlags: TypeAlias = NDArray[np.bool_]
"""(lanes,) bool: which of the lanes of a group, by position in it."""

Masks: TypeAlias = NDArray[np.unsignedinteger[Any]]
"""(lanes,) uint32, or uint64 once they are kept: for each lane the set of lanes of its warp that it names, as bits."""

ThreadNumbers: TypeAlias = NDArray[np.signedinteger[Any]]
"""(threads,) int64: a number for each thread of the block, by lane."""

ThreadFlags: TypeAlias = NDArray[np.bool_]
"""(threads,) bool: which of the threads of the block, by lane."""

Column: TypeAlias = NDArray[np.signedinteger[Any]]
"""(rows,) int64: a number for each row of a table, or rows themselves by number."""

RowValues: TypeAlias = NDArray[np.integer[Any]]
"""(rows,) uint64 or int64: what each row of a table wrote, or another label of it, to be compared only."""

Kinds: TypeAlias = NDArray[np.int8]
"""(rows,) int8: the kind of access of each row, as `touches` numbers them."""

RowFlags: TypeAlias = NDArray[np.bool_]
"""(rows,) bool: which of the rows of a table."""

LaneSets: TypeAlias = NDArray[np.uint64]
"""(rows,) uint64: in each row a set of lanes of one warp, its lane i as bit i."""

MemoryElements: TypeAlias = NDArray[Any]
"""(elements,) of the dtype of a scalar type in memory (`numbers.MEMORY`)."""

Whys: TypeAlias = NDArray[np.signedinteger[Any]]
"""(lanes, bytes) or (lanes, 1) int64: of a missing byte the number of the read in `unset_reads`, else 0."""
