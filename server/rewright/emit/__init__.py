"""Programs of the SIMT form as front ends write them: the program under way, C's types, typed values and objects.

Must not know what any text means.
"""
