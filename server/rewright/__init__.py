"""Rewright: a language server and command line for verified rules."""

__version__ = "0.1.0"
