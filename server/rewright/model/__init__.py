"""Names, types, axis and shape checks, the operator table; the declarations of a file as values.

`file` is the way in. The values are `rule`, `kernel` (with `simt` for bodies) and `declared` for any declaration; a
package `check_…` makes them for each kind that is decided. Must not know how anything is decided, nor read files.
"""
