"""Other orders of a loop nest as text of its language, each proved before anyone sees it."""
