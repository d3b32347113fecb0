"""From a kernel of a text to its program: what is under way, memory, operators, parameters."""
