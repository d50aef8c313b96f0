/** Normalises a zip archive: entries sorted by name, all with the same time. @module */

const LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50;
const LOCAL_BYTES = 30, CENTRAL_BYTES = 46, END_BYTES = 22;

interface Entry {
  readonly name: string;
  readonly central: Uint8Array<ArrayBuffer>;
  /** Header and data. */
  readonly local: Uint8Array<ArrayBuffer>;
}

/**
 * Rewrites an archive without comment, encryption, data descriptors and zip64, as packers of small things make them.
 * @param time Seconds since 1970, of every entry; zip counts in steps of two, from 1980.
 */
export function normalZip(archive: Uint8Array<ArrayBuffer>, time: number): Uint8Array<ArrayBuffer> {
  const entries = readEntries(archive).sort((one, other) => one.name < other.name ? -1 : 1);
  const stamp = dosTime(time);
  let offset = 0;
  for (const { central, local } of entries) {
    view(local).setUint32(10, stamp, true);
    view(central).setUint32(12, stamp, true);
    view(central).setUint32(42, offset, true);
    offset += local.length;
  }
  const end = archive.slice(-END_BYTES);
  view(end).setUint32(16, offset, true);
  return concat([...entries.map(({ local }) => local), ...entries.map(({ central }) => central), end]);
}

function readEntries(archive: Uint8Array<ArrayBuffer>): Entry[] {
  const whole = view(archive), endAt = archive.length - END_BYTES;
  if (whole.getUint32(endAt, true) !== END) throw new Error("the zip archive does not end as expected");
  const count = whole.getUint16(endAt + 10, true), entries: Entry[] = [];
  let at = whole.getUint32(endAt + 16, true);
  for (let index = 0; index < count; index++) {
    if (whole.getUint32(at, true) !== CENTRAL) throw new Error("the zip archive has a broken directory");
    const dataBytes = whole.getUint32(at + 20, true), nameBytes = whole.getUint16(at + 28, true);
    const centralEnd = at + CENTRAL_BYTES + nameBytes + whole.getUint16(at + 30, true) + whole.getUint16(at + 32, true);
    const start = whole.getUint32(at + 42, true);
    if (whole.getUint32(start, true) !== LOCAL) throw new Error("the zip archive has a broken entry");
    const headerBytes = LOCAL_BYTES + whole.getUint16(start + 26, true) + whole.getUint16(start + 28, true);
    entries.push({
      name: new TextDecoder().decode(archive.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes)),
      central: archive.slice(at, centralEnd),
      local: archive.slice(start, start + headerBytes + dataBytes),
    });
    at = centralEnd;
  }
  return entries;
}

/** Time in the low half, date in the high one. */
function dosTime(time: number): number {
  const date = new Date(Math.max(time, Date.UTC(1980) / 1000) * 1000);
  const clock = date.getUTCHours() << 11 | date.getUTCMinutes() << 5 | date.getUTCSeconds() >> 1;
  const day = (date.getUTCFullYear() - 1980) << 9 | (date.getUTCMonth() + 1) << 5 | date.getUTCDate();
  return (day << 16 | clock) >>> 0;
}

function view(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function concat(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
