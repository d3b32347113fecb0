"""The packages of the distribution: all of `server`, the grammar's, and texts that are read: the library, two pages.

The rest stands in `pyproject.toml`.
"""

from setuptools import find_packages, setup

TEXTS = ["tree_sitter_rewright.queries", "rewright.library", "rewright.pages"]

setup(packages=[*find_packages("server"), "tree_sitter_rewright", *TEXTS])
