"""What a worker may use and when it dies, said to the operating system by the worker about itself.

Done in the worker after `exec`, not in a `preexec_fn` between fork and exec, which can deadlock under threads.
Must not know the protocol beyond `Hello`.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

from rewright.engine.wire import Hello

_PR_SET_PDEATHSIG = 1
"""From `linux/prctl.h`: which signal a process gets when its parent ends."""


def die_with_parent() -> None:
    """On Linux, has the kernel kill this process when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def leave_if_orphaned(parent: int) -> None:
    """Exits if `parent` ended before `die_with_parent` took effect; the kernel sends nothing for a past death."""
    if sys.platform == "linux" and os.getppid() != parent:
        os._exit(0)


def apply(hello: Hello) -> None:
    """Limits the address space, forbids core files, and lowers the priority below the editor's."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(hello.niceness)
    if hello.memory is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = hello.memory if hard == resource.RLIM_INFINITY else min(hello.memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def address_space() -> int:
    """The bytes of address space in use; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def much_of(limit: int | None) -> int:
    """The bytes of address space beyond which a worker with this limit should make room for a new one.

    What it loads on demand, and a C library's arena per thread, count from the first question on, so there is no use in
    measuring how far it has grown since its start.
    """
    return sys.maxsize if limit is None else limit * 3 // 4
