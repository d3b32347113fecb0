"""What a panel shows of a counterexample, as plain data that an editor's page draws without knowing more.

A view of the report as the others are: `page.page` makes it of a result, `page.gone` of none. Must not know how a page
is drawn, nor the protocol.
"""
