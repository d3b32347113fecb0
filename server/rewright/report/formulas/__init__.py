"""Formulas: what a reduction of a rule is, element by element, as mathematics in the author's names."""
