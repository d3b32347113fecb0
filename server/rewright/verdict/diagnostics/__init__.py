"""Every diagnosis, in a module for each part of the language: plain data.

A new one stands beside those of its part; `report/codes/` has the words of its code.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from rewright.verdict.diagnosis import Diagnosis


@cache
def every() -> dict[str, type[Diagnosis]]:
    """All classes of diagnoses, by their names. Loads those that are not."""
    modules = [importlib.import_module(f"{__name__}.{part.name}") for part in pkgutil.iter_modules(__path__)]
    found = [each for module in modules for each in vars(module).values() if _is_of(each, module.__name__)]
    return {each.__name__: each for each in found}


def _is_of(value: object, module: str) -> bool:
    """Whether a value is a class of diagnoses that is defined in a module."""
    return isinstance(value, type) and issubclass(value, Diagnosis) and value.__module__ == module
