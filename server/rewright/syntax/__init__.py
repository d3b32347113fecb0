"""Owns text, spans, the tree-sitter tree and the typed nodes; parsing never fails, and names mean nothing here."""
