/** Copies bytes between two connections, both ways. @module */

const CHUNK_BYTES = 64 * 1024;

/** Copies until both sides have said all, or one fails; then both are closed. */
export async function pump(one: Deno.Conn, other: Deno.Conn): Promise<void> {
  const ways = [copy(one, other), copy(other, one)];
  const broken = Promise.all(ways);
  await broken.catch(() => {}); // the other side is told by the end of its connection
  close(one);
  close(other);
  await Promise.allSettled(ways);
}

/** @param most Bytes after which no more is copied, and the writing side stays open. */
export async function copy(from: Deno.Conn, to: Deno.Conn, most = Infinity): Promise<void> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let left = most; left > 0;) {
    const count = await from.read(left < CHUNK_BYTES ? chunk.subarray(0, left) : chunk);
    if (count === null) return void await to.closeWrite();
    await sendAll(to, chunk.subarray(0, count));
    left -= count;
  }
}

/** Sends all bytes. */
export async function sendAll(to: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

/** Closes a connection, whatever its state. */
export function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // closed already
  }
}
