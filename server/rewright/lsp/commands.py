"""The server's commands by name: which function of `methods` each one is.

The names differ from the extension's own commands, because editors make a command of each.
"""

from __future__ import annotations

CHECK = "rewright.server.check"
CHECK_NAMED = "rewright.server.checkDeclarations"
CHECK_AT = "rewright.server.checkAt"
STOP = "rewright.server.stop"
CLEAR = "rewright.server.clearCache"
GIVE_LAUNCH = "rewright.server.giveLaunch"
SHOW = "rewright.server.show"
SEARCHED = "rewright.server.searched"
LATEX = "rewright.server.latex"
COUNTEREXAMPLE = "rewright.server.counterexample"
LIST = "rewright.server.listDeclarations"
REORDER = "rewright.server.reorder"
PIN = "rewright.server.pin"

COMMANDS = {
    CHECK: ("commands", "check"),
    CHECK_NAMED: ("commands", "check_named"),
    CHECK_AT: ("commands", "check_at"),
    STOP: ("commands", "stop"),
    CLEAR: ("commands", "clear_cache"),
    GIVE_LAUNCH: ("commands", "give_launch"),
    SHOW: ("commands", "show"),
    SEARCHED: ("commands", "searched"),
    LATEX: ("commands", "latex_at"),
    COUNTEREXAMPLE: ("commands", "counterexample"),
    LIST: ("list_declarations", "handle"),
    REORDER: ("commands", "reorder"),
    PIN: ("commands", "pin_example"),
}
"""The module and the function of each."""
