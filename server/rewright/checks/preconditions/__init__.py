"""Preconditions found for a rule that lacks one."""
