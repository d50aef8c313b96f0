"""Tries to reach a server from inside the sandbox, by each way of a list; prints one line of JSON for each."""
import concurrent.futures, ctypes, json, socket, sys

PROXY = ("127.0.0.1", 3128)


def ask(raw):
    with socket.create_connection(PROXY, timeout=5) as connection:
        connection.sendall(raw)
        connection.settimeout(5)
        answer = b""
        try:
            while len(answer) < 65536:
                part = connection.recv(65536)
                if not part:
                    break
                answer += part
        except OSError:
            pass
        return answer


def tunnel(target, inner):
    with socket.create_connection(PROXY, timeout=5) as connection:
        connection.sendall(b"CONNECT " + target + b" HTTP/1.1\r\n\r\n")
        connection.settimeout(5)
        head = connection.recv(65536)
        if b" 200 " not in head:
            return head
        connection.sendall(inner)
        answer = b""
        try:
            while True:
                part = connection.recv(65536)
                if not part:
                    return head + answer
                answer += part
        except OSError:
            return head + answer


def direct(family, kind, address, protocol=0):
    with socket.socket(family, kind, protocol) as connection:
        connection.settimeout(3)
        connection.connect(address)
        connection.send(b"GET / HTTP/1.0\r\n\r\n")
        return connection.recv(4096)


def fast_open(address):
    with socket.socket() as connection:
        connection.settimeout(3)
        connection.sendto(b"GET / HTTP/1.0\r\n\r\n", 0x20000000, address)
        return connection.recv(4096)


def enter(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    with open(f"/proc/{pid}/ns/net") as namespace:
        if libc.setns(namespace.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    return b"entered"


WAYS = {
    "ask": lambda a: ask(a["raw"].encode("latin1")),
    "tunnel": lambda a: tunnel(a["target"].encode(), a["inner"].encode("latin1")),
    "tcp": lambda a: direct(socket.AF_INET, socket.SOCK_STREAM, (a["host"], a["port"])),
    "mptcp": lambda a: direct(socket.AF_INET, socket.SOCK_STREAM, (a["host"], a["port"]), 262),
    "tcp6": lambda a: direct(socket.AF_INET6, socket.SOCK_STREAM, (a["host"], a["port"])),
    "udp": lambda a: direct(socket.AF_INET, socket.SOCK_DGRAM, (a["host"], a["port"])),
    "udp6": lambda a: direct(socket.AF_INET6, socket.SOCK_DGRAM, (a["host"], a["port"])),
    "raw": lambda a: direct(socket.AF_INET, socket.SOCK_RAW, (a["host"], 0), 1),
    "packet": lambda a: socket.socket(socket.AF_PACKET, socket.SOCK_RAW) and b"packet",
    "vsock": lambda a: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) and b"vsock",
    "fast_open": lambda a: fast_open((a["host"], a["port"])),
    "abstract": lambda a: direct(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + a["name"]),
    "path": lambda a: direct(socket.AF_UNIX, socket.SOCK_STREAM, a["name"]),
    "name": lambda a: str(socket.getaddrinfo(a["host"], 80)).encode(),
    "setns": lambda a: enter(a["pid"]),
}

def attempt(given):
    try:
        return WAYS[given["way"]](given).decode("latin1")[:3000]
    except (OSError, ValueError) as error:
        return f"failed: {error}"


with concurrent.futures.ThreadPoolExecutor(24) as pool:
    for answer in pool.map(attempt, json.load(sys.stdin)):
        print(json.dumps(answer))
