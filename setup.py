"""The packages of the distribution: all of `server`, and the grammar's; the rest stands in `pyproject.toml`."""

from setuptools import find_packages, setup

setup(packages=[*find_packages("server"), "tree_sitter_rewright", "tree_sitter_rewright.queries"])
