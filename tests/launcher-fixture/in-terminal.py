"""Runs a command in a terminal of its own: presses ctrl-C, then interrupts the launcher alone, then ends it."""

import os
import pty
import signal
import sys
import time

pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])

shown = ""


def read_until(text):
    global shown
    while text not in shown:
        shown += os.read(terminal, 4096).decode()


read_until("ready")
os.write(terminal, b"\x03")
read_until("interrupt 1")
# Longer than a doubled interrupt would take to arrive.
time.sleep(0.6)
os.kill(pid, signal.SIGINT)
read_until("interrupt 2")
time.sleep(0.4)
os.kill(pid, signal.SIGTERM)
read_until("ended after")
print(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
