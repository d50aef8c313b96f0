"""Does what flipper.c does where there is no compiler, about ten times slower."""

import ctypes
import os
import signal
import struct
import sys
import time

RENAME_EXCHANGE = 2
AT_FDCWD = -100
IN_OPEN, IN_NONBLOCK = 0x20, 0x800
libc = ctypes.CDLL(None, use_errno=True)
first, second, pause = sys.argv[1].encode(), sys.argv[2].encode(), int(sys.argv[3]) / 1e6
stopped = False


def stop(*_):
    global stopped
    stopped = True


def count_events():
    events = 0
    while True:
        try:
            data = os.read(queue, 65536)
        except BlockingIOError:
            return events
        while data:
            data = data[16 + struct.unpack_from("iIII", data)[3] :]
            events += 1


queue = libc.inotify_init1(IN_NONBLOCK)
if queue < 0 or libc.inotify_add_watch(queue, sys.argv[4].encode(), IN_OPEN) < 0:
    sys.exit(f"inotify: {ctypes.get_errno()}")
signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGALRM, stop)
signal.alarm(120)
print("ready", flush=True)
swaps, opened = 0, 0
while not stopped:
    for _ in range(2):
        if libc.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) != 0:
            sys.exit(f"renameat2: {ctypes.get_errno()}")
        swaps += 1
        if pause:
            time.sleep(pause)
    if swaps % 1024 == 0:
        opened += count_events()
print(swaps, opened + count_events())
