"""Names of transforms that were generated: what they transform, and how."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rewright.loops.generation.steps import (
    Best,
    Distribute,
    Fuse,
    Interchange,
    Reverse,
    Skew,
    SkewToTile,
    Step,
    TileAll,
    TileLoops,
    Unroll,
)

_SAID: dict[type[Step], str] = {
    Interchange: "interchanged",
    Reverse: "reversed",
    Skew: "skewed",
    SkewToTile: "skewed",
    TileLoops: "tiled",
    TileAll: "tiled",
    Fuse: "fused",
    Distribute: "distributed",
    Unroll: "unrolled",
    Best: "rescheduled",
}


def name_for(nest: str, steps: Sequence[Step], taken: Collection[str]) -> str:
    """A name that is not taken: `seidel_skewed_tiled`."""
    made = "_".join(dict.fromkeys((nest, *(_SAID[type(step)] for step in steps))))
    name, number = made, 2
    while name in taken:
        name, number = f"{made}_{number}", number + 1
    return name
