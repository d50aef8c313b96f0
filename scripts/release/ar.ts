/** Writes an `ar` archive, the outer format of a Debian package, without Debian's tools. @module */

/** Joins members in their order. @param time Seconds since 1970, of every member. */
export function ar(
  members: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[],
  time: number,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = [encoder.encode("!<arch>\n")];
  for (const { name, bytes } of members) {
    if (name.length > 15) throw new Error(`${name} is too long for a member's name`);
    const fields = [name.padEnd(16), String(time).padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
    parts.push(encoder.encode(`${fields.join("")}${String(bytes.length).padEnd(10)}\`\n`), bytes);
    if (bytes.length % 2 === 1) parts.push(encoder.encode("\n"));
  }
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
