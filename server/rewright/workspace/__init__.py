"""Sources, snapshots, jobs, and the fold of answers into a report.

Owns which texts there are and what is known about them. The report is a pure function of the texts, the declarations
in them and the answers so far. Must not know any editor's protocol.
"""
