"""The C preprocessor: macros, conditions and included files, with the place in the text of every byte that comes out.

Where neither macro nor directive stands the text stays as it is. Never raises: what is wrong is a note at its place.
Must not know what the text means.
"""

from rewright.frontends.preprocessor.expanded import Expanded, Missing, Note, Pragma
from rewright.frontends.preprocessor.predefined import unfit
from rewright.frontends.preprocessor.sources import preprocess

__all__ = ["Expanded", "Missing", "Note", "Pragma", "preprocess", "unfit"]
