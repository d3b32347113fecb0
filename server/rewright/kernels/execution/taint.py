"""What values come from besides numbers in the text: names of inputs, and sources that no declaration names.

A taint is a set of names; the second kind has a blank in it, as no input does. "undefined" marks what follows from
memory or variables without a value. Must not know values.

"Equivalence Checking of ML GPU Kernels" requires that no branch and no address depends on an input (section 3.2); then
one run shows for all inputs whether there is a race (section 4.3, Lemma 4). Here that is found out, by taints.
"""

from __future__ import annotations

Taint = frozenset[str]

NOTHING: Taint = frozenset()

UNDEFINED: Taint = frozenset({"undefined value"})
"""The taint of what follows from a value that nothing set."""

ATOMIC_ORDER: Taint = frozenset({"atomic order"})
"""The taint of what atomics return."""

FLOAT_FUNCTIONS: Taint = frozenset({"float functions"})
"""The taint of functions of floats that machines compute differently in the last places."""

ACTIVE_LANES: Taint = frozenset({"active lanes"})
"""The taint of which lanes of a warp come to an instruction together."""


def is_undefined(taint: Taint) -> bool:
    """Whether what has this taint follows from a value that nothing set."""
    return not UNDEFINED.isdisjoint(taint)


def union(left: Taint, right: Taint) -> Taint:
    """What two values together come from."""
    return left if left is right or not right else left | right
