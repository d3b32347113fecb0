"""Formulas of reductions as text and as LaTeX, in the author's names; sympy is loaded for LaTeX only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.report.formulas.elements import Source, formula_at
from rewright.report.formulas.latex import latex
from rewright.report.formulas.text import text
from rewright.report.formulas.tree import Formula
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

DECLARED = """axes M, K
axis k, l
map m on M
map n on K
int a, b, s
scalar c: T
tensor X, Z: T[M: m, k: a]
tensor Y: T[k: b]
tensor W: T[k: a, l: b]
tensor V: T[K: n]
tensor P: pred[k: a]
fn f: (T) -> T
let i = iota(T, k, k: a)
"""
SHOWN: dict[str, tuple[str, str]] = {
    "reduce(add, X, k)": ("Σ[k < a] X[i_M, k]", r"\sum_{k=0}^{a - 1} {X}_{i_{M},k}"),
    "reduce(add, i, k)": ("Σ[k < a] k", r"\sum_{k=0}^{a - 1} k = \frac{a \left(a - 1\right)}{2}"),
    "reduce(add, i * c, k)": ("Σ[k < a] k · c", r"\sum_{k=0}^{a - 1} c k = \frac{a c \left(a - 1\right)}{2}"),
    "reduce(multiply, V, K)": ("Π[i_K < n] V[i_K]", r"\prod_{i_{K}=0}^{n - 1} {V}_{i_{K}}"),
    "reduce(max, f(V), K)": (
        "max[i_K < n] f(V[i_K])",
        r"\max_{i_{K} < n} \left(\operatorname{f}{\left({V}_{i_{K}} \right)}\right)",
    ),
    "reduce(add, X - Z + c, k)": (
        "Σ[k < a] (X[i_M, k] − Z[i_M, k] + c)",
        r"\sum_{k=0}^{a - 1} \left(c + {X}_{i_{M},k} - {Z}_{i_{M},k}\right)",
    ),
    "dot(X, W, contract = k)": (
        "Σ[k < a] X[i_M, k] · W[k, l]",
        r"\sum_{k=0}^{a - 1} {W}_{k,l} {X}_{i_{M},k}",
    ),
    "reduce(add, reverse(Y, k), k)": ("Σ[k < b] Y[b − 1 − k]", r"\sum_{k=0}^{b - 1} {Y}_{b - k - 1}"),
    "reduce(add, slice(Y, s, b), k)": ("Σ[k < b − s] Y[s + k]", r"\sum_{k=0}^{b - s - 1} {Y}_{k + s}"),
    "reduce(add, concatenate(Y, Y, k), k)": (
        "Σ[k < b + b] concatenate(Y, Y, k)[k]",
        r"\sum_{k=0}^{2 b - 1} {\texttt{concatenate(Y, Y, k)}}_{k}",
    ),
    "reduce(add, select(P, i, 0), k, init = c)": (
        "c + Σ[k < a] (P[k] ? k : 0)",
        r"c + \sum_{k=0}^{a - 1} \begin{cases} k & \text{for}\: {P}_{k} \neq 0 \\0 & \text{otherwise} \end{cases}",
    ),
    "reduce(add, exp(X - broadcast(reduce(max, X, k), k: a)), k)": (
        "Σ[k < a] exp(X[i_M, k] − max[k' < a] X[i_M, k'])",
        r"\sum_{k=0}^{a - 1} e^{- \max_{k' < a} \left({X}_{i_{M},k'}\right) + {X}_{i_{M},k}}",
    ),
    "reduce(add, W, [k, l])": (
        "Σ[k < a, l < b] W[k, l]",
        r"\sum_{\substack{0 \leq k \leq a - 1\\0 \leq l \leq b - 1}} {W}_{k,l}",
    ),
    "reduce(add, (i - c) / (i + c) * 0.5, k)": (
        "Σ[k < a] (k − c) / (k + c) · (1/2)",
        r"\sum_{k=0}^{a - 1} \frac{- c + k}{2 \left(c + k\right)}",
    ),
    "reduce(add, -(i - (c - i)), k)": (
        "Σ[k < a] (−(k − (c − k)))",
        r"\sum_{k=0}^{a - 1} \left(c - 2 k\right) = - a \left(a - c - 1\right)",
    ),
}


@pytest.mark.parametrize("written", SHOWN)
def test_what_a_reduction_is(written: str) -> None:
    formula = _formula(written)
    assert text(formula) == SHOWN[written][0]
    assert latex(formula) == SHOWN[written][1]


def test_what_is_no_reduction_has_none() -> None:
    source, _ = _source("X + X")
    assert formula_at(source, 0) is None


def test_sympy_is_loaded_for_latex_only() -> None:
    """Neither by the server, nor by workers or the command line, nor by the text of a formula."""
    loads = """
import sys
import rewright.lsp.main, rewright.lsp.methods, rewright.cli.main, rewright.workers.full, rewright.workers.kernels
import rewright.report.formulas.text, rewright.report.formulas.elements
from rewright.report.formulas import latex, tree
assert "sympy" not in sys.modules, "loaded at the start"
latex.latex(tree.Variable("n"))
assert "sympy" in sys.modules
"""
    subprocess.run([sys.executable, "-c", loads], check=True)


def test_only_one_module_loads_sympy() -> None:
    package = Path(sys.modules["rewright"].__path__[0])
    naming = {path.name for path in package.rglob("*.py") if "import sympy" in path.read_text(encoding="utf-8")}
    assert naming == {"latex.py"}


def _source(written: str) -> tuple[Source, int]:
    body = f"rule asked<T: real> {{\n{DECLARED}{written} => {written}\n}}\n"
    (declared,) = check_file(parse(Text.of("asked.rw", body)), lambda path: None).declarations
    assert isinstance(declared.value, Rule), declared.findings
    return Source(declared.value, declared.sites, body), body.index(f"{written} => ")


def _formula(written: str) -> Formula:
    source, start = _source(written)
    found = formula_at(source, start)
    assert found is not None
    return found
