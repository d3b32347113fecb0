"""The smallest sizes of a set of them."""

from __future__ import annotations

import islpy as isl

from rewright.loops.decision import Sizes
from rewright.loops.polyhedra import naming
from rewright.model.nest import Nest


def smallest_sizes(nest: Nest, at: isl.Set) -> Sizes:
    """The parameters of the least sum, of these the least in order; some where there is no least."""
    if not nest.parameters:
        return ()
    count = len(nest.parameters)
    names = naming(nest, "S").parameters.values()
    together = f"[{', '.join(names)}] -> {{ [{' + '.join(names)}, {', '.join(names)}] }}"
    found = isl.Set.read_from_str(at.get_ctx(), together).intersect_params(at).project_out_all_params()
    try:
        least = found.lexmin()
    except isl.Error:
        least = found
    chosen = least.sample_point()
    numbers = (chosen.get_coordinate_val(isl.dim_type.set, 1 + each).to_python() for each in range(count))
    return tuple(zip(nest.parameters, map(int, numbers), strict=True))
