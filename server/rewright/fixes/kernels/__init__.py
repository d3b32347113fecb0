"""Changes of a kernel's text that may remove what goes wrong in it, in the style of the text.

Each is a guess: whoever offers one checks the changed text before. Texts in our own syntax and in CUDA are edited by
one code, through their concrete trees.
"""
