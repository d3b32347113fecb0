"""What a run rests on that neither text nor user said: free sizes and parameters, and contents of inputs.

Contents that `requires` speaks of are stated: whatever it admits. So are sizes of which any value counts (`forall n`).
Must not know what a run showed.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.kernels.launches.cases import free_names
from rewright.kernels.launches.inputs import filled_arrays
from rewright.kernels.launches.requirements import loads
from rewright.kernels.launches.results import Tried
from rewright.kernels.launches.variables import Variables
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Kernel
from rewright.model.simt.types import Scalar


class Chosen(Struct, frozen=True):
    """What is chosen for a kernel: `sizes` are free integers, which may decide what is launched, `floats` free floats.

    `contents` are arrays of which nothing is said, `variables` those of the source.
    """

    sizes: frozenset[Name]
    floats: frozenset[Name]
    contents: frozenset[Name]
    variables: Variables

    def matters_in(self, tried: Tried) -> bool:
        """Whether what a run shows may need something that was chosen."""
        return bool(self.sizes or tried.unstated) or not tried.depends.isdisjoint(map(str, self.contents | self.floats))


def chosen(kernel: Kernel, variables: Variables) -> Chosen:
    """What is chosen for a kernel."""
    silent = {array.name for array in filled_arrays(kernel) if not is_stated(kernel, array)}
    free = chosen_names(kernel)
    floats = frozenset(name for name, scalar in free.items() if scalar.is_float)
    return Chosen(frozenset(free) - floats, floats, frozenset(silent), variables)


def chosen_names(kernel: Kernel) -> dict[Name, Scalar]:
    """The sizes and scalar parameters whose values are chosen, with their types, but for those that are quantified."""
    return {name: scalar for name, scalar in free_names(kernel).items() if name not in kernel.quantified}


def is_stated(kernel: Kernel, array: ArrayParameter) -> bool:
    """Whether a requirement speaks of an array's contents."""
    return any(loads(each, array.name) for each in kernel.requires)
