"""The command line: one face of the report. Must not know the language server."""
