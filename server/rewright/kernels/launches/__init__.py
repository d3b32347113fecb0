"""Which launches, sizes, inputs and blocks of a kernel are run, and what running them comes to."""
