"""Random CUDA functions: what the front end and the execution compute is what a compiler's code computes."""

from __future__ import annotations

from pathlib import Path

from cuda_programs import Program
from cuda_runs import compiled, executed

COUNT = 20


def test_random_functions_compute_what_a_compiler_computes(tmp_path: Path) -> None:
    sources = {f"f{seed}": Program(seed).function(f"f{seed}") for seed in range(COUNT)}
    reference = compiled(sources, tmp_path)
    for name, source in sources.items():
        assert executed(source, name) == reference[name], source
