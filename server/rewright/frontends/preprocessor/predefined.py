"""What is defined before the first line: constants of system headers, macros of the compiler, words that say nothing.

System headers are not read; these are the names out of them that kernels use. Must not know how macros are expanded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from rewright.frontends.preprocessor.macros import Macro, definition
from rewright.frontends.preprocessor.tokens import tokens

_OBJECTS = {
    "__CUDA_ARCH__": "800",
    "__CUDACC__": "1",
    "__NVCC__": "1",
    "__CUDACC_VER_MAJOR__": "12",
    "__CUDACC_VER_MINOR__": "4",
    "CUDART_VERSION": "12040",
    "CUDA_VERSION": "12040",
    "__cplusplus": "201703L",
    "__STDC__": "1",
    "__linux__": "1",
    "__x86_64__": "1",
    "__GNUC__": "11",
    "__CHAR_BIT__": "8",
    "NULL": "0",
    "CHAR_BIT": "8",
    "SCHAR_MIN": "(-128)",
    "SCHAR_MAX": "127",
    "UCHAR_MAX": "255",
    "CHAR_MIN": "(-128)",
    "CHAR_MAX": "127",
    "SHRT_MIN": "(-32768)",
    "SHRT_MAX": "32767",
    "USHRT_MAX": "65535",
    "INT_MIN": "(-2147483647 - 1)",
    "INT_MAX": "2147483647",
    "UINT_MAX": "4294967295u",
    "LONG_MIN": "(-9223372036854775807L - 1L)",
    "LONG_MAX": "9223372036854775807L",
    "ULONG_MAX": "18446744073709551615uL",
    "LLONG_MIN": "(-9223372036854775807LL - 1LL)",
    "LLONG_MAX": "9223372036854775807LL",
    "ULLONG_MAX": "18446744073709551615uLL",
    "INT8_MIN": "(-128)",
    "INT8_MAX": "127",
    "UINT8_MAX": "255",
    "INT16_MIN": "(-32768)",
    "INT16_MAX": "32767",
    "UINT16_MAX": "65535",
    "INT32_MIN": "(-2147483647 - 1)",
    "INT32_MAX": "2147483647",
    "UINT32_MAX": "4294967295u",
    "INT64_MIN": "(-9223372036854775807L - 1L)",
    "INT64_MAX": "9223372036854775807L",
    "UINT64_MAX": "18446744073709551615uL",
    "SIZE_MAX": "18446744073709551615uL",
    "RAND_MAX": "2147483647",
    "CLOCKS_PER_SEC": "1000000L",
    "FLT_MAX": "3.402823466e+38f",
    "FLT_MIN": "1.175494351e-38f",
    "FLT_EPSILON": "1.192092896e-07f",
    "DBL_MAX": "1.7976931348623157e+308",
    "DBL_MIN": "2.2250738585072014e-308",
    "DBL_EPSILON": "2.2204460492503131e-16",
    "INFINITY": "__int_as_float(0x7f800000)",
    "HUGE_VALF": "__int_as_float(0x7f800000)",
    "NAN": "__int_as_float(0x7fffffff)",
    "CUDART_INF_F": "__int_as_float(0x7f800000)",
    "CUDART_NAN_F": "__int_as_float(0x7fffffff)",
    "CUDART_INF": "__longlong_as_double(0x7ff0000000000000LL)",
    "CUDART_MAX_NORMAL_F": "3.402823466e+38f",
    "CUDART_PI_F": "3.141592654f",
    "CUDART_PI": "3.1415926535897931e+0",
    "M_PI": "3.14159265358979323846",
    "M_PI_2": "1.57079632679489661923",
    "M_PI_4": "0.78539816339744830962",
    "M_1_PI": "0.31830988618379067154",
    "M_2_PI": "0.63661977236758134308",
    "M_2_SQRTPI": "1.12837916709551257390",
    "M_E": "2.7182818284590452354",
    "M_LOG2E": "1.4426950408889634074",
    "M_LOG10E": "0.43429448190325182765",
    "M_LN2": "0.69314718055994530942",
    "M_LN10": "2.30258509299404568402",
    "M_SQRT2": "1.41421356237309504880",
    "M_SQRT1_2": "0.70710678118654752440",
    "__forceinline__": "inline",
    "__noinline__": "",
    "__inline__": "inline",
    "__inline": "inline",
    "__restrict": "__restrict__",
    "__grid_constant__": "",
    "CUDARTAPI": "",
    "CUDART_CB": "",
}
_FUNCTIONS = {
    "__launch_bounds__(...)": "",
    "__cluster_dims__(...)": "",
    "__maxnreg__(...)": "",
    "__block_size__(...)": "",
    "__attribute__(...)": "",
    "_Pragma(text)": "",
    "__align__(n)": "alignas(n)",
}

ASSERTIONS = frozenset(
    {
        *(b"TORCH_CHECK", b"TORCH_INTERNAL_ASSERT", b"AT_ASSERT", b"AT_ASSERTM", b"GGML_ASSERT", b"FT_CHECK"),
        *(b"FT_CHECK_WITH_INFO", b"CHECK_WITH_INFO", b"CV_Assert", b"PADDLE_ENFORCE", b"MXNET_ASSERT"),
        *(b"CHECK_EQ", b"CHECK_NE", b"CHECK_LE", b"CHECK_LT", b"CHECK_GE", b"CHECK_GT"),
    }
)
"""Macros of well-known libraries that host code demands something with. They are not replaced where a text defines
them: what a launch then may count on is read from their uses, and what they do otherwise does not matter."""

TOOLKIT = frozenset(
    {
        *("cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "device_functions.h"),
        *("cuda_fp16.h", "cuda_fp16.hpp", "cuda_bf16.h", "cuda_fp8.h", "cooperative_groups.h", "mma.h"),
        *("math_constants.h", "math_functions.h", "sm_20_atomic_functions.h", "sm_30_intrinsics.h", "vector_types.h"),
        *("vector_functions.h", "cuda_profiler_api.h", "curand.h", "curand_kernel.h", "cublas_v2.h", "cufft.h"),
        *("stdio.h", "stdlib.h", "string.h", "math.h", "assert.h", "stdint.h", "time.h", "limits.h", "float.h"),
        *("errno.h", "unistd.h", "getopt.h", "dirent.h", "pthread.h", "signal.h", "sys/time.h", "omp.h", "mpi.h"),
        *("iostream", "vector", "cmath", "cassert", "cstdio", "cstdlib", "cstdint", "algorithm"),
    }
)
"""Headers of the system, which some write between quotes."""


@cache
def predefined() -> Mapping[bytes, Macro]:
    """The macros that are there at first, by name."""
    return dict(defined(name, text) for name, text in (_OBJECTS | _FUNCTIONS).items())


def unfit(name: str, text: str) -> str | None:
    """Why no macro can stand for a text before the first line, None if it can."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is None or name == "defined":
        return "is not a macro name"
    return None if text.replace("\t", " ").isprintable() else "must stand for a text of one line"


def defined(name: str, text: str) -> tuple[bytes, Macro]:
    """The macro that `#define name text` makes."""
    line = f"{name} {text}".encode()
    macro = definition(list(tokens(line, 0, len(line))))
    assert isinstance(macro, Macro), macro
    return macro.name, macro
