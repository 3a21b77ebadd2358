#!/usr/bin/python3
"""Run a command, and be the parent of every process that it leaves behind until that ends, as servers do that it stops at
its end: so the shell's `time` counts them. Those that outlive the command by seconds are left alone."""

import ctypes
import os
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 5


def status_of(status):
    """As a shell has it."""
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def main():
    """Run the command line; its exit status."""
    # where it fails only the sum is wrong
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    command = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
    ended, status = 0, 0
    while ended != command:
        ended, status = os.wait()
    end = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end:
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(0.02)
    except ChildProcessError:
        pass
    return status_of(status)


if __name__ == "__main__":
    sys.exit(main())
