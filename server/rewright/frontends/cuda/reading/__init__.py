"""From text to trees: macros expanded, spellings that the grammar knows, small questions to nodes.

Must not know what a construct means.
"""
