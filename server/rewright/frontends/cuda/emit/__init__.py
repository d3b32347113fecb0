"""What is emitted while C++ is read: typed values and objects, operators on them, memory, the program under way.

Must not know what any text means.
"""
