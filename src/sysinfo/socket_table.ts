/** Parses the kernel's socket tables (/proc/net/tcp and others) for listening ports. @module */

/** A socket that waits for connections or datagrams. */
export interface WaitingSocket {
  readonly address: string;
  readonly port: number;
  /** Names the socket in /proc/PID/fd. */
  readonly inode: number;
}

/** In the table: a TCP socket that listens, a UDP socket that is not tied to one peer. */
const WAITING = { tcp: "0A", udp: "07" } as const;
const ROW = /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} ([0-9A-F]{2}) \S+ \S+ \S+\s+\d+\s+\d+\s+(\d+)/gm;

/** Reads one table. */
export function readSocketTable(table: string, protocol: keyof typeof WAITING): WaitingSocket[] {
  return [...table.matchAll(ROW)].filter(([, , , state]) => state === WAITING[protocol]).map((
    [, address, port, , inode],
  ) => ({
    address: readAddress(address ?? ""),
    port: parseInt(port ?? "0", 16),
    inode: Number(inode),
  }));
}

/** Addresses are hex in 32-bit words, each in the byte order of the machine: little-endian wherever this runs. */
function readAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse()).map((byte) =>
    parseInt(byte, 16)
  );
  if (bytes.length === 4) return bytes.join(".");
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (mapped) return bytes.slice(12).join(".");
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8 | (bytes[2 * i + 1] ?? 0)).toString(16));
  // The longest run of zeros is written as "::", as is usual.
  const longest = groups.join(":").match(/\b0(?::0)+\b/g)?.reduce((a, b) => b.length > a.length ? b : a, "") ?? "";
  return longest === "" ? groups.join(":") : groups.join(":").replace(longest, "::").replace(/:{3,}/, "::");
}
