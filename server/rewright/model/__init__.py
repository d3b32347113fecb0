"""Names, types, axis and shape checks, the operator table; the declarations of a file as values."""
