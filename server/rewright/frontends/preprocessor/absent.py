"""Macros of well-known libraries, whose headers few have beside a source: defined where such a header is included and
is not there.

Must not know how a header is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rewright.frontends.preprocessor.macros import Macro
from rewright.frontends.preprocessor.predefined import defined

_TORCH = {
    "C10_WARP_SIZE": "32",
    "C10_DEVICE": "__device__",
    "C10_HOST_DEVICE": "__host__ __device__",
    "C10_LAUNCH_BOUNDS_0": "",
    "C10_LAUNCH_BOUNDS_1(threads)": "",
    "C10_LAUNCH_BOUNDS_2(threads, blocks)": "",
    "C10_RESTRICT": "__restrict__",
    "C10_ALWAYS_INLINE": "inline",
    "C10_LIKELY(condition)": "(condition)",
    "C10_UNLIKELY(condition)": "(condition)",
    "CUDA_KERNEL_ASSERT(condition)": "assert(condition)",
    "CUDA_KERNEL_LOOP_TYPE(i, n, type)": (
        "int64_t _i_n_d_e_x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; "
        "for (type i = _i_n_d_e_x; _i_n_d_e_x < (n); _i_n_d_e_x += blockDim.x * gridDim.x, i = _i_n_d_e_x)"
    ),
    "CUDA_KERNEL_LOOP(i, n)": "CUDA_KERNEL_LOOP_TYPE(i, n, int)",
    "TH_INDEX_BASE": "1",
    "THCCeilDiv(a, b)": "(((a) + (b) - 1) / (b))",
}
"""Of PyTorch: `c10/macros/Macros.h`, `c10/cuda/CUDAMathCompat.h`, `ATen/cuda/detail/KernelUtils.h`; of Torch:
`TH/THGeneral.h`, `THC/THCDeviceUtils.cuh`."""

_LIBRARIES = {"ATen/": _TORCH, "c10/": _TORCH, "torch/": _TORCH, "THC/": _TORCH, "TH/": _TORCH}


def macros_of(header: str) -> Mapping[bytes, Macro]:
    """The macros that a header, or one that it includes, would define, by name."""
    library = next((each for each in _LIBRARIES if header.startswith(each)), None)
    return {} if library is None else _macros(library)


@cache
def _macros(library: str) -> Mapping[bytes, Macro]:
    return dict(defined(name, text) for name, text in _LIBRARIES[library].items())
