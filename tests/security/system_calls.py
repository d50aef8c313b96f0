"""Tries every system call that the filter of children refuses, and prints a name and an error number for each."""
import ctypes, errno, os, platform, socket, sys

libc = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == "aarch64"


def attempt(name, number, *args):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number[1] if ARM else number[0]), *[ctypes.c_long(arg) for arg in args])
    print(name, 0 if result >= 0 else ctypes.get_errno(), flush=True)
    return result


NOWHERE, AT_FDCWD = 0, -100
SAME = lambda number: (number, number)
for name, number, args in [
    ("keyctl", (250, 219), (0, -3)),
    ("add_key", (248, 217), (NOWHERE, NOWHERE, NOWHERE, 0, -3)),
    ("request_key", (249, 218), (NOWHERE, NOWHERE, NOWHERE, -3)),
    ("io_uring_setup", SAME(425), (1, NOWHERE)),
    ("io_uring_enter", SAME(426), (-1, 0, 0, 0)),
    ("io_uring_register", SAME(427), (-1, 0, NOWHERE, 0)),
    ("userfaultfd", (323, 282), (1,)),
    ("perf_event_open", (298, 241), (NOWHERE, 0, -1, -1, 0)),
    ("bpf", (321, 280), (0, NOWHERE, 0)),
    ("kexec_load", (246, 104), (0, 0, NOWHERE, 0)),
    ("kexec_file_load", (320, 294), (-1, -1, 0, NOWHERE, 0)),
    ("init_module", (175, 105), (NOWHERE, 0, NOWHERE)),
    ("finit_module", (313, 273), (-1, NOWHERE, 0)),
    ("delete_module", (176, 106), (NOWHERE, 0)),
    ("open_by_handle_at", (304, 265), (AT_FDCWD, NOWHERE, 0)),
    ("unshare", (272, 97), (0x10000000,)),
    ("clone", (56, 220), (0x10000000 | 17, 0, 0, 0, 0)),
    ("clone3", SAME(435), (NOWHERE, 0)),
    ("mount", (165, 40), (NOWHERE, NOWHERE, NOWHERE, 0, NOWHERE)),
    ("umount2", (166, 39), (NOWHERE, 0)),
    ("pivot_root", (155, 41), (NOWHERE, NOWHERE)),
    ("open_tree", SAME(428), (AT_FDCWD, NOWHERE, 0)),
    ("move_mount", SAME(429), (-1, NOWHERE, -1, NOWHERE, 0)),
    ("fsopen", SAME(430), (NOWHERE, 0)),
    ("setns", (308, 268), (-1, 0)),
    ("ioctl TIOCSTI", (16, 29), (0, 0x5412, NOWHERE)),
    ("ioctl TIOCSTI, high bits set", (16, 29), (0, 0x1_0000_5412, NOWHERE)),
    ("ioctl TIOCLINUX", (16, 29), (0, 0x541C, NOWHERE)),
]:
    pid = attempt(name, number, *args)
    if name == "clone" and pid == 0:
        os._exit(0)

os.close(os.open("mode", os.O_CREAT | os.O_WRONLY, 0o644))
path = ctypes.create_string_buffer(b"mode")
made = ctypes.create_string_buffer(b"made")
address, made_address = ctypes.addressof(path), ctypes.addressof(made)
file = os.open("mode", os.O_RDONLY)
for mode in [0o4755, 0o4000, 0o6755, 0o7777]:
    attempt(f"fchmod {mode:o}", (91, 52), file, mode)
    attempt(f"fchmodat {mode:o}", (268, 53), AT_FDCWD, address, mode)
    attempt(f"fchmodat2 {mode:o}", SAME(452), AT_FDCWD, address, mode, 0)
    attempt(f"openat {mode:o}", (257, 56), AT_FDCWD, made_address, os.O_CREAT | os.O_WRONLY, mode)
    attempt(f"mknodat {mode:o}", (259, 33), AT_FDCWD, made_address, 0o100000 | mode, 0)
    if not ARM:
        attempt(f"chmod {mode:o}", (90, 0), address, mode)
        attempt(f"open {mode:o}", (2, 0), made_address, os.O_CREAT | os.O_WRONLY, mode)
        attempt(f"creat {mode:o}", (85, 0), made_address, mode)
        attempt(f"mknod {mode:o}", (133, 0), made_address, 0o100000 | mode, 0)
attempt("openat2", SAME(437), AT_FDCWD, made_address, NOWHERE, 0)
if not ARM:
    attempt("x32 getpid", (0x40000000 | 39, 0))

# What ordinary programs need must work.
print("-", flush=True)
import subprocess, threading

thread = threading.Thread(target=lambda: print("thread 0"))
thread.start(), thread.join()
print("subprocess", subprocess.run(["true"]).returncode)
print("socketpair", 0 if socket.socketpair() else 1)
os.chmod("mode", 0o755)
print("chmod", 0)
