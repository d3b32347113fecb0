"""From a kind of declaration to how it is asked, decided, minimised and replayed.

`table` makes the questions of a declaration and answers one of them; `worker` is the process that does so all day.
Must not know files or the protocol.
"""
