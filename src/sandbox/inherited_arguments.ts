/**
 * Hands bubblewrap its arguments through a descriptor. On its command line they would be in every list of processes inside
 * the namespace: thousands of characters, with paths that are masked there.
 * @module
 */
import { encodeText } from "../core/bytes.ts";
import { check, type Libc } from "../sys/libc.ts";
import type { NamespacePlan } from "./bwrap.ts";

/** Files that the next child inherits. */
export interface Inherited {
  /** For bubblewrap's `--args`. */
  readonly fd: number;
  /** Closes this process's ends, once the child has its own; bubblewrap closes those before it starts a program. */
  close(): void;
}

const O_RDONLY = 0; // without O_CLOEXEC: bubblewrap reads it
const FROM_START = 0;

/**
 * Opens everything that bubblewrap reads. The descriptors are opened for each child: a position in a file would be shared,
 * and one that starts next to it would read nothing.
 *
 * @param filter Path of the seccomp program.
 */
export function openArguments(libc: Libc, filter: string, { copied, args }: NamespacePlan): Inherited {
  const opened: number[] = [];
  const keep = (fd: number): number => (opened.push(fd), fd);
  const close = () => opened.forEach((fd) => libc.close(fd));
  try {
    const copies = copied.flatMap((path) => {
      const fd = libc.open(encodeText(`${path}\0`), O_RDONLY);
      return fd < 0 ? [] : ["--perms", "0444", "--file", `${keep(fd)}`, path]; // one that this user may not read
    });
    const program = libc.open(encodeText(`${filter}\0`), O_RDONLY);
    if (program < 0) throw new Error(`${filter} cannot be opened`);
    const whole = [...copies, ...args, "--seccomp", `${keep(program)}`];
    return { fd: keep(memoryFile(libc, encodeText(whole.map((each) => `${each}\0`).join("")))), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A file without a name that the child reads from its beginning. */
function memoryFile(libc: Libc, content: Uint8Array<ArrayBuffer>): number {
  const fd = Number(check(libc, libc.memfd_create(encodeText("arguments\0"), 0), "memfd_create"));
  const written = Number(libc.write(fd, content, BigInt(content.length)));
  if (written === content.length) libc.lseek(fd, 0n, FROM_START);
  else {
    libc.close(fd);
    throw new Error(`memory for ${content.length} bytes of arguments: only ${written} could be written`);
  }
  return fd;
}
