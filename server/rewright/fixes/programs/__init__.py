"""Counterexamples as programs that other people can run."""
