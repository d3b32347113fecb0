"""What a text says of the launches of its kernels: comments above them, calls `<<<…>>>`, host code around these."""
