/** Notices that something was mounted or unmounted on the machine. @module */
import { encodeText } from "../core/bytes.ts";
import type { Libc } from "../sys/libc.ts";

const MOUNTS = "/proc/self/mounts", O_CLOEXEC = 0o2000000;
const POLLPRI = 0x02, POLLERR = 0x08;

/**
 * Makes the question whether the table of mounts has changed since it was last asked; true where that cannot be told. The
 * file is opened with the first question, and stays open until the process ends.
 */
export function makeMountWatch(libc: Libc): () => boolean {
  const asked = new DataView(new ArrayBuffer(8)); // struct pollfd: descriptor, events, what happened
  let isOpen = false;
  return () => {
    if (!isOpen) {
      isOpen = true;
      asked.setInt32(0, libc.open(encodeText(`${MOUNTS}\0`), O_CLOEXEC), true);
      asked.setInt16(4, POLLPRI, true);
    }
    if (asked.getInt32(0, true) < 0) return true;
    asked.setInt16(6, 0, true);
    const ready = libc.poll(asked, 1n, 0);
    return ready < 0 || (asked.getInt16(6, true) & (POLLPRI | POLLERR)) !== 0;
  };
}
