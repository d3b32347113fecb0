"""From checked text to programs of the SIMT form: what every front end uses, and that of our own syntax."""
