"""From a kernel of a text to its program: which function it is, its parameters, its body."""
